"""`unique-names`: no layer of a file has the name of a blob, and programs find the same blobs."""

from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.formats.param_text import read_param_text

import ncnn_opt

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("name", ["small_cnn", "residual"])
def test_names_of_a_file(name: str, tmp_path: Path) -> None:
    model, path = ncnn_opt.load(str(EXAMPLES / f"{name}.param")), str(tmp_path / "n.param")
    before = read_param_text((EXAMPLES / f"{name}.param").read_bytes(), "").layers
    blobs = {blob for layer in before for blob in layer.tops}
    assert blobs & {layer.name for layer in before}
    ncnn_opt.optimize(model, "unique-names")
    ncnn_opt.save(model, path)
    after = read_param_text(Path(path).read_bytes(), path).layers
    names = [layer.name for layer in after]
    assert len(set(names)) == len(names) == len(before)
    assert not blobs & set(names)
    assert [layer.tops for layer in after] == [layer.tops for layer in before]
    first, second = ncnn_opt.load(str(EXAMPLES / f"{name}.param")), ncnn_opt.load(path)
    outputs, again = first.run(), second.run()
    assert outputs.keys() == again.keys()
    assert all(np.array_equal(value, again[blob]) for blob, value in outputs.items())
