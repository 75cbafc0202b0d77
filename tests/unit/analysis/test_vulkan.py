"""The layers that run on a Vulkan device, by the table of ncnn's sources."""

from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.analysis.target_info.collect_vulkan import changes, conditions, facts
from ncnn_opt.analysis.target_info.releases import releases
from ncnn_opt.analysis.target_info.vulkan import allows_int8, vulkan_layers
from ncnn_opt.analysis.vulkan import CONDITIONS, Placement, first_release, placement
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions

NEWEST = releases()[-1]

CHAIN = """7767517
6 7
Input in 0 1 in 0=8 1=4
ReLU a 1 1 in a
MatMul m 2 1 a a m
Split s 1 2 m m0 m1
ReLU b 1 1 m0 b
ReLU c 1 1 m1 c
"""
"""A MatMul, which the CPU computes, between layers of the device."""


def placed(text: str, folder: Path, release: str = NEWEST) -> Placement:
    path = folder / "m.param"
    path.write_text(text)
    return placement(model_of(read_model(str(path), ReadOptions("none")).module), release)


def reasons(found: Placement) -> dict[str, str]:
    return {op.layer_name.data: why for op, why in found.on_cpu.items() if op.layer_name}


def one(line: str) -> str:
    """A model of one layer."""
    return f"7767517\n2 2\nInput in 0 1 in 0=8 1=8 2=4\n{line}\n"


def test_every_condition_of_the_table_has_a_meaning() -> None:
    found = {
        text for release in releases() for each in vulkan_layers(release).values() for text in each
    }
    assert found == set(CONDITIONS)


def test_islands_and_transfers_around_a_layer_of_the_cpu(tmp_path: Path) -> None:
    found = placed(CHAIN, tmp_path)
    assert reasons(found) == {"m": "no Vulkan implementation"}
    assert [[op.label() for op in island] for island in found.islands()] == [
        ["ReLU 'a'"],
        ["Split 's'", "ReLU 'b'", "ReLU 'c'"],
    ]
    assert [(each.to_device, each.nbytes) for each in found.transfers] == [
        (False, 128),
        (True, 128),
    ]


@pytest.mark.parametrize(
    ("line", "release", "reason"),
    [
        ("GroupNorm g 1 1 in g 0=2 1=4", "20260113", "no Vulkan implementation before 20260526"),
        ("GroupNorm g 1 1 in g 0=2 1=4", "20260526", None),
        ("ReLU g 1 1 in g 31=16", NEWEST, "its feature mask turns Vulkan off"),
        ("ReLU g 1 1 in g 31=8", NEWEST, None),
        ("SDPA g 3 1 in in in g 18=2", NEWEST, "it computes int8"),
        ("SDPA g 3 1 in in in g", NEWEST, None),
        ("Convolution g 1 1 in g 0=4 1=1 6=16 8=2", NEWEST, None),
        (
            "Convolution g 1 1 in g 0=4 1=1 6=16 8=2 18=0.5",
            NEWEST,
            "it pads int8 with a value that is not 0",
        ),
        ("Convolution g 1 1 in g 0=4 1=1 6=16 18=0.5", NEWEST, None),
        (
            "Convolution g 1 1 in g 0=4 1=1 6=16 8=2",
            "20260526",
            "an int8 layer turns Vulkan off before 20261020",
        ),
        ("Convolution g 2 1 in in g 0=4 1=1 19=1", NEWEST, "its weights are blobs"),
        (
            "Gemm g 1 1 in g 3=1 5=1 6=1 8=8 9=8 10=-1 18=401",
            NEWEST,
            "its weights are quantized in blocks",
        ),
        ("Gemm g 1 1 in g 3=1 5=1 6=1 8=8 9=8 10=-1", NEWEST, None),
    ],
)
def test_where_a_layer_runs(line: str, release: str, reason: str | None, tmp_path: Path) -> None:
    assert reasons(placed(one(line), tmp_path, release)) == (
        {} if reason is None else {"g": reason}
    )


def test_first_releases() -> None:
    assert first_release("GroupNorm") == "20260526"
    assert first_release("ReLU") == releases()[0]
    assert first_release("LSTM") is None
    assert [allows_int8(release) for release in releases()[-2:]] == [False, True]


def test_facts_are_read_from_sources() -> None:
    files = {
        "src/CMakeLists.txt": "\n".join(f"ncnn_add_layer({x})" for x in ("AbsVal", "Gemm", "LSTM")),
        "src/layer/absval.cpp": "",
        "src/layer/vulkan/absval_vulkan.cpp": "support_vulkan = true;",
        "src/layer/gemm.cpp": "if (a) { if (b) { x(); } support_vulkan = false; }",
        "src/layer/vulkan/gemm_vulkan.cpp": "support_vulkan = true;\n"
        "if (c) { support_vulkan = false; }",
        "src/layer/lstm.cpp": "if (a) { support_vulkan = false; }",
        "src/net.cpp": "// no int8 gpu support yet",
    }
    old = facts(files, files.__getitem__)
    assert old == {"layers": {"AbsVal": [], "Gemm": ["a", "c"]}, "int8": False}
    new: dict[str, Any] = {"layers": {"AbsVal": [], "LSTM": []}, "int8": True}
    assert changes(old, new) == {"layers": {"LSTM": [], "Gemm": None}, "int8": True}
    assert changes(old, old) == {}


def test_the_condition_of_a_block_is_the_nearest_one() -> None:
    assert conditions("if (x)\n y = 1;\nif (z && w)\n{\n support_vulkan = false;\n}") == {"z && w"}
