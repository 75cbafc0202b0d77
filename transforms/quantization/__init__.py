"""Passes that quantize layers."""
