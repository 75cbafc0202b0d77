"""What a package says of layers is found in files of the layers' names, and imported when asked."""

import sys
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn.activation import MishOp, ReLUOp
from ncnn_opt.dialects.ncnn.by_layer import ByLayer
from ncnn_opt.dialects.ncnn.pooling import PoolingOp

PACKAGE = "says_of_layers"


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ByLayer[str]:
    """One of a package with a file for activations."""
    folder = tmp_path / PACKAGE
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from ncnn_opt.dialects.ncnn.by_layer import ByLayer\nsaid = ByLayer[str](__name__)\n"
    )
    (folder / "activation.py").write_text(
        "from ncnn_opt.dialects.ncnn.activation import ReLUOp\n"
        "from . import said\n"
        "said(ReLUOp)('rectified')\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        monkeypatch.delitem(sys.modules, name)
    module = __import__(PACKAGE)
    return module.said


def test_a_file_is_imported_when_a_layer_of_its_family_is_asked_about(
    registry: ByLayer[str],
) -> None:
    assert registry.of(PoolingOp) is None  # there is no file
    assert f"{PACKAGE}.activation" not in sys.modules
    assert registry.of(ReLUOp) == "rectified"
    assert f"{PACKAGE}.activation" in sys.modules
    assert registry.of(MishOp) is None  # nothing is said there


def test_what_is_declared_is_given_back(registry: ByLayer[str]) -> None:
    assert registry(MishOp, PoolingOp)("both") == "both"
    assert [registry.of(cls) for cls in (MishOp, PoolingOp)] == ["both", "both"]
