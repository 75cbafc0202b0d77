"""Passes from one dialect to another."""
