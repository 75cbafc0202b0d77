"""The runtime reads from a `.bin` what the declarations say: for each layer with weights a file is
made from its declaration alone, with a Bias behind it whose output tells where the runtime was.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE
from ncnn_opt.dialects.ncnn.constant import data_slot
from ncnn_opt.dialects.ncnn.params import ParamView, Value
from ncnn_opt.formats.weight_storage import BinEncoding

pytest.importorskip("ncnn")

FLOAT, HALF, BFLOAT, INT8 = "float", "half", "bfloat", "int8"
SCALED, TABLE = "scaled", "table"

TAGS = {
    FLOAT: 0,
    HALF: 0x01306B47,
    BFLOAT: 0x01348B83,
    INT8: 0x000D4B38,
    SCALED: 0x0002C056,
    TABLE: 0x00000001,
}
"""The word before a tagged weight, by how its elements are stored (ncnn's src/modelbin.cpp)."""

TAIL = (11.25, -7.5, 3.125)
"""The values of the Bias that stands behind the layer."""


@dataclass(frozen=True)
class Case:
    """A layer as a `.param` line has it, and how its tagged weights are stored."""

    layer_type: str
    what: str
    params: Mapping[int, int | float]
    storage: Mapping[str, str] = field(default_factory=dict[str, str])
    inputs: int = 1
    outputs: int = 1

    def __str__(self) -> str:
        return f"{self.layer_type}-{self.what}"


def cases_of(
    layer_type: str, *variants: tuple[str, Mapping[int, int | float]], inputs: int = 1
) -> list[Case]:
    return [Case(layer_type, what, params, inputs=inputs) for what, params in variants]


def convolutions() -> list[Case]:
    """All kinds, with 3 outputs of 5 inputs, or 6 of 4 in 2 groups, so that sizes are odd."""
    kinds = {
        "Convolution": (9, {1: 3}, 19),
        "Convolution1D": (3, {1: 3}, 19),
        "Convolution3D": (27, {1: 3}, None),
        "Deconvolution": (6, {1: 3, 11: 2}, 28),
        "Deconvolution1D": (3, {1: 3}, 28),
        "Deconvolution3D": (12, {1: 3, 11: 2, 21: 2}, None),
        "DeformableConv2D": (9, {1: 3}, None),
    }
    cases: list[Case] = []
    for layer_type, (kernel, params, dynamic) in kinds.items():
        inputs = 2 if layer_type == "DeformableConv2D" else 1
        dense = {0: 3, **params, 6: 3 * 5 * kernel}
        cases += [
            Case(layer_type, "plain", dense, inputs=inputs),
            Case(layer_type, "bias", {**dense, 5: 1}, inputs=inputs),
            Case(layer_type, "half", {**dense, 5: 1}, {"weight": HALF}, inputs=inputs),
        ]
        if dynamic is not None:
            cases += [
                Case(layer_type, "dynamic", {**dense, dynamic: 1}, inputs=2),
                Case(layer_type, "dynamic-bias", {**dense, 5: 1, dynamic: 1}, inputs=3),
            ]
        if layer_type == "DeformableConv2D":
            continue
        grouped = layer_type.replace("volution", "volutionDepthWise")
        each = {0: 6, **params, 6: 6 * 2 * kernel, 7: 2}
        cases += [
            Case(grouped, "group", each),
            Case(grouped, "group-bias-half", {**each, 5: 1}, {"weight": HALF}),
            Case(grouped, "depthwise", {0: 3, **params, 6: 3 * kernel, 7: 3, 5: 1}),
        ]
        if dynamic is not None:
            cases.append(Case(grouped, "dynamic-bias", {**each, 5: 1, dynamic: 1}, inputs=3))
    return cases


def quantized_convolutions() -> list[Case]:
    dense = {0: 3, 1: 3, 6: 3 * 5 * 9, 5: 1}
    cases = [
        Case("Convolution", "quantized-while-loading", {**dense, 8: 2}),
        Case("Convolution", "int8", {**dense, 8: 2}, {"weight": INT8}),
        Case("Convolution", "int8-no-bias", {**dense, 5: 0, 8: 2}, {"weight": INT8}),
        Case("Convolution", "int8-to-int8", {**dense, 8: 102}, {"weight": INT8}),
        Case("Convolution", "bfloat", dense, {"weight": BFLOAT}),
        Case("Convolution", "scaled", dense, {"weight": SCALED}),
        Case("Convolution", "table", dense, {"weight": TABLE}),
    ]
    each, group = {0: 3, 1: 3, 6: 3 * 9, 7: 3, 5: 1}, {0: 6, 1: 3, 6: 6 * 2 * 9, 7: 2}
    for term in (1, 2, 101, 102):
        cases += [
            Case("ConvolutionDepthWise", f"{term}", {**each, 8: term}, {"weight": INT8}),
            Case("ConvolutionDepthWise", f"group-{term}", {**group, 8: term}, {"weight": INT8}),
        ]
    return cases


def recurrent() -> list[Case]:
    int8 = {"weight_xc": INT8, "weight_hc": INT8}
    halves = {"weight_xc": HALF, "bias_c": HALF, "weight_hc": HALF}
    cases: list[Case] = []
    for layer_type, gates in (("RNN", 1), ("LSTM", 4), ("GRU", 3)):
        for direction in (0, 1, 2):
            params = {0: 3, 1: 3 * gates * 5 * (2 if direction == 2 else 1), 2: direction}
            cases += [
                Case(layer_type, f"direction{direction}", params),
                Case(layer_type, f"int8-direction{direction}", {**params, 8: 1}, int8),
            ]
        states = 3 if layer_type == "LSTM" else 2
        params = {0: 3, 1: 3 * gates * 5}
        cases += [
            Case(layer_type, "half", params, halves),
            Case(layer_type, "states", params, inputs=states, outputs=states),
        ]
    for what, direction in (("projection", 0), ("projection-both", 2)):
        params = {0: 3, 1: 7 * 4 * 5 * (2 if direction else 1), 2: direction, 3: 7}
        cases += [
            Case("LSTM", what, params),
            Case("LSTM", f"{what}-int8", {**params, 8: 1}, int8),
            Case("LSTM", f"{what}-half", params, {**halves, "weight_hr": HALF}),
        ]
    cases.append(Case("LSTM", "hidden-size-as-outputs", {0: 3, 1: 3 * 4 * 5, 3: 3}))
    return cases


BLOCK_TERMS = (400, 401, 402, 410, 412, 600, 611, 602, 800, 810, 801)


def matrices() -> list[Case]:
    m, n, k = 5, 7, 67  # more than two blocks of 32, one and a bit of 64
    extents = {7: m, 8: n, 9: k}
    cases = [
        Case("Gemm", "blobs", {}, inputs=2),
        Case("Gemm", "A", {**extents, 4: 1}),
        Case("Gemm", "A-transposed", {**extents, 4: 1, 2: 1}),
        Case("Gemm", "B", {**extents, 5: 1}),
        Case("Gemm", "B-transposed", {**extents, 5: 1, 3: 1}),
        Case("Gemm", "A-B", {**extents, 4: 1, 5: 1, 3: 1}),
        Case("Gemm", "B-no-C", {**extents, 5: 1, 3: 1, 6: 1, 10: -1}),
        Case("Gemm", "A-B-C", {**extents, 4: 1, 5: 1, 6: 1, 10: 3}, inputs=0),
        Case("Gemm", "half", {**extents, 5: 1, 6: 1, 10: 3}, {"B": HALF, "C": HALF}),
        Case("Gemm", "A-int8", {**extents, 4: 1, 18: 2}, {"A": INT8}),
        Case("Gemm", "B-int8", {**extents, 5: 1, 3: 1, 18: 2}, {"B": INT8}),
        Case("Gemm", "A-B-int8", {**extents, 4: 1, 5: 1, 18: 2}, {"A": INT8, "B": INT8}),
        Case("Gemm", "B-C-int8", {**extents, 5: 1, 3: 1, 6: 1, 10: 4, 18: 2}, {"B": INT8}),
    ]
    for broadcast in range(5):
        params = {**extents, 5: 1, 3: 1, 6: 1, 10: broadcast}
        cases.append(Case("Gemm", f"C{broadcast}", params))
    for term in BLOCK_TERMS:
        params = {**extents, 5: 1, 3: 1, 18: term}
        cases += [
            Case("Gemm", f"block{term}", params),
            Case("Gemm", f"block{term}-C", {**params, 6: 1, 10: 4}, {"C": HALF}),
        ]
    return cases


def attention() -> list[Case]:
    matrices: list[str] = ["q_weight", "k_weight", "v_weight", "out_weight"]
    int8, half = dict.fromkeys(matrices, INT8), dict.fromkeys(matrices, HALF)
    embed, qdim = 6, 35
    plain = {0: embed, 1: 3, 2: embed * qdim}
    others = {**plain, 3: 5, 4: 67}
    cases = [
        Case("MultiHeadAttention", "plain", plain),
        Case("MultiHeadAttention", "kdim-vdim", others, inputs=3),
        Case("MultiHeadAttention", "half", others, half, inputs=3),
        Case("MultiHeadAttention", "mask-cache", {**plain, 5: 1, 7: 1}, inputs=4, outputs=3),
        Case("MultiHeadAttention", "int8", {**plain, 18: 2}, int8),
        Case("MultiHeadAttention", "kdim-vdim-int8", {**others, 18: 2}, int8, inputs=3),
    ]
    for term in BLOCK_TERMS:
        cases += [
            Case("MultiHeadAttention", f"block{term}", {**plain, 18: term}),
            Case("MultiHeadAttention", f"kdim-vdim-block{term}", {**others, 18: term}, inputs=3),
        ]
    return cases


def others() -> list[Case]:
    dense, table = {0: 3, 2: 15}, {0: 3, 1: 7, 3: 21}
    return [
        *cases_of("BatchNorm", ("plain", {0: 3}), ("eps", {0: 5, 1: 0.5})),
        *cases_of("Bias", ("plain", {0: 5})),
        *cases_of("PReLU", ("one", {0: 1}), ("more", {0: 3})),
        *cases_of("Scale", ("plain", {0: 3}), ("bias", {0: 3, 1: 1})),
        *cases_of("Scale", ("dynamic", {0: -233}), ("dynamic-bias", {0: -233, 1: 1}), inputs=2),
        *cases_of("Normalize", ("plain", {3: 3}), ("one", {1: 1, 3: 1})),
        *cases_of("Padding", ("plain", {0: 1}), ("channels", {0: 1, 6: 3})),
        *cases_of("LayerNorm", ("plain", {0: 3}), ("not-affine", {0: 3, 2: 0})),
        *cases_of("RMSNorm", ("plain", {0: 3}), ("not-affine", {0: 3, 2: 0})),
        *cases_of("GroupNorm", ("plain", {0: 1, 1: 3}), ("not-affine", {0: 1, 1: 3, 3: 0})),
        *cases_of("InstanceNorm", ("plain", {0: 3}), ("not-affine", {0: 3, 2: 0})),
        *cases_of("Quantize", ("one", {}), ("more", {0: 3})),
        *cases_of("Dequantize", ("one", {}), ("more", {0: 3, 1: 3}), ("mixed", {0: 3, 1: 1})),
        *cases_of("Requantize", ("one", {}), ("more", {0: 3, 1: 5, 2: 7}), ("in", {0: 3})),
        *cases_of("InnerProduct", ("plain", dense), ("bias", {**dense, 1: 1})),
        Case("InnerProduct", "half", {**dense, 1: 1}, {"weight": HALF}),
        Case("InnerProduct", "table", {**dense, 1: 1}, {"weight": TABLE}),
        Case("InnerProduct", "quantized-while-loading", {**dense, 1: 1, 8: 2}),
        Case("InnerProduct", "int8", {**dense, 1: 1, 8: 2}, {"weight": INT8}),
        Case("InnerProduct", "int8-no-bias", {**dense, 8: 2}, {"weight": INT8}),
        *cases_of("Embed", ("plain", table), ("bias", {**table, 2: 1})),
        Case("Embed", "half", {**table, 2: 1}, {"weight": HALF}),
        Case("Embed", "int8", {**table, 18: 2}, {"weight": INT8}),
        Case("Embed", "int8-bias", {**table, 2: 1, 18: 2}, {"weight": INT8}),
    ]


def constants() -> list[Case]:
    cases: list[Case] = []
    for extents in ({0: 5}, {0: 5, 1: 3}, {0: 5, 1: 3, 2: 7}, {0: 5, 1: 3, 11: 2, 2: 7}):
        rank = f"{len(extents)}d"
        cases += [
            Case("MemoryData", rank, extents, inputs=0),
            Case("MemoryData", f"{rank}-tagged", {**extents, 21: 0}, inputs=0),
            Case("MemoryData", f"{rank}-half", {**extents, 21: 0}, {"value": HALF}, inputs=0),
        ]
    return cases


CASES = [
    *convolutions(),
    *quantized_convolutions(),
    *recurrent(),
    *matrices(),
    *attention(),
    *others(),
    *constants(),
]


@dataclass(frozen=True)
class Weight:
    """A weight of a file, from the declaration."""

    name: str
    shape: tuple[int, ...]
    form: BinEncoding
    positive: bool = False

    def to_bytes(self, rng: np.random.Generator, storage: str) -> bytes:
        """Random values as a `.bin` holds them, up to the next multiple of 4 bytes."""
        count = prod(self.shape)
        if self.form == "packed":
            return rng.bytes(count) + bytes(-count % 4)
        values = (rng.random(count) + (0.5 if self.positive else -0.5)).astype("<f4")
        if self.form == "plain":
            assert storage == FLOAT
            return values.tobytes()
        data = {
            FLOAT: values.tobytes(),
            SCALED: values.tobytes(),
            HALF: values.astype("<f2").tobytes(),
            BFLOAT: (values.view("<u4") >> 16).astype("<u2").tobytes(),
            INT8: rng.integers(-127, 128, count, np.int8).tobytes(),
            TABLE: rng.random(256).astype("<f4").tobytes() + rng.bytes(count),
        }[storage]
        return TAGS[storage].to_bytes(4, "little") + data + bytes(-len(data) % 4)


def declared_weights(case: Case) -> list[Weight]:
    """What the declaration says of the layer's part of the file."""
    cls = BY_TYPE[case.layer_type]
    names = {param.id: name for name, param in cls.PARAMS.items()}
    values: dict[str, Value] = {names[id]: value for id, value in case.params.items()}
    params = ParamView(cls.PARAMS, values)
    if case.layer_type == "MemoryData":
        shape = tuple(n for n in (params.c, params.d, params.h, params.w) if n)
        return [Weight("value", shape, data_slot(shape, params.load_type).encoding(params))]
    if cls.dynamic_by(params):
        return []
    return [
        Weight(name, slot.shape(params), slot.encoding(params), slot.positive)
        for name, slot in cls.WEIGHTS.items()
        if slot.when(params)
    ]


def write(case: Case, folder: Path) -> list[str]:
    """Writes a net of the layer and a Bias: the paths of its `.param`, its `.bin`, and of one that
    is a word too short."""
    rng = np.random.default_rng(0)
    weights = declared_weights(case)
    assert set(case.storage) <= {weight.name for weight in weights}
    parts = [weight.to_bytes(rng, case.storage.get(weight.name, FLOAT)) for weight in weights]
    data = b"".join([*parts, np.array(TAIL, "<f4").tobytes()])

    inputs = [f"in{i}" for i in range(case.inputs)]
    outputs = [f"out{i}" for i in range(case.outputs)]
    blobs = " ".join(map(str, [case.inputs, case.outputs, *inputs, *outputs]))
    params = " ".join(f"{id}={value}" for id, value in case.params.items())
    lines = [
        "Input probe 0 1 probe",
        *(f"Input {name} 0 1 {name}" for name in inputs),
        f"{case.layer_type} layer {blobs} {params}",
        f"Bias tail 1 1 probe tail 0={len(TAIL)}",
    ]
    header = f"7767517\n{len(lines)} {2 + len(inputs) + len(outputs)}\n"

    paths = [folder / f"{case}{suffix}" for suffix in (".param", ".bin", ".short.bin")]
    paths[0].write_text(header + "\n".join(lines) + "\n")
    paths[1].write_bytes(data)
    paths[2].write_bytes(data[:-4])
    return [str(path) for path in paths]


RUNNER = """
import json, sys
import ncnn
import numpy as np

def load(param, model):
    net = ncnn.Net()
    net.opt.use_vulkan_compute = False
    net.opt.num_threads = 1
    codes = net.load_param(param), net.load_model(model)
    if codes != (0, 0):
        return codes, None
    zeros = np.zeros((3, 1, 1), np.float32)
    extractor = net.create_extractor()
    extractor.input("probe", ncnn.Mat(zeros).clone())  # in-place layers crash on memory of others
    return codes, np.array(extractor.extract("tail")[1]).ravel().tolist()

for param, model, short in json.load(sys.stdin):
    print(json.dumps([*load(param, model), load(param, short)[0]]), flush=True)
"""
"""Runs nets in a process of its own, which may crash: a line for each that it comes through."""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    """What the runtime says of each case; `None` where it crashed."""
    folder = tmp_path_factory.mktemp("layouts")
    results: dict[str, Any] = {}
    waiting: Sequence[tuple[str, list[str]]] = [(str(case), write(case, folder)) for case in CASES]
    while waiting:
        run = subprocess.run(
            [sys.executable, "-c", RUNNER],
            input=json.dumps([paths for _, paths in waiting]),
            capture_output=True,
            text=True,
        )
        lines = run.stdout.splitlines()
        assert lines or run.returncode < 0, run.stderr
        for (name, _), line in zip(waiting, lines, strict=False):
            results[name] = json.loads(line)
        if len(lines) < len(waiting):
            results[waiting[len(lines)][0]] = None
        waiting = waiting[len(lines) + 1 :]
    return results


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_runtime_reads_what_is_declared(case: Case, outcomes: Mapping[str, Any]):
    outcome = outcomes[str(case)]
    assert outcome is not None, "the runtime crashed"
    codes, tail, short = outcome
    assert codes == [0, 0]
    assert tail == list(TAIL), "the runtime is somewhere else after the layer"
    assert short[0] == 0
    assert short[1] != 0, "the runtime did not miss the last word"


def test_every_layer_with_weights_has_a_case():
    assert len({str(case) for case in CASES}) == len(CASES)
    with_weights = {name for name, cls in BY_TYPE.items() if cls.WEIGHTS} | {"MemoryData"}
    assert {case.layer_type for case in CASES} == with_weights


def test_every_weight_is_in_some_case():
    seen = {(case.layer_type, w.name) for case in CASES for w in declared_weights(case)}
    assert seen >= {(type_, name) for type_, cls in BY_TYPE.items() for name in cls.WEIGHTS}
