"""`ncnn-report --print-json`."""

import json
from collections.abc import Callable
from pathlib import Path

from ncnn_opt.tools.ncnn_report_main import main

Report = Callable[..., str]


def test_json(report: Report) -> None:
    tree = json.loads(report("before.param", "--print-json"))
    assert tree["format"] == 1
    assert tree["model"] == "before.param"
    assert tree["inputs"] == [{"name": "data", "shape": [3, 8, 8], "layer": 0}]
    assert tree["outputs"] == [{"name": "prob", "shape": [5], "layer": 8}]
    totals = tree["totals"]
    assert totals["macs"] == {"known": 6932, "uncounted_layers": 0}
    assert totals["storage"] == {"float32": {"count": 149, "bytes": 604}}
    assert totals["weight_bytes"] == sum(layer["weight_bytes"] for layer in tree["layers"]) == 604
    assert totals["peak_memory"] == {
        "bytes": 768 + 3 * 1024,
        "uncounted_blobs": 0,
        "layer": 6,
        "blobs": [
            {"name": "data", "bytes": 768},
            {"name": "relu", "bytes": 1024},
            {"name": "drop", "bytes": 1024},
            {"name": "add", "bytes": 1024},
        ],
    }
    assert tree["layers"][1] == {
        "index": 1,
        "type": "Convolution",
        "name": "conv",
        "inputs": [{"name": "data", "shape": [3, 8, 8], "layer": 0}],
        "outputs": [{"name": "conv", "shape": [4, 8, 8], "layer": 1}],
        "kind": "float",
        "params_set": {
            "kernel_w": "3",
            "pad_left": "1",
            "num_output": "4",
            "weight_data_size": "108",
        },
        "macs": 6912,
        "flops": 13824,
        "params": 108,
        "weight_bytes": 436,
        "weights": [{"storage": "float32", "count": 108, "bytes": 436}],
        "bytes_read": 768,
        "bytes_written": 1024,
        "memory_bytes": 768 + 1024,
        "step": 0,
    }


def test_json_of_what_is_unknown(report: Report, before: str) -> None:
    Path("unknown.param").write_text(before.replace(" 0=8 1=8 2=3", ""))
    tree = json.loads(report("unknown.param", "--print-json", "--input-shape", "data=?,?,?"))
    conv = tree["layers"][1]
    assert conv["outputs"][0]["shape"] == [4, None, None]
    assert (conv["macs"], conv["bytes_read"], conv["memory_bytes"]) == (None, None, None)
    assert tree["inputs"][0]["shape"] == [None] * 3
    assert tree["totals"]["macs"] == {"known": 20, "uncounted_layers": 1}
    assert tree["totals"]["peak_memory"]["uncounted_blobs"] == 5


def test_json_of_a_comparison(folder: Path) -> None:
    main(["before.param", "after.param", "--print-json", "-o", "it.json"])
    tree = json.loads((folder / "it.json").read_text())
    assert set(tree) == {"format", "before", "after", "changes"}
    changes = {c["before"]: c for c in tree["changes"]}
    assert changes[1]["fate"] == "changed"
    assert changes[1]["absorbed"] == [2, 3]
    assert "activation_type default → relu" in changes[1]["details"]
    assert (changes[3]["fate"], changes[3]["after"]) == ("fused", 1)
    assert changes[5] == {
        "fate": "eliminated", "before": 5, "after": None, "details": [], "absorbed": [],
    }  # fmt: skip
    (new,) = [c for c in tree["changes"] if c["fate"] == "new"]
    assert (new["before"], new["after"]) == (None, 5)
