"""Weights as integers, for layers that need no scales of their inputs: these are floats, or the
runtime quantizes them as they come."""
