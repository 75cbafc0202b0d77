"""Passes that keep a part of a model."""
