"""Costs of models and differences between models, as text, JSON or a page."""
