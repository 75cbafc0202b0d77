"""Errors of running a model."""


class RunError(Exception):
    """A model cannot run: an input is missing or has the wrong shape, a layer has no reference
    semantics, or a layer or the runtime refuses its inputs."""
