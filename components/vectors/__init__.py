"""Word vectors: training, loading, uploads, downloads, analogies and similarities."""
