"""Architectures of transformers and spandrel, small and with random weights, for exports."""
