"""Patterns that simplify, recognize and fuse layers. `patterns.py` lists them."""
