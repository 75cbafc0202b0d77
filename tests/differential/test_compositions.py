"""Layers that become one without a linear layer: scales and shifts, scalars, activations, constants
that are scalars, and weighted sums. Small models, before and after, in the real runtime."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from .amount import examples, for_each
from .branches import Branches, branches
from .compiler import optimize
from .driver import Trial
from .nets import Array, Net, Params, layer_types
from .runtime import Failure, Runtime

EXAMPLES = examples(125)

PASSES = (
    "fuse-bn-scale",
    "fuse-affine-affine",
    "fuse-activation-activation",
    "fuse-memorydata-binaryop",
    "fuse-binaryop-eltwise",
)
"""The passes that join such layers."""

OPERATIONS = 19
"""Of BinaryOp."""


def test_layers_become_one(runtime: Runtime, tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def check(model: Branches) -> None:
        seen["models"] += 1
        trial = Trial(model.build(), runtime, tmp_path)
        if not trial.is_evidence:
            return
        seen["evidence"] += 1
        seen.update(trial.after(PASSES).rewrites)
        assert trial.after().is_stable()

    for_each(branches(), EXAMPLES, check)
    assert seen["evidence"] > 0.9 * seen["models"], seen
    for name in PASSES:
        assert seen[name] > 0, seen


Activation = tuple[str, Params]

ACTIVATIONS: Sequence[Activation] = (
    ("ReLU", {}),
    ("ReLU", {0: 0.25}),
    ("ReLU", {0: 1.0}),
    ("ReLU", {0: -0.5}),
    ("Clip", {0: 0.0, 1: 6.0}),
    ("Clip", {0: -1.0, 1: 1.0}),
    ("Clip", {0: 0.5, 1: 2.0}),
    ("Clip", {0: -3.0, 1: -0.5}),
    ("Clip", {0: 0.0}),
    ("Clip", {1: 0.75}),
    ("Clip", {0: 2.0, 1: 1.0}),
    ("BinaryOp", {0: 4, 1: 1, 2: 0.0}),
    ("BinaryOp", {0: 4, 1: 1, 2: -0.5}),
    ("BinaryOp", {0: 5, 1: 1, 2: 1.5}),
    ("Sigmoid", {}),
    ("Mish", {}),
    ("HardSwish", {0: 1 / 6}),
)
"""All that an activation can be to another: it bounds, leaks, or does neither."""


KEPT = ((("ReLU", {0: -0.5}), ("Clip", {0: 0.0})),)
"""Pairs that are one activation but for infinities: these Clip makes finite."""

KEPT_IN_HOSTS = (
    *KEPT,
    (("ReLU", {0: 1.0}), ("BinaryOp", {0: 4, 1: 1, 2: -0.5})),
    (("ReLU", {0: 1.0}), ("BinaryOp", {0: 5, 1: 1, 2: 1.5})),
)
"""The same in a host, which has no activation of one bound but ReLU."""


@pytest.mark.parametrize("hosted", [False, True])
def test_pairs_of_activations(hosted: bool, runtime: Runtime, tmp_path: Path) -> None:
    """Each one after each other, of blobs or of what a layer can apply to its output itself."""
    net = Net()
    pairs = [(first, second) for first in ACTIVATIONS for second in ACTIVATIONS]
    edges = np.array([0, 0.5, 0.75, 1, 1.5, 2, 6], "f4")
    around = [np.nextafter(e, e + d) for e in edges for d in (-1, 1)]
    steps = np.linspace(-8, 8, 256 - 4 * len(edges))
    values = np.concatenate([edges, -edges, around, steps]).astype("f4").reshape(1, 1, 256)
    x = net.input("in0", values.shape)
    net.inputs["in0"] = values
    names = [f"x{i}" for i in range(len(pairs))]
    net.layer("Split", x, names)
    for i, ((kind, params), (second, others)) in enumerate(pairs):
        y = names[i]
        if hosted:
            net.tagged(np.ones(1, "f4"))
            y = net.layer("Convolution", y, f"host{i}", {0: 1, 1: 1, 6: 1})
        net.layer(second, net.layer(kind, y, f"first{i}", params), f"second{i}", others)
    param = net.write(tmp_path)
    passes = [
        "eliminate-split",
        *(["fuse-conv-activation"] if hosted else []),
        "fuse-activation-activation",
    ]
    result = optimize(param, tmp_path / "optimized.param", passes)
    before = runtime.run(param, net.inputs, net.outputs)
    after = runtime.run(result, net.inputs, net.outputs)
    assert not isinstance(before, Failure)
    assert not isinstance(after, Failure)

    lines = [line.split() for line in result.read_text().splitlines()]
    made_by = {top: line[0] for line in lines[2:] for top in line[4:]}
    for i, (first, second) in enumerate(pairs):
        expected, pair = before[f"second{i}"], f"{first} then {second}"
        np.testing.assert_allclose(after[f"second{i}"], expected, 1e-6, 1e-7, err_msg=pair)
        # More could be known of what these give, and of what is always the same.
        if first[0] not in ("Mish", "HardSwish") and expected.min() < expected.max():
            alone = f"first{i}" not in made_by
            apart = (first, second) in (KEPT_IN_HOSTS if hosted else KEPT)
            one = is_an_activation(expected, values, first, second)
            assert alone == (one and not apart), pair


def is_an_activation(y: Array, x: Array, first: Activation, second: Activation) -> bool:
    """Whether these are the values of one activation, found by trying."""
    tries = [np.clip(x, y.min(), y.max()), np.where(x > 0, x, x * y.flat[x.argmin()] / x.min())]
    tries += [values_of(kind, x) for kind, _ in (first, second)]
    return any(np.allclose(y, values, 1e-5, 1e-6) for values in tries)


def values_of(kind: str, x: Array) -> NDArray[Any]:
    """What an activation gives that is no straight line with bends."""
    match kind:
        case "Sigmoid":
            return 1 / (1 + np.exp(-x))
        case "Mish":
            return x * np.tanh(np.log1p(np.exp(x)))
        case "HardSwish":
            return x * np.clip(x / 6 + 0.5, 0, 1)
        case _:
            return np.full_like(x, np.nan)


@pytest.mark.parametrize("first", [False, True])
def test_constant_of_one_element(first: bool, runtime: Runtime, tmp_path: Path) -> None:
    """Every operation of BinaryOp, with the constant as second and as first operand."""
    net = Net()
    x = net.input("in0", (3, 4, 5))
    net.inputs["in0"] = net.positive(3, 4, 5)
    names = [f"x{i}" for i in range(OPERATIONS)]
    net.layer("Split", x, names)
    for i, name in enumerate(names):
        constant = net.constant(f"c{i}", np.full((1,) * (1 + i % 3), 0.6 + i / 10, "f4"))
        operands = [constant, name] if first else [name, constant]
        net.layer("BinaryOp", operands, f"y{i}", {0: i})
    param = net.write(tmp_path)
    passes = ["fuse-memorydata-binaryop"]
    result = optimize(param, tmp_path / "optimized.param", passes)
    assert Counter(layer_types(result)) == {"Input": 1, "Split": 1, "BinaryOp": OPERATIONS}
    before = runtime.run(param, net.inputs, net.outputs)
    after = runtime.run(result, net.inputs, net.outputs)
    assert not isinstance(before, Failure)
    assert not isinstance(after, Failure)
    for name, expected in before.items():
        assert np.isfinite(expected).all()
        np.testing.assert_allclose(after[name], expected, 1e-6, err_msg=name)
