"""What can go wrong when a model runs."""


class RunError(Exception):
    """A model cannot be run: an input is missing or has another shape, nothing here computes one
    of its layers, a layer does not take the blobs that it gets, or the runtime refuses it."""
