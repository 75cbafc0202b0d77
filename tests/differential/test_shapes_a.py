"""The inferred shapes of single layers of all types, against the runtime's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.blob import UNKNOWN, blob, shape_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp, WeightSlot
from ncnn_opt.dialects.ncnn.params import DerivedParam, Kind, ParamView, Value
from ncnn_opt.dialects.ncnn.structure import shape_of_extents
from ncnn_opt.dialects.ncnn.weights import ElidedAttr
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, f32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

from .runtime import Failure, Runtime

ncnn: Any = pytest.importorskip("ncnn")

Shape = tuple[int, ...]

INT8_TAG = (0x000D4B38).to_bytes(4, "little")
"""What stands before a tagged int8 weight."""


@dataclass(frozen=True)
class Case:
    """One layer as a line of a `.param` file has it, and the shapes of its inputs."""

    line: str
    type: str
    inputs: tuple[Shape, ...]
    params: str
    outputs: int

    @classmethod
    def parse(cls, line: str) -> "Case":
        head, params, outputs = [*(part.strip() for part in line.split("|")), "", ""][:3]
        type_, *shapes = head.split()
        inputs = tuple(tuple(map(int, shape.split("x"))) for shape in shapes)
        if "'" in params:
            id, text, _ = params.split("'")
            codes = ",".join(str(n) for n in (len(text), *map(ord, text)))
            params = f"-{23300 + int(id.strip('='))}={codes}"
        return cls(line, type_, inputs, params, int(outputs or 1))

    def __str__(self) -> str:
        return self.line


def read_cases() -> dict[str, list[Case]]:
    """The cases of `shapes_a.txt`, by section."""
    sections: dict[str, list[Case]] = {}
    section: list[Case] = []
    for line in Path(__file__).with_name("shapes_a.txt").read_text("utf-8").splitlines():
        if line.startswith("== "):
            section = sections.setdefault(line[3:].partition(":")[0], [])
        elif line and not line.startswith("#"):
            section.append(Case.parse(line))
    return sections


CASES = read_cases()


def read_params(cls: type[LayerOp], text: str) -> dict[str, Value]:
    """The parameters of a line, by name."""
    by_id = {param.id: (name, param) for name, param in cls.PARAMS.items()}
    values: dict[str, Value] = {}
    for key, _, value in (token.partition("=") for token in text.split()):
        id = int(key)
        name, param = by_id[id if id > -23300 else -23300 - id]
        match Kind.INT if isinstance(param, DerivedParam) else param.kind:
            case Kind.INT:
                values[name] = int(value)
            case Kind.FLOAT:
                values[name] = float(value)
            case Kind.STR:
                values[name] = value.strip('"')
            case Kind.INTS:
                values[name] = tuple(int(v) for v in value.split(",")[1:])
            case Kind.FLOATS:
                values[name] = tuple(float(v) for v in value.split(",")[1:])
    return values


def view_of(case: Case) -> ParamView:
    cls = BY_TYPE[case.type]
    return ParamView(cls.PARAMS, read_params(cls, case.params))


def weight_slots(case: Case) -> dict[str, WeightSlot]:
    """The weights that the layer has in a `.bin`."""
    cls, view = BY_TYPE[case.type], view_of(case)
    if cls is ConstantOp:
        return {"value": WeightSlot(lambda _: constant_shape(case), False, lambda _: True, False)}
    dynamic = cls.dynamic_by(view)
    return {name: slot for name, slot in cls.WEIGHTS.items() if slot.when(view) and not dynamic}


def constant_shape(case: Case) -> Shape:
    shape = shape_of_extents(view_of(case))
    assert shape is not None
    return shape


def weight_bytes(case: Case, rng: np.random.Generator) -> bytes:
    """The layer's part of a `.bin`: random values, int8 where the parameters ask for it."""
    view = view_of(case)
    parts: list[bytes] = []
    for slot in weight_slots(case).values():
        count, form = prod(slot.shape(view)), slot.form(view)
        values = rng.uniform(0.5, 1.5, count).astype("f4")
        if form == "packed" or getattr(view, slot.quantized_by or "", 0):
            data = b"" if form == "packed" else INT8_TAG
            data += rng.bytes(count) + bytes(-count % 4)
        else:
            data = (b"" if form == "plain" else bytes(4)) + values.tobytes()
        parts.append(data)
    return b"".join(parts)


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
    op = cls.make(data, weights, [UNKNOWN] * case.outputs, {})
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
    if ncnn.create_layer(case.type) is None:
        pytest.skip(f"the runtime is built without {case.type}")
    rng = np.random.default_rng(0)
    inputs = {f"in{i}": rng.random(shape, "f4") for i, shape in enumerate(case.inputs)}
    tops = [f"out{i}" for i in range(case.outputs)]
    bottoms = list(inputs)
    if case.type == "Input":
        inputs, bottoms = {"out0": inputs["in0"]}, []
    lines = [f"Input {name} 0 1 {name}" for name in bottoms]
    counts = f"{len(bottoms)} {len(tops)}"
    lines.append(f"{case.type} layer {counts} {' '.join([*bottoms, *tops])} {case.params}")
    param = folder / "net.param"
    header = ["7767517", f"{len(lines)} {len(bottoms) + len(tops)}"]
    param.write_text("\n".join([*header, *lines, ""]))
    param.with_suffix(".bin").write_bytes(weight_bytes(case, rng))
    blobs = runtime.run(param, inputs, tops)
    return blobs if isinstance(blobs, Failure) else [blobs[top].shape for top in tops]


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


def assert_nothing_wrong(case: Case, actual: Sequence[Shape | None]) -> None:
    """Whatever is known of the inputs, what is inferred from it is so or left open."""
    for inputs in blurred(case.inputs):
        for shape, truth in zip(infer(case, inputs), actual, strict=True):
            if shape is None or truth is None:
                continue
            assert len(shape) == len(truth), f"{shape} from {inputs}"
            right = (n in (DYNAMIC_INDEX, m) for n, m in zip(shape, truth, strict=True))
            assert all(right), f"{shape} from {inputs}"


@pytest.mark.parametrize("case", CASES["exact"], ids=str)
def test_inferred_shape_is_that_of_the_runtime(
    case: Case, runtime: Runtime, tmp_path: Path
) -> None:
    assert infer(case, case.inputs) == run(case, runtime, tmp_path)


@pytest.mark.parametrize("case", CASES["exact"], ids=str)
def test_less_is_inferred_from_less_but_nothing_else(case: Case) -> None:
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


@pytest.mark.parametrize("layer_type", BY_TYPE)
def test_each_layer_type_is_compared_three_times(layer_type: str) -> None:
    compared = [c for section in ("exact", "vague", "silent") for c in CASES[section]]
    assert sum(case.type == layer_type for case in compared) >= 3


@pytest.mark.parametrize("case", CASES["refused"], ids=str)
def test_what_the_runtime_does_not_load_does_not_verify(
    case: Case, runtime: Runtime, tmp_path: Path
) -> None:
    actual = run(case, runtime, tmp_path)
    assert isinstance(actual, Failure)
    assert actual.reason.startswith("load_param")
    with pytest.raises(VerifyException):
        build(case, case.inputs).verify()
