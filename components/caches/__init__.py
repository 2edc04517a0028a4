"""What sessions share: tables, tokenizers, the IDs of texts, each bounded in bytes, and the turns of trainings."""
