"""MemoryData of bytes in the runtime: models that we write load, and the layers that
`analysis/element_sizes.py` lists copy the bytes as they are."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.analysis.faults import misreads
from ncnn_opt.dialects.ncnn.constant import BYTE_TYPES
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.targets.param.export import export_module
from numpy.typing import NDArray

ncnn = pytest.importorskip("ncnn")

SHAPES = [(24,), (5,), (4, 6), (6, 20), (2, 3, 4), (3, 5, 7), (5, 3, 5)]

COPIES = {
    "Crop": "-23309=1,1 -23310=1,2147483647 -23311=1,-1",
    "DeepCopy": "",
    "Dropout": "",
    "ExpandDims": "-23303=1,0",
    "Flatten": "",
    "Noop": "",
    "Padding": "2=1",
    "ReLU": "",
    "Reshape": "0=-1",
    "Split": "",
    "Squeeze": "0=1 1=1 2=1",
}


def wanted(layer: str, x: NDArray[np.int8]) -> NDArray[np.int8]:
    """The result of a layer of COPIES."""
    match layer:
        case "Crop":
            return x[..., 1:]
        case "ExpandDims":
            return x[None]
        case "Flatten" | "Reshape":
            return x.reshape(-1)
        case "Padding":
            return np.pad(x, [(0, 0)] * (x.ndim - 1) + [(1, 0)])
        case "ReLU":
            return np.maximum(x, 0)
        case _:
            return x


def write(folder: Path, x: NDArray[np.int8], load_type: int, line: str, after: float) -> Path:
    """A model with bytes, a layer that reads them, and a float behind them; as we write it."""
    ids = {1: (0,), 2: (1, 0), 3: (2, 1, 0)}[x.ndim]
    extents = " ".join(f"{id}={n}" for id, n in zip(ids, x.shape, strict=True))
    (folder / "m.param").write_text(
        f"7767517\n3 3\nMemoryData a 0 1 a {extents} 21={load_type}\n{line}\n"
        "MemoryData z 0 1 z 0=1\n"
    )
    data = x.tobytes()
    (folder / "m.bin").write_bytes(
        data + bytes(-len(data) % 4) + np.array([after], "<f4").tobytes()
    )
    module = read_model(str(folder / "m.param")).module
    assert not list(misreads(model_of(module)))
    export_module(module).save(str(folder / "o.param"), str(folder / "o.bin"))
    assert (folder / "o.bin").read_bytes() == (folder / "m.bin").read_bytes()
    return folder / "o"


def run(model: Path) -> dict[str, NDArray[np.float32]]:
    """The outputs of a model without inputs."""
    net = ncnn.Net()
    assert net.load_param(f"{model}.param") == 0
    assert net.load_model(f"{model}.bin") == 0
    found: dict[str, NDArray[np.float32]] = {}
    for name in ("y", "z"):
        status, blob = net.create_extractor().extract(name)
        assert status == 0
        found[name] = np.array(blob)
    return found


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("layer", COPIES)
def test_copies(layer: str, shape: tuple[int, ...], tmp_path: Path) -> None:
    x = np.random.default_rng(0).integers(-9, 9, shape, np.int8)
    found = run(write(tmp_path, x, 3, f"{layer} y 1 1 a y {COPIES[layer]}", 2.5))
    np.testing.assert_array_equal(found["y"], wanted(layer, x))
    assert found["z"] == [2.5]


@pytest.mark.parametrize("load_type", BYTE_TYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_cast(load_type: int, shape: tuple[int, ...], tmp_path: Path) -> None:
    x = np.random.default_rng(0).integers(-127, 128, shape, np.int8)
    found = run(write(tmp_path, x, load_type, "Cast y 1 1 a y 0=3 1=1", -3.5))
    np.testing.assert_array_equal(found["y"], x)
    assert found["z"] == [-3.5]
