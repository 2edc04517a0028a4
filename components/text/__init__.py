"""Text becomes token IDs: tokenizers, byte-pair encoding, vocabulary, windows and batches."""
