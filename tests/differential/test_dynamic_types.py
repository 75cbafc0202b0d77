"""Each layer type with integer parameters: a parameter that a program computed from an extent of
the input becomes right at other sizes, or the layer is refused by name."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE, FAMILIES
from ncnn_opt.dialects.ncnn.params import Param, ParamKind
from ncnn_opt.transforms.dynamic_shapes.ambiguous_constants import MODES, NOT_EXTENTS

from .compiler import command
from .runtime import Failure, Runtime


@dataclass(frozen=True)
class Case:
    """A layer on one input, as a function of an extent n of the input."""

    shape: Callable[[int], tuple[int, ...]]
    params: Callable[[int], str]
    axes: str = "w"


def plane(n: int) -> tuple[int, ...]:
    return 4, 6, n


def rows(n: int) -> tuple[int, ...]:
    return 6, n


def row(n: int) -> tuple[int, ...]:
    return (n,)


def channels(n: int) -> tuple[int, ...]:
    return n, 6, 4


CASES: dict[str, Sequence[Case]] = {
    "ArgMax": [Case(rows, lambda n: f"0=0 1={n // 2}")],
    "Crop": [
        Case(plane, lambda n: f"3={n // 2} 4=6 5=4"),
        Case(rows, lambda n: f"0=1 3={n - 1} 4=6"),
        Case(plane, lambda n: f"-23309=1,0 -23310=1,{n // 2} -23311=1,2"),
    ],
    "Diag": [Case(rows, lambda n: f"0={n // 2}")],
    "GroupNorm": [Case(channels, lambda n: f"0={n // 2} 1={n} 3=0", "c")],
    "InstanceNorm": [Case(channels, lambda n: f"0={n} 2=0", "c")],
    "Interp": [
        Case(rows, lambda n: f"0=2 3=1 4={2 * n}"),
        Case(plane, lambda n: f"0=2 3=6 4={2 * n}"),
        Case(plane, lambda n: f"0=1 3=6 4={n + 5}"),
        Case(row, lambda n: f"0=1 3=1 4={2 * n}"),
        Case(lambda n: (1, n), lambda n: f"0=1 3=1 4={n // 2}"),
    ],
    "LayerNorm": [Case(rows, lambda n: f"0={n} 2=0")],
    "LRN": [Case(channels, lambda n: f"0=0 1={n + 1}", "c")],
    "Padding": [
        Case(rows, lambda n: f"0=0 1=0 2={n} 3=0"),
        Case(plane, lambda n: f"0=0 1=0 2=0 3={n // 2}"),
        Case(plane, lambda n: f"0={2 * n}"),
    ],
    "PixelShuffle": [Case(lambda n: (14400, 1, n), lambda n: f"0={n // 2}")],
    "Pooling": [
        Case(plane, lambda n: f"0=1 7=1 8={n // 2} 18=6"),
        Case(plane, lambda n: f"0=1 7=1 8={n // 3} 18=-233"),
        Case(plane, lambda n: f"0=0 1={n // 2} 11=1"),
        Case(plane, lambda n: f"0=1 1={n} 11=6"),
    ],
    "Pooling1D": [
        Case(rows, lambda n: f"0=1 7=1 8={n // 2}"),
        Case(rows, lambda n: f"0=0 1={n // 2}"),
    ],
    "Reorg": [Case(lambda n: (1, n, n), lambda n: f"0={n}", "h,w")],
    "Reshape": [
        Case(rows, lambda n: f"0={6 * n}"),
        Case(rows, lambda n: f"0={n // 2} 1=12", "2*w"),
        Case(plane, lambda n: f"0=24 1={n}"),
    ],
    "RMSNorm": [Case(rows, lambda n: f"0={n} 2=0")],
    "ShuffleChannel": [Case(channels, lambda n: f"0={n // 2}", "c")],
    "Slice": [Case(rows, lambda n: f"-23300=2,{n // 2},-233 1=1")],
    "Tile": [
        Case(rows, lambda n: f"0=0 1={2 * n}"),
        Case(rows, lambda n: f"-23302=2,{n},1"),
    ],
    "Unfold": [Case(plane, lambda n: f"1={n // 2} 11=2")],
}

WITHOUT: dict[str, str] = {
    "CopyTo": "two inputs, see the test of its offsets",
    "DetectionOutput": "its shapes are unknown: refused by the check of parameters without effect",
    "Proposal": "its shapes are unknown: refused by the check of parameters without effect",
}
"""Types without a case here, and the reason."""


def write(case: Case, type_: str, n: int, folder: Path, name: str) -> Path:
    """Write a model of a layer of this type, with an input of the shape for n."""
    shape = case.shape(n)
    extents = " ".join(f"{i}={m}" for i, m in enumerate(reversed(shape)))
    tops = 2 if type_ == "Slice" else 1
    outputs = " ".join(f"out{i}" for i in range(tops))
    path = folder / f"{name}.param"
    path.write_text(
        f"7767517\n2 {1 + tops}\nInput in0 0 1 in0 {extents}\n"
        f"{type_} layer 1 {tops} in0 {outputs} {case.params(n)}\n"
    )
    path.with_suffix(".bin").touch()
    return path


ALL = [(type_, i) for type_, cases in CASES.items() for i in range(len(cases))]


@pytest.mark.parametrize(("type_", "number"), ALL)
def test_a_layer_is_right_at_other_sizes_or_refused(
    type_: str, number: int, runtime: Runtime, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = CASES[type_][number]
    result = tmp_path / "any.param"
    source = write(case, type_, 12, tmp_path, "net")
    with suppress(SystemExit):
        command(source, "--dynamic", f"in0={case.axes}", "-o", result)
    if not result.exists():
        assert f"the shapes cannot be dynamic: {type_} 'layer'" in capsys.readouterr().err
        return
    for n in (12, 20, 16):
        values = np.random.default_rng(n).normal(0, 3, case.shape(n)).astype("f4")
        own = write(case, type_, n, tmp_path, f"own{n}")
        expected = runtime.run(own, {"in0": values}, ["out0"], light_mode=False)
        made = runtime.run(result, {"in0": values}, ["out0"], light_mode=False)
        assert not isinstance(expected, Failure), (n, expected)
        assert not isinstance(made, Failure), (n, made)
        np.testing.assert_allclose(made["out0"], expected["out0"], rtol=1e-5, atol=1e-5)


def numbers_of(cls: Any) -> list[str]:
    """Return the integer parameters of a layer type that may be numbers of elements."""
    return [
        name
        for name, param in cls.PARAMS.items()
        if isinstance(param, Param)
        and not param.names
        and name not in MODES | NOT_EXTENTS
        and param.kind in (ParamKind.INT, ParamKind.INTS)
    ]


FLAGS = frozenset(
    (
        *("across_channel", "across_channels", "across_spatial", "align_corner", "aligned"),
        *("attn_mask", "center", "channel_shared", "fast_gelu", "include_stddev", "kv_cache"),
        *("normalize_variance", "onesided", "out_max_val", "permute_fusion", "reverse"),
        *("squeeze_c", "squeeze_d", "squeeze_h", "squeeze_w", "transA", "transB", "use_padding"),
        *("with_scalar", "flip", "clip", "step_mmdetection", "center_mmdetection"),
    )
)
"""Parameters that are 0 or 1: an extent of 1 is not their reason."""


def test_each_type_with_numbers_has_a_case_or_a_reason() -> None:
    """A layer type that is added later fails here, until it has a case."""
    known = CASES.keys() | WITHOUT.keys() | OTHERS
    types = {t for t in FAMILIES if set(numbers_of(BY_TYPE[t])) - FLAGS and not BY_TYPE[t].WEIGHTS}
    assert types - known == set()
    assert known <= set(FAMILIES)


OTHERS = frozenset(
    (
        *("Einsum", "Fold", "Input", "InverseSpectrogram", "PriorBox", "PSROIPooling"),
        *("Pooling3D", "ROIAlign", "ROIPooling", "SPP", "Spectrogram"),
        *("YoloDetectionOutput", "Yolov3DetectionOutput"),
    )
)
"""Types whose parameters are checked by the same code as those of the cases."""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("CopyTo layer 2 1 in0 in1 out0 0=12", "CopyTo 'layer': its woffset of 12"),
        ("PriorBox layer 2 1 in0 in1 out0 -23300=1,4.0 9=12 10=6", "its image_width of 12"),
        ("MyLayer layer 2 1 in0 in1 out0 0=12", "MyLayer 'layer': its parameter 0 of 12"),
        ("MyLayer layer 2 1 in0 in1 out0 -23303=2,3,24", "MyLayer 'layer': its parameter 3 of 24"),
    ],
)
def test_a_parameter_without_effect_on_shapes_is_refused(
    line: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "net.param"
    inputs = "Input in0 0 1 in0 0=12 1=7 2=3\nInput in1 0 1 in1 0=2 1=2 2=3\n"
    source.write_text(f"7767517\n3 3\n{inputs}{line}\n")
    source.with_suffix(".bin").touch()
    with pytest.raises(SystemExit):
        command(source, "--dynamic", "in0=w", "-o", tmp_path / "any.param")
    assert reason in capsys.readouterr().err


def test_other_numbers_are_constants(tmp_path: Path) -> None:
    """Near misses: the numbers of these layers are no function of the extent 12."""
    for i, line in enumerate(
        (
            "MyLayer layer 1 1 in0 out0 0=7",
            "Padding layer 1 1 in0 out0 2=5",
            "Tile l 1 1 in0 out0 0=0 1=5",
        )
    ):
        source = tmp_path / f"net{i}.param"
        source.write_text(f"7767517\n2 2\nInput in0 0 1 in0 0=12 1=9\n{line}\n")
        source.with_suffix(".bin").touch()
        command(source, "--dynamic", "in0=w", "-o", tmp_path / f"any{i}.param")
        assert (tmp_path / f"any{i}.param").exists()
