"""The declarations of layers say what ncnn's own source says (`ncnn_layers.txt`)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn import LAYERS
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.params import Param, ParamKind, ParamView, Value, to_float32
from ncnn_opt.dialects.ncnn.quantization import PackedSlot
from ncnn_opt.dialects.ncnn.weight_specs import WeightSlot

OF_ALL_LAYERS = {30, 31}
"""Ids that ncnn reads for every layer, before load_param."""

RENAMED = {"lambda": "lambd", "equation_mat": "equation"}
"""Members of ncnn's classes that have another name here: a reserved word, and one that its own
documentation names otherwise."""

FLT_MAX = 3.4028234663852886e38

PROBES: Mapping[ParamKind, Value] = {
    ParamKind.INT: 91,
    ParamKind.FLOAT: 9.5,
    ParamKind.STR: "probe",
    ParamKind.INTS: (91, 92),
    ParamKind.FLOATS: (9.5, 9.75),
}
"""Values that are no parameter's default."""

COMPUTED: Mapping[tuple[str, str], list[tuple[dict[str, Value], Value]]] = {
    ("MultiHeadAttention", "scale"): [
        ({"embed_dim": 64, "num_heads": 8}, to_float32(1 / to_float32(sqrt(8)))),
        ({"embed_dim": 100, "num_heads": 3}, to_float32(1 / to_float32(sqrt(33)))),
        ({"embed_dim": 16}, 0.25),
    ],
    ("Spectrogram", "hoplen"): [({"n_fft": 400}, 100), ({"n_fft": 7}, 1)],
    ("InverseSpectrogram", "hoplen"): [({"n_fft": 400}, 100), ({"n_fft": 7}, 1)],
}
"""What defaults that ncnn computes come to, by layer type and parameter."""


@dataclass(frozen=True)
class Parameter:
    """A parameter as a line of the table has it."""

    id: int
    name: str
    default: str
    kind: ParamKind


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    params: tuple[Parameter, ...]
    weights: tuple[tuple[str, str], ...]


def python_name(member: str) -> str:
    """The name here of a member of an ncnn layer: `variances[0]` is `variance_0`."""
    return RENAMED.get(member) or re.sub(r"s\[(\d+)\]$", r"_\1", member)


def slot_name(member: str) -> str:
    """The name here of a weight of an ncnn layer: `weight_data_int8_scales` is
    `weight_int8_scales`."""
    return member.replace("_data", "").replace("_blob", "")


def read_table() -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for line in Path(__file__).with_name("ncnn_layers.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        head, _, tail = line.partition("|")
        layer_type, *entries = head.split()
        fields = [entry.split(":") for entry in entries]
        params = tuple(Parameter(int(i), python_name(n), d, ParamKind(k)) for i, n, d, k in fields)
        weights = [entry.split(":") for entry in tail.split()]
        rows[layer_type] = Row(params, tuple((slot_name(m), storage) for m, storage in weights))
    return rows


ROWS = read_table()

each_layer = pytest.mark.parametrize("cls", LAYERS, ids=lambda cls: cls.LAYER_TYPE)


def test_the_registry_has_all_layers_in_the_order_of_ncnn():
    assert [cls.LAYER_TYPE for cls in LAYERS] == list(ROWS)


@each_layer
def test_names_follow_the_convention(cls: type[LayerOp]):
    if cls is ConstantOp:
        assert (cls.LAYER_TYPE, cls.name) == ("MemoryData", "ncnn.constant")
    else:
        assert cls.__name__ == f"{cls.LAYER_TYPE}Op"
        assert cls.name == f"ncnn.{cls.LAYER_TYPE.lower()}"


@each_layer
def test_parameters_have_the_ids_names_and_kinds_of_ncnn(cls: type[LayerOp]):
    declared = {
        param.id: (name, param.kind if isinstance(param, Param) else ParamKind.INT)
        for name, param in cls.PARAMS.items()
        if param.id not in OF_ALL_LAYERS
    }
    assert declared == {p.id: (p.name, p.kind) for p in ROWS[cls.LAYER_TYPE].params}
    assert len({param.id for param in cls.PARAMS.values()}) == len(cls.PARAMS)
    assert {param.id for param in cls.PARAMS.values()} >= OF_ALL_LAYERS


@each_layer
def test_defaults_are_those_of_ncnn(cls: type[LayerOp]):
    params = ROWS[cls.LAYER_TYPE].params
    for param in params:
        others: dict[str, Value] = {p.name: PROBES[p.kind] for p in params if p is not param}
        if param.default.startswith("="):
            reference = python_name(param.default[1:])
            for value in (17, 18):
                view = ParamView(cls.PARAMS, {**others, reference: value})
                assert getattr(view, param.name) == value, f"{param.name} is not as {reference}"
        elif param.default == "expr":
            for given, value in COMPUTED[cls.LAYER_TYPE, param.name]:
                assert getattr(ParamView(cls.PARAMS, given), param.name) == value
        else:
            value = getattr(ParamView(cls.PARAMS, others), param.name)
            assert value == literal(param), f"default of {param.name}"
            assert type(value) is type(literal(param))


def literal(param: Parameter) -> Value:
    match param.kind:
        case ParamKind.INT:
            return int(param.default)
        case ParamKind.FLOAT:
            limits = {"FLT_MAX": FLT_MAX, "-FLT_MAX": -FLT_MAX}
            return to_float32(limits.get(param.default) or float(param.default))
        case ParamKind.STR:
            assert param.default == '""'
            return ""
        case ParamKind.INTS | ParamKind.FLOATS:
            assert param.default == "[]"
            return ()


@each_layer
def test_weights_are_in_the_order_of_ncnn(cls: type[LayerOp]):
    weights = ROWS[cls.LAYER_TYPE].weights
    if cls is ConstantOp:  # its value is its weight; a parameter says how it is stored
        assert weights == (("data", "load_type"),)
        assert not cls.WEIGHTS
        assert "load_type" in cls.PARAMS
        return
    assert [(name, storage_of(slot)) for name, slot in cls.WEIGHTS.items()] == list(weights)


def storage_of(slot: WeightSlot) -> str:
    return "tagged/packed" if isinstance(slot, PackedSlot) else "tagged" if slot.tagged else "plain"


@each_layer
def test_weights_are_the_last_operands_in_their_order(cls: type[LayerOp]):
    names = [name for name, _ in cls.get_irdl_definition().operands]
    assert names[len(names) - len(cls.WEIGHTS) :] == list(cls.WEIGHTS)


@each_layer
def test_weights_with_scales_name_the_parameter_that_quantizes_them(cls: type[LayerOp]):
    for name in cls.WEIGHTS:
        scaled = cls.WEIGHTS.get(re.sub(r"_(int8|quantize)_scales?$", "", name))
        if scaled is not None and scaled is not cls.WEIGHTS[name]:
            assert scaled.tagged
            assert scaled.quantized_by in cls.PARAMS


@each_layer
def test_the_docstring_says_what_the_layer_is(cls: type[LayerOp]):
    doc = cls.__doc__ or ""
    head, *labels = re.split(r"^ *(Shapes|Parameters|Source):", doc, flags=re.MULTILINE)
    assert head.strip()
    assert labels[::2] == [word for word in ("Shapes", "Parameters", "Source") if word in labels]
    assert any("Shapes: " in (base.__doc__ or "") for base in cls.mro())
    assert f"src/layer/{cls.LAYER_TYPE.lower()}.cpp" not in doc, "follows from the type"
