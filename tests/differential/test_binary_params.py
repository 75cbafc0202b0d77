"""A `.param.bin` that we write is what the runtime loads, and what ncnn2mem would say."""

import importlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.formats.graph import Graph, LayerRecord, ParamValue
from ncnn_opt.formats.param_binary import read_param_binary
from ncnn_opt.formats.param_binary_writing import names_header, write_param_binary
from ncnn_opt.tools.ncnn_opt_main import main

import ncnn_opt

EXAMPLES = Path(__file__).parents[2] / "examples"

pytestmark = pytest.mark.usefixtures("runtime")


@pytest.mark.parametrize("name", ["small_cnn", "residual", "sequence"])
def test_the_runtime_computes_the_same(name: str, tmp_path: Path) -> None:
    ncnn: Any = importlib.import_module("ncnn")
    source = EXAMPLES / f"{name}.param"
    main(["-q", str(source), "-o", str(tmp_path / "net.param.bin")])
    found = re.findall(r"BLOB_(\w+) = (\d+);", (tmp_path / "net.id.h").read_text())
    numbers = {blob: int(number) for blob, number in found}
    model = ncnn_opt.load(source)
    inputs = {
        blob.name: np.random.default_rng(0).uniform(-1, 1, [n or 4 for n in blob.shape or ()])
        for blob in model.inputs
    }
    expected = model.run(inputs, engine="ncnn")
    net = ncnn.Net()
    net.opt.lightmode = False
    assert net.load_param_bin(str(tmp_path / "net.param.bin")) == 0
    assert net.load_model(str(tmp_path / "net.bin")) == 0
    extractor = net.create_extractor()
    for blob, values in inputs.items():
        contiguous = values.astype("f4")  # which a Mat does not keep alive
        assert extractor.input(numbers[blob], ncnn.Mat(contiguous).clone()) == 0
    for blob, value in expected.items():
        status, mat = extractor.extract(numbers[blob])
        assert status == 0
        np.testing.assert_allclose(np.array(mat), value, rtol=1e-3, atol=1e-3)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    source = EXAMPLES / "small_cnn.param"
    main(["-q", str(source), "-o", str(tmp_path / "net.param.bin")])
    main(["-q", str(tmp_path / "net.param.bin"), "-o", str(tmp_path / "again.param.bin")])
    main(["-q", str(source), "-o", str(tmp_path / "net.param")])
    for ending in ("param.bin", "bin"):
        first, second = ((tmp_path / f"{stem}.{ending}").read_bytes() for stem in ("net", "again"))
        assert first == second
    again, named = ncnn_opt.load(tmp_path / "net.param.bin"), ncnn_opt.load(tmp_path / "net.param")
    assert [(x.type, x.params) for x in again.layers] == [(x.type, x.params) for x in named.layers]


def layer(type_: str, name: str, source: str, target: str, **params: ParamValue) -> LayerRecord:
    by_id = {int(key[1:]): value for key, value in params.items()}
    return LayerRecord(type_, name, (source,) if source else (), (target,), by_id)


GRAPH = Graph(
    [
        layer("Input", "in", "", "a.0"),
        layer("Mine", "a/b", "a.0", "a:0", _0=ParamValue.of_str("text"), _1=ParamValue.of_int(-3)),
        layer("Custom0", "a.b", "a:0", "b", _2=ParamValue.of_ints((1, 2))),
        layer("Mine", "c", "b", "c", _3=ParamValue.of_float(0.5)),
    ]
)


def test_all_kinds_of_parameters_and_types_of_others() -> None:
    read = read_param_binary(write_param_binary(GRAPH, ["Input"]), "x.param.bin", ["Input"])
    assert [r.type for r in read.layers] == ["Input", "Custom1", "Custom0", "Custom1"]
    assert [(r.bottoms, r.tops) for r in read.layers[1:]] == [
        (("0",), ("1",)),
        (("1",), ("2",)),
        (("2",), ("3",)),
    ]
    assert read.layers[1].params[0].text == "text"
    assert read.layers[1].params[1].words == (-3,)
    assert read.layers[2].params[2].words == (1, 2)
    assert read.layers[3].params[3].words == (0x3F000000,)


def test_names_in_the_header_are_those_of_cpp() -> None:
    assert (
        names_header(GRAPH, "my-net")
        == """#ifndef NCNN_INCLUDE_GUARD_my_net_id_h
#define NCNN_INCLUDE_GUARD_my_net_id_h
namespace my_net_param_id {
const int LAYER_in = 0;
const int LAYER_a_b = 1;
const int LAYER_a_b_2 = 2;
const int LAYER_c = 3;
const int BLOB_a_0 = 0;
const int BLOB_a_0_2 = 1;
const int BLOB_b = 2;
const int BLOB_c = 3;
} // namespace my_net_param_id
#endif // NCNN_INCLUDE_GUARD_my_net_id_h
"""
    )
