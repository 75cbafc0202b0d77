"""The work of `ncnn-opt` with many models.

On Linux the processes of a batch are forked. So all layers and patterns are imported before the
fork, not once in each process.
"""

from collections.abc import Mapping
from dataclasses import replace

from ..dialects.ncnn import BY_TYPE
from ..driver.optimizer import Optimizer
from .batch import OneModel
from .command_line import CommandLine


def parse(arguments: list[str]) -> CommandLine:
    """Return the command line of one model, and import what all processes need. Raises `UsageError`
    and `OutputError`."""
    command = CommandLine.of(arguments)
    for layer in BY_TYPE.values():
        layer.get_canonicalization_patterns()
    reading = replace(command.request.reading, custom_types_optional=True)
    return command._replace(request=command.request._replace(reading=reading))


def optimize_one(command: CommandLine) -> Mapping[str, tuple[int, int]]:
    """Optimize one model. Raises one of `USER_ERRORS`."""
    change = Optimizer(command.request).optimize()
    if change.before is None or change.after is None:
        return {}
    weights = change.before.weight_bytes, change.after.weight_bytes
    layers = change.before.layers, change.after.layers
    return {"layers": layers, "bytes of weights": weights}


OPTIMIZE_ONE = OneModel(optimize_one, parse, keeps_going=True)
