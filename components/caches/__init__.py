"""What sessions share: token embedding tables, tokenizers and the IDs of texts, each bounded in bytes."""
