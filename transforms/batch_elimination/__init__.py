"""Elimination of batches of blobs that a model creates from its own axes."""
