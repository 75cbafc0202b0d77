"""The inferred shapes of single layers of all types, against the runtime's."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.blob import UNRANKED, agree, blob, shape_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.weights import ElidedAttr
from ncnn_opt.dialects.shapes.analysis import shape_in
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

from .layer_cases import (
    Case,
    Shape,
    constant_shape,
    has_layer,
    net_of,
    read_cases,
    read_params,
    view_of,
    weight_slots,
)
from .runtime import Failure, Runtime

ncnn: Any = pytest.importorskip("ncnn")

CASES = read_cases(Path(__file__).with_name("shapes_a.txt"))

NOT_BUILT: dict[str, list[Shape]] = {
    "ArgMax": [(1, 1), (2, 3), (1, 2)],
    "SPP": [(2, 1, 1), (2, 1, 21), (2, 1, 5)],
}
"""Layers that ncnn leaves out of the library unless it is told to build them (`OFF` in its
src/CMakeLists.txt), so that the package has none to compare with; and the shapes that a build with
them gives for their cases."""

MISFITS = [
    Case.parse(line)
    for line in (
        "BinaryOp 8x3x5 6x3x5",
        "BinaryOp 4x5 3x5",
        "Concat 2x4 3x5",
        "Concat 2x3x5 2x4x4 | 0=2",
        "Eltwise 2x3x4 2x3x5",
        "Einsum 3x4 2 | 0='ij,i->ij'",
        "MatMul 2x3x5 4x5x2",
        "MVN 3x5",
        "Pooling 2x3x4x4 | 7=1 8=4",
        "Reshape 24 | 0=6",
        "Reshape 7x6 | 0=4 1=7",
    )
]
"""Layers with blobs that do not fit: no model means that, but the runtime takes it."""


REFUSED = [
    Case.parse(line)
    for line in (
        "Convolution 4x5x5 | 0=2 1=3 6=54",
        "Convolution 1x3x5x5 | 0=2 1=3 6=54",
        "Convolution1D 4x9 | 0=2 1=3 6=18",
        "ConvolutionDepthWise 4x5x5 | 0=6 1=3 6=54 7=6",
        "Deconvolution 4x5x5 | 0=2 1=3 6=54",
        "InnerProduct 3x4x4 | 0=2 2=80",
        "BatchNorm 4x5x5 | 0=3",
        "Scale 4x5x5 | 0=3",
        "PReLU 4x5x5 | 0=3",
        "LayerNorm 4x5x5 | 0=6",
        "RMSNorm 4x5 | 0=6",
        "GroupNorm 6x5x5 | 0=2 1=4",
        "InstanceNorm 6x5x5 | 0=4",
        "Gemm 4x5 | 3=1 5=1 8=2 9=6 10=-1",
        "LSTM 4x5 | 0=2 1=48",
        "GRU 4x5 | 0=2 1=36",
        "LSTM 4x6 1x4 1x4 | 0=3 1=72 | 3",
        "LSTM 4x6 3 6 | 0=3 1=72 | 3",
        "LSTM 4x6 1x1x3 1x2x3 | 0=3 1=72 | 3",
        "LSTM 4x6 1x3 1x3 | 0=3 1=144 2=2 | 3",
        "LSTM 4x6 2x3 6 | 0=3 1=144 2=2 | 3",
        "LSTM 4x6 1x6 1x6 | 0=3 1=144 3=6 | 3",
        "GRU 4x6 1x4 | 0=3 1=54 | 2",
        "GRU 4x6 1x3 | 0=3 1=108 2=2 | 2",
        "RNN 4x6 6 | 0=3 1=36 2=2 | 2",
        "Slice 1x8 | -23300=2,-233,-233 | 2",
        "Slice 5x4 | -23300=2,3,3 | 2",
        "Slice 5x4 | -23300=2,5,-233 | 2",
        "Slice 4x5 | -23302=1,6 1=1 | 2",
        "Slice 4x5 | -23302=1,-5 1=-1 | 2",
        "Slice 4x5 | -23300=2,2,-233 1=2 | 2",
        "MultiHeadAttention 4x5 | 0=6 1=2 2=36",
        "BinaryOp 4x5x5 3x5x5",
        "Concat 4x5x5 3x5x4",
        "MatMul 2x3x5 2x4x2",
        "Reshape 24 | 0=6 1=5",
        "Reshape 24 | 0=-1 1=5",
    )
]
"""Layers with blobs that weights, constants or each other contradict."""


def build(case: Case, inputs: Sequence[Shape | None]) -> LayerOp:
    """The operation of a case, with these shapes of its inputs."""
    cls, view = BY_TYPE[case.type], view_of(case)
    if cls is ConstantOp:
        return ConstantOp.of(ElidedAttr(), TensorType(f32, constant_shape(case)))
    data: list[SSAValue] = [create_ssa_value(blob(shape)) for shape in inputs]
    weights: dict[str, SSAValue] = {
        name: ConstantOp.of(ElidedAttr(), TensorType(f32, slot.shape(view))).output
        for name, slot in weight_slots(case).items()
    }
    if cls.dynamic_by(view):  # inputs as well, behind the others
        most = cls.NUM_INPUTS[1]
        weights = dict(zip(cls.WEIGHTS, data[most:], strict=False))
        data = data[:most]
    op = cls.make(data, weights, [UNRANKED] * case.outputs, {})
    op.init_params(read_params(cls, case.params))
    return op


def infer(case: Case, inputs: Sequence[Shape | None]) -> list[Shape | None]:
    """The inferred shapes of the outputs, `None` where nothing is known."""
    op = build(case, inputs)
    op.verify()
    types = op.result_types if isinstance(op, ConstantOp) else op.infer_types()
    if types is None:
        return [None] * case.outputs
    assert len(types) == case.outputs
    return [shape_of(type_) for type_ in types]


def run(case: Case, runtime: Runtime, folder: Path) -> list[Shape] | Failure:
    """The shapes of the outputs that the runtime computes from Input layers and the layer."""
    if case.type in NOT_BUILT and not has_layer(ncnn, case):
        pytest.skip(f"the runtime is built without {case.type}")
    net = net_of(case)
    blobs = runtime.run(net.write(folder), net.inputs, net.outputs)
    return blobs if isinstance(blobs, Failure) else [blobs[top].shape for top in net.outputs]


def blurred(inputs: Sequence[Shape]) -> Iterator[list[Shape | None]]:
    """These shapes with each set of their extents unknown (of many extents only sets that leave
    out, or are, at most two), then each set of their ranks."""
    extents = [n for shape in inputs for n in shape]
    for hidden in product((False, True), repeat=len(extents)):
        if len(extents) > 8 and 2 < sum(hidden) < len(extents) - 2:
            continue
        left = iter(DYNAMIC_INDEX if h else n for n, h in zip(extents, hidden, strict=True))
        yield [tuple(next(left) for _ in shape) for shape in inputs]
    for hidden in product((False, True), repeat=len(inputs)):
        yield [None if h else shape for shape, h in zip(inputs, hidden, strict=True)]


def by_type(*sections: str) -> pytest.MarkDecorator:
    """One test for all cases of a layer type: a test for each would take longer than the case."""
    types: dict[str, list[Case]] = {}
    for section in sections:
        for case in CASES[section]:
            types.setdefault(case.type, []).append(case)
    return pytest.mark.parametrize("cases", types.values(), ids=types.keys())


def assert_nothing_wrong(case: Case, actual: Sequence[Shape | None]) -> None:
    """Whatever is known of the inputs, what is inferred from it is so or left open."""
    for inputs in blurred(case.inputs):
        for shape, truth in zip(infer(case, inputs), actual, strict=True):
            assert agree(shape, truth), f"{case}: {shape} from {inputs}"


@by_type(*CASES)
def test_no_shape_is_refused_that_the_runtime_computes_with(cases: list[Case]) -> None:
    for case in cases:
        for inputs in (case.inputs, *blurred(case.inputs)):
            if inputs:
                extents = [None if shape is None else shape_in(shape) for shape in inputs]
                assert build(case, inputs).contract_violation(extents) is None, (str(case), inputs)


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_what_weights_and_constants_contradict_is_refused(case: Case) -> None:
    assert build(case, case.inputs).contract_violation(list(case.inputs)) is not None
    assert build(case, case.inputs).contract_violation([None] * len(case.inputs)) is None


@by_type("exact")
def test_inferred_shape_is_that_of_the_runtime(
    cases: list[Case], runtime: Runtime, tmp_path: Path
) -> None:
    for case in cases:
        assert infer(case, case.inputs) == run(case, runtime, tmp_path), str(case)


@pytest.mark.parametrize("layer_type", NOT_BUILT)
def test_inferred_shape_is_that_of_a_build_with_the_layer(layer_type: str) -> None:
    cases = [case for case in CASES["exact"] if case.type == layer_type]
    assert [infer(case, case.inputs) for case in cases] == [[s] for s in NOT_BUILT[layer_type]]


@by_type("exact")
def test_less_is_inferred_from_less_but_nothing_else(cases: list[Case]) -> None:
    for case in cases:
        assert_nothing_wrong(case, infer(case, case.inputs))


@pytest.mark.parametrize("case", CASES["vague"], ids=str)
def test_inferred_rank_is_that_of_the_runtime(case: Case, runtime: Runtime, tmp_path: Path) -> None:
    assert None not in infer(case, case.inputs)
    actual = run(case, runtime, tmp_path)
    assert not isinstance(actual, Failure), actual
    assert_nothing_wrong(case, actual)


@pytest.mark.parametrize("case", CASES["silent"], ids=str)
def test_nothing_is_inferred_where_data_decide_on_the_rank(
    case: Case, runtime: Runtime, tmp_path: Path
) -> None:
    assert infer(case, case.inputs) == [None] * case.outputs
    assert not isinstance(run(case, runtime, tmp_path), Failure)


def test_each_layer_type_is_compared_three_times() -> None:
    compared = {c.line: c.type for section in ("exact", "vague", "silent") for c in CASES[section]}
    counts = Counter(compared.values())
    assert [layer_type for layer_type in BY_TYPE if counts[layer_type] < 3] == []


@pytest.mark.parametrize("case", MISFITS, ids=str)
def test_nothing_wrong_is_inferred_of_what_does_not_fit(
    case: Case, expendable: Runtime, tmp_path: Path
) -> None:
    actual = run(case, expendable, tmp_path)
    assert not isinstance(actual, Failure), actual
    assert_nothing_wrong(case, actual)


def with_others(case: Case, rng: Random) -> tuple[list[Shape], Case]:
    """The inputs without one or two of their extents, and the case with others in these places,
    whether they fit or not."""
    places = [(i, j) for i, shape in enumerate(case.inputs) for j in range(len(shape))]
    vague, other = ([[*shape] for shape in case.inputs] for _ in range(2))
    for i, j in rng.sample(places, min(len(places), rng.randint(1, 2))):
        n = other[i][j]
        vague[i][j], other[i][j] = DYNAMIC_INDEX, rng.choice([1, max(n - 1, 1), n + 1, 2 * n])
    return [*map(tuple, vague)], replace(case, inputs=tuple(map(tuple, other)))


def test_what_is_inferred_holds_whatever_the_unknown_extents_are(
    expendable: Runtime, tmp_path: Path
) -> None:
    compared, wrong = 0, list[str]()
    for case in [*CASES["exact"], *CASES["vague"]]:
        # Attention counts on a cache that it made, and SDPA divides by a number of heads.
        attends = case.type in ("MultiHeadAttention", "SDPA")
        if attends or not case.inputs or not has_layer(ncnn, case):
            continue
        rng = Random(case.line)
        for _ in range(2):
            vague, other = with_others(case, rng)
            actual = run(other, expendable, tmp_path)
            if isinstance(actual, Failure) or (0,) in actual:  # nothing comes out
                continue
            for inputs in (vague, other.inputs):
                for shape, truth in zip(infer(case, inputs), actual, strict=True):
                    if not agree(shape, truth):
                        wrong.append(f"{case}: {shape} from {inputs}, but {truth}")
            compared += 1
    assert not wrong
    assert compared > 1000


@pytest.mark.parametrize("case", CASES["refused"], ids=str)
def test_what_the_runtime_does_not_load_does_not_verify(
    case: Case, runtime: Runtime, tmp_path: Path
) -> None:
    actual = run(case, runtime, tmp_path)
    assert isinstance(actual, Failure)
    assert actual.reason.startswith("load_param")
    with pytest.raises(VerifyException):
        build(case, case.inputs).verify()
