"""What sessions share: tables, tokenizers, the IDs of texts, trained attention heads, each bounded in bytes."""
