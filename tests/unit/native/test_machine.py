"""The machine that measurements belong to."""

from importlib.metadata import PackageNotFoundError

import pytest
from ncnn_opt.native import machine as machines
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.machine import machine


def test_a_machine_has_a_processor_and_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machines, "version", lambda name: f"{name} 1")  # pyright: ignore
    found = machine()
    assert list(found) == ["cpu", "iree", "ncnn-opt"]
    assert found["cpu"]
    assert found["iree"] == "iree-base-compiler 1"
    assert found["ncnn-opt"] == "ncnn-opt 1"


def test_without_iree_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(machines, "version", missing)
    with pytest.raises(NativeError, match=r"pip install 'ncnn-opt\[native\]'"):
        machine()
