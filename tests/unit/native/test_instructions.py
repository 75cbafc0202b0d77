"""The vector instructions of processors, on which the forms of convolutions depend."""

import platform

import pytest
from ncnn_opt.native import instructions
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.instructions import vector_instructions
from ncnn_opt.native.options import CompileOptions


@pytest.mark.parametrize(
    ("triple", "cpu", "expected"),
    [
        (None, "haswell", "avx2"),
        (None, "znver3", "avx2"),
        (None, "znver4", "avx512"),
        (None, "skylake-avx512", "avx512"),
        (None, "sapphirerapids", "avx512"),
        ("x86_64-unknown-linux-gnu", None, "avx2"),
        ("x86_64-unknown-linux-gnu", "icelake-server", "avx512"),
        ("aarch64-linux-android", None, "neon"),
        ("aarch64-linux-android", "cortex-a76", "neon"),
        ("arm64-apple-darwin", None, "neon"),
    ],
)
def test_processors_by_name(
    triple: str | None, cpu: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    assert vector_instructions(triple, cpu) == expected


@pytest.mark.parametrize(
    ("machine", "flags", "expected"),
    [
        ("x86_64", "fma avx2 avx512f", "avx512"),
        ("x86_64", "fma avx2", "avx2"),
        ("aarch64", "", "neon"),
        ("arm64", "", "neon"),
    ],
)
def test_this_machine(
    machine: str, flags: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(instructions, "cpu_info", lambda: {"flags": flags})
    assert vector_instructions() == vector_instructions(None, "host") == expected


def test_options_name_the_instructions_to_the_passes() -> None:
    passes = CompileOptions(target_cpu="haswell").pipeline()
    assert "convert-to-linalg{conv=gemm processor=avx2}" in passes


def test_a_gpu_has_no_vector_instructions_of_a_cpu() -> None:
    assert CompileOptions(target="vulkan").processor == "avx512"
    with pytest.raises(NativeError):
        CompileOptions(target="metal", target_cpu="haswell")
