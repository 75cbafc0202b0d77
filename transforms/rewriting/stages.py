"""`-O`: a pipeline of stages. Each stage is a list of passes.

Importing this module does not import xDSL: the help prints the stages.
"""

from typing import NamedTuple


class Stage(NamedTuple):
    """Passes that belong together, in order."""

    name: str
    passes: tuple[str, ...]
    help: str


STAGES = (
    Stage(
        "clean-up",
        ("eliminate-split", "eliminate-batches"),
        "remove Splits and batches that neither the IR nor the runtime needs",
    ),
    Stage("recognize", ("ncnn-recognize",), "replace spelled-out computations by one layer"),
    Stage("fuse", ("canonicalize",), "apply all patterns until none fires; remove unused layers"),
    Stage("restructure", ("pad-channels",), "enlarge layers where that is faster"),
)
"""Recognition precedes fusion: a fusion could consume a part of a spelled-out computation.
`canonicalize` contains all patterns, also the patterns of earlier stages, and leaves nothing to
clean up. Passes that enlarge layers come last: they leave nothing to fuse, and a fused layer is
enlarged once."""

OPTIMIZE = tuple(name for stage in STAGES for name in stage.passes)
"""The passes of `-O`, in order."""


def passes_of(name: str) -> tuple[str, ...]:
    """Return the passes of the stage `name`, or `name` itself if it is a pass."""
    return next((stage.passes for stage in STAGES if stage.name == name), (name,))
