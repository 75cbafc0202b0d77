"""Passes that make layers compute with integers of few bits."""
