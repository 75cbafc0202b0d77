"""Batches of blobs that a model makes of its own, and what it would do without."""
