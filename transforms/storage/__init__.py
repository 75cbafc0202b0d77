"""Passes that change the element type of stored weights."""
