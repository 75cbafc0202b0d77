"""`-O`: a pipeline in stages, each a list of passes.

Reading this imports nothing of xDSL: the help says it.
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
        "what a file has and IR or the runtime does not need",
    ),
    Stage("recognize", ("ncnn-recognize",), "one layer for several that spell it out"),
    Stage("fuse", ("canonicalize",), "all patterns until none fires, and no layer left unused"),
    Stage("restructure", ("pad-channels",), "what makes layers larger, where that is faster"),
)
"""Recognition comes before fusions: these take away pieces of what is spelled out. `canonicalize`
has all patterns, also those of the stages before it, and leaves nothing to clean up. What makes
layers larger comes last: it leaves nothing to join, and what is joined before is larger once."""

OPTIMIZE = tuple(name for stage in STAGES for name in stage.passes)
"""What `-O` runs, in order."""


FOR_OWN_RELEASE = (
    "ncnn-for-release{release=own}",
    *OPTIMIZE,
    "ncnn-for-release{release=any}",
)
"""What `-O` runs where no release of the runtime is named: the result runs wherever the model did.
Passes that follow may make all that the newest release has."""


def passes_of(name: str) -> tuple[str, ...]:
    """The passes of a stage; a pass is one by itself."""
    return next((stage.passes for stage in STAGES if stage.name == name), (name,))
