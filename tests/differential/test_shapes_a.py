"""The inferred shapes of layers that move, resample, pool and reduce, against the runtime's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.blob import UNKNOWN, blob, shape_of
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.params import DerivedParam, Kind, ParamView, Value
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

ncnn: Any = pytest.importorskip("ncnn")

Shape = tuple[int, ...]


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


def weight_shapes(case: Case) -> dict[str, Shape]:
    cls = BY_TYPE[case.type]
    view = ParamView(cls.PARAMS, read_params(cls, case.params))
    return {name: slot.shape(view) for name, slot in cls.WEIGHTS.items() if slot.when(view)}


def build(case: Case, inputs: Sequence[Shape | None]) -> LayerOp:
    """The operation of a case, with these shapes of its inputs."""
    cls = BY_TYPE[case.type]
    data: list[SSAValue] = [create_ssa_value(blob(shape)) for shape in inputs]
    weights = {n: create_ssa_value(blob(shape)) for n, shape in weight_shapes(case).items()}
    op = cls.make(data, weights, [UNKNOWN] * case.outputs, {})
    op.init_params(read_params(cls, case.params))
    return op


def infer(case: Case, inputs: Sequence[Shape | None]) -> list[Shape | None]:
    """The inferred shapes of the outputs, `None` where nothing is known."""
    op = build(case, inputs)
    op.verify()
    types = op.infer_types()
    if types is None:
        return [None] * case.outputs
    assert len(types) == case.outputs
    return [shape_of(type_) for type_ in types]


def load(case: Case) -> tuple[Any, int]:
    """A net of Input layers and the layer, and what the runtime says to it: 0 for success."""
    if ncnn.create_layer(case.type) is None:
        pytest.skip(f"the runtime is built without {case.type}")
    tops = [f"out{i}" for i in range(case.outputs)]
    bottoms = [f"in{i}" for i in range(len(case.inputs))]
    lines = [f"Input {b} 0 1 {b}" for b in bottoms]
    counts = f"{len(bottoms)} {len(tops)}"
    lines.append(f"{case.type} layer {counts} {' '.join([*bottoms, *tops])} {case.params}")
    net = ncnn.Net()
    net.opt.use_fp16_packed = False
    net.opt.use_fp16_storage = False
    net.opt.use_fp16_arithmetic = False
    net.opt.use_bf16_packed = False
    net.opt.use_bf16_storage = False
    net.opt.num_threads = 1
    text = "\n".join(["7767517", f"{len(lines)} {len(bottoms) + len(tops)}", *lines, ""])
    return net, net.load_param_mem(text)


def run(case: Case) -> list[Shape]:
    """The shapes of the outputs that the runtime computes."""
    rng = np.random.default_rng(0)
    net, status = load(case)
    assert status == 0
    weights = [rng.random(shape, "f4").tobytes() for shape in weight_shapes(case).values()]
    net.load_model_mem(b"".join(weights))
    extractor = net.create_extractor()
    for i, shape in enumerate(case.inputs):
        array = rng.random(shape, "f4")  # a Mat does not keep its array alive: clone it before
        extractor.input(f"in{i}", ncnn.Mat(array).clone())
    shapes: list[Shape] = []
    for i in range(case.outputs):
        status, mat = extractor.extract(f"out{i}")
        assert status == 0
        shapes.append(np.array(mat).shape)
    return shapes


def blurred(inputs: Sequence[Shape]) -> Iterator[list[Shape | None]]:
    """These shapes with each set of their extents unknown, then each set of their ranks."""
    extents = [n for shape in inputs for n in shape]
    for hidden in product((False, True), repeat=len(extents)):
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
def test_inferred_shape_is_that_of_the_runtime(case: Case) -> None:
    assert infer(case, case.inputs) == run(case)


@pytest.mark.parametrize("case", CASES["exact"], ids=str)
def test_less_is_inferred_from_less_but_nothing_else(case: Case) -> None:
    assert_nothing_wrong(case, infer(case, case.inputs))


@pytest.mark.parametrize("case", CASES["vague"], ids=str)
def test_inferred_rank_is_that_of_the_runtime(case: Case) -> None:
    assert None not in infer(case, case.inputs)
    assert_nothing_wrong(case, run(case))


@pytest.mark.parametrize("case", CASES["refused"], ids=str)
def test_what_the_runtime_does_not_load_does_not_verify(case: Case) -> None:
    assert load(case)[1] != 0
    with pytest.raises(VerifyException):
        build(case, case.inputs).verify()
