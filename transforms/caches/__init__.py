"""Passes on decoders that carry keys and values from call to call."""
