"""Token IDs become vectors: tables, positions, one-hot products, an attention head."""
