"""Dynamic shapes for a model that was exported at a fixed size."""
