"""`canonicalize`, which can be restricted to the rewrites of some passes."""

from dataclasses import dataclass
from difflib import get_close_matches

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.transforms.canonicalize import CanonicalizePass

from .rewriting.passes import PASSES
from .rewriting.pattern_pass import apply_patterns


@dataclass(frozen=True)
class Canonicalize(CanonicalizePass):
    """Apply all canonicalization patterns. With `enable`, make only the rewrites of these passes,
    for example `enable=fuse-conv-bn,fuse-conv-activation`.

    The patterns of several passes are applied together, in the order of `canonicalize`, until none
    matches: one pass may need the result of another. A pass alone, such as `fuse-conv-bn`, makes
    the rewrites of `canonicalize{enable=fuse-conv-bn}`.
    """

    name = "canonicalize"
    enable: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise `ValueError` for a name that is not a pass of patterns of `canonicalize`."""
        for name in self.enable:
            patterns = PASSES[name].make_patterns() if name in PASSES else ()
            if not patterns or not {type(each) for each in patterns} <= {*_canonical_order()}:
                near = get_close_matches(name, PASSES, 1) if name not in PASSES else ()
                hint = f"did you mean '{near[0]}'?" if near else "ncnn-opt --list-passes lists them"
                raise ValueError(f"canonicalize has no patterns of '{name}'; {hint}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.enable:
            super().apply(ctx, op)
            return
        order, rows = _canonical_order(), [PASSES[name] for name in self.enable]
        for name in dict.fromkeys(row.prerequisite for row in rows):
            if name is not None:
                PASSES[name].load()().apply(ctx, op)
        patterns = [pattern for row in rows for pattern in row.make_patterns()]
        patterns.sort(key=lambda pattern: order.index(type(pattern)))
        apply_patterns(op, patterns, *self.enable)


def _canonical_order() -> list[type]:
    from .canonicalization.patterns import ALL

    return [type(pattern) for pattern in ALL]
