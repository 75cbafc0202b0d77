"""Single layers as test cases: a line of text each, and the small net that it stands for.

    type  shapes of the inputs | parameters | number of outputs | values of the inputs

Shapes are row-major, parameters as in a `.param` file; a text in single quotes stands for the array
of its characters' codes. One output if no number is given. For values see `values_of`.
"""

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.constant import ConstantOp, data_slot
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.params import DerivedParam, ParamKind, ParamView, Value
from ncnn_opt.dialects.ncnn.structure import shape_of_extents
from ncnn_opt.dialects.ncnn.weight_specs import WeightSlot
from numpy.typing import NDArray

from .nets import fresh

Shape = tuple[int, ...]
Array = NDArray[Any]

INT8_TAG = (0x000D4B38).to_bytes(4, "little")
"""What stands before a tagged int8 weight."""


@dataclass(frozen=True)
class Case:
    """One layer as a line of a `.param` file has it, and its inputs."""

    line: str
    type: str
    inputs: tuple[Shape, ...]
    params: str
    outputs: int
    values: tuple[str, ...]

    @classmethod
    def parse(cls, line: str) -> "Case":
        parts = [part.strip() for part in line.split("|")]
        head, params, outputs, values = [*parts, "", "", ""][:4]
        type_, *shapes = head.split()
        inputs = tuple(tuple(map(int, shape.split("x"))) for shape in shapes)
        if "'" in params:
            id, text, _ = params.split("'")
            codes = ",".join(str(n) for n in (len(text), *map(ord, text)))
            params = f"-{23300 + int(id.strip('='))}={codes}"
        return cls(line, type_, inputs, params, int(outputs or 1), tuple(values.split()))

    def __str__(self) -> str:
        return self.line


@dataclass(frozen=True)
class CaseNet:
    """The net of a case: Input layers and the layer."""

    inputs: dict[str, Array]
    outputs: list[str]
    text: str
    weights: bytes

    def write(self, folder: Path) -> Path:
        """Writes both files; returns the path of the `.param`."""
        path = folder / "net.param"
        fresh(path).write_text(self.text)
        fresh(path.with_suffix(".bin")).write_bytes(self.weights)
        return path


def read_cases(path: Path) -> dict[str, list[Case]]:
    """The cases of a file by section; those before the first one under an empty name."""
    section: list[Case] = []
    sections = {"": section}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("== "):
            section = sections.setdefault(line[3:].partition(":")[0], [])
        elif line and not line.startswith("#"):
            section.append(Case.parse(line))
    return sections


def read_params(cls: type[LayerOp], text: str) -> dict[str, Value]:
    """The parameters of a line, by name."""
    by_id = {param.id: (name, param) for name, param in cls.PARAMS.items()}
    values: dict[str, Value] = {}
    for key, _, value in (token.partition("=") for token in text.split()):
        id = int(key)
        name, param = by_id[id if id > -23300 else -23300 - id]
        match ParamKind.INT if isinstance(param, DerivedParam) else param.kind:
            case ParamKind.INT:
                values[name] = int(value)
            case ParamKind.FLOAT:
                values[name] = float(value)
            case ParamKind.STR:
                values[name] = value.strip('"')
            case ParamKind.INTS:
                values[name] = tuple(int(v) for v in value.split(",")[1:])
            case ParamKind.FLOATS:
                values[name] = tuple(float(v) for v in value.split(",")[1:])
    return values


def view_of(case: Case) -> ParamView:
    """The parameters of a case, defaults resolved."""
    cls = BY_TYPE[case.type]
    return ParamView(cls.PARAMS, read_params(cls, case.params))


def weight_slots(case: Case) -> dict[str, WeightSlot]:
    """The weights that the layer has in a `.bin`."""
    cls, view = BY_TYPE[case.type], view_of(case)
    if cls is ConstantOp:
        return {"value": data_slot(constant_shape(case), view.load_type)}
    dynamic = cls.dynamic_by(view)
    return {name: slot for name, slot in cls.WEIGHTS.items() if slot.when(view) and not dynamic}


def constant_shape(case: Case) -> Shape:
    """The shape that a MemoryData layer says."""
    shape = shape_of_extents(view_of(case))
    assert shape is not None
    return shape


def weight_bytes(case: Case, rng: np.random.Generator) -> bytes:
    """The layer's part of a `.bin`: random values from 0.5 to 1.5, of any sign where that makes
    sense, and int8 where the parameters ask for it."""
    view = view_of(case)
    parts: list[bytes] = []
    for slot in weight_slots(case).values():
        count, form = prod(slot.shape(view)), slot.encoding(view)
        values = rng.uniform(0.5, 1.5, count).astype("f4")
        if not slot.positive:
            values *= rng.choice(np.array([-1, 1], "f4"), count)
        if form == "packed" or getattr(view, slot.quantized_by or "", 0):
            data = b"" if form == "packed" else INT8_TAG
            # Not -128: ncnn quantizes to -127 at least, and some of its kernels rely on that.
            data += rng.bytes(count).replace(b"\x80", b"\x81") + bytes(-count % 4)
        else:
            data = (b"" if form == "plain" else bytes(4)) + values.tobytes()
        parts.append(data)
    return b"".join(parts)


def values_of(spec: str, shape: Shape, rng: np.random.Generator) -> Array:
    """Values of an input: `normal`; `uniform:0.5:2`; `ints:0:9`, both included, as floats; `int8`,
    `int32:0:9` as integers; or a list `=0,-1,nan`, `int32=1,2` that is repeated until the blob is
    full."""
    dtype, is_list, values = spec.partition("=")
    if is_list:
        return np.resize(np.array(values.split(","), "f4"), shape).astype(dtype or "f4")
    kind, *bounds = spec.split(":")
    least, most = (float(b) for b in bounds or ("-127", "127"))
    match kind:
        case "normal":
            return rng.standard_normal(shape).astype("f4")
        case "uniform":
            return rng.uniform(least, most, shape).astype("f4")
        case "ints":
            return rng.integers(int(least), int(most) + 1, shape).astype("f4")
        case _:
            return rng.integers(int(least), int(most) + 1, shape).astype(kind)


def net_of(case: Case) -> CaseNet:
    """The net of a case, with the same random values each time."""
    rng = np.random.default_rng(0)
    specs = [*case.values, *["normal"] * len(case.inputs)]
    inputs = {
        f"in{i}": values_of(spec, shape, rng)
        for i, (shape, spec) in enumerate(zip(case.inputs, specs, strict=False))
    }
    tops = [f"out{i}" for i in range(case.outputs)]
    lines = [f"Input {name} 0 1 {name}" for name in inputs]
    counts = f"{len(inputs)} {len(tops)}"
    lines.append(f"{case.type} layer {counts} {' '.join([*inputs, *tops])} {case.params}")
    if case.type == "Input":  # between layers, for at the head it would be an argument and no more
        lines = ["Noop first 0 0", f"Input in0 0 1 in0 {case.params}", "Noop last 1 1 in0 out0"]
    header = ["7767517", f"{len(lines)} {len(inputs) + len(tops)}"]
    return CaseNet(inputs, tops, "\n".join([*header, *lines, ""]), weight_bytes(case, rng))


def has_layer(ncnn: Any, case: Case) -> bool:
    """Whether the runtime is built with the layer."""
    return ncnn.create_layer(case.type) is not None
