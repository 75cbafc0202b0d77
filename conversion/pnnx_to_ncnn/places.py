"""The place of an operator in the source module, for messages.

PNNX numbers functions (`torch.matmul_17`), and these names mean nothing to a user. Only modules
keep the names of the source, so a message names the modules around an operator.
"""

from collections.abc import Iterator

from xdsl.ir import SSAValue

from ...dialects.pnnx.operations import OperatorOp

MAX_OPERATORS = 1000
"""The most operators that are searched for a named module."""


def place_of(op: OperatorOp) -> str:
    """Return the named modules around an operator of a graph: `behind nn.Linear 'layers.0.q' and
    before nn.Linear 'layers.0.out'`. It is empty without such modules: only modules have the names
    of the source."""
    behind = next(filter(is_named, _around(op, True)), None)
    before = next(filter(is_named, _around(op, False)), None)
    words = [
        f"{word} {found.label()}"
        for word, found in (("behind", behind), ("before", before))
        if found is not None
    ]
    return " and ".join(words)


def is_named(op: OperatorOp) -> bool:
    """Whether an operator is a module with its name in the source: `layers.0.q`."""
    return op.type.data.startswith("nn.") and "." in op.layer.data


def _around(op: OperatorOp, backward: bool) -> Iterator[OperatorOp]:
    """Yield the operators before or behind an operator, the nearest first."""
    seen, wave = {op}, [op]
    while wave and len(seen) < MAX_OPERATORS:
        found: list[OperatorOp] = []
        for each in wave:
            for other in _defining(each) if backward else _using(each):
                if other not in seen:
                    seen.add(other)
                    found.append(other)
        yield from found
        wave = found


def _defining(op: OperatorOp) -> Iterator[OperatorOp]:
    for value in op.inputs:
        if isinstance(value.owner, OperatorOp):
            yield value.owner


def _using(op: OperatorOp) -> Iterator[OperatorOp]:
    results: list[SSAValue] = list(op.outputs)
    for value in results:
        for use in value.uses:
            if isinstance(use.operation, OperatorOp):
                yield use.operation
