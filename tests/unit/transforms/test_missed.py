"""Why a fusion that people expect is not there: the condition that failed, in words."""

from pathlib import Path

import pytest
from ncnn_opt.driver.observers.missed_fusions import missed_fusions

import ncnn_opt

INPUT = "Input data 0 1 data 0=8 1=8 2=3"
CONV = "Convolution conv 1 1 data a 0=4 1=1 5=1 6=12"

BEHIND = {
    "two readers": (
        f"{INPUT}\n{CONV}\nSplit s 1 2 a b c\nReLU r 1 1 b d\nSigmoid q 1 1 c e",
        "fuse-conv-activation: Convolution 'conv', ReLU 'r' "
        "(the blob between has other users, or is an output)",
    ),
    "feature masks": (
        f"{INPUT}\n{CONV}\nReLU r 1 1 a b 31=1",
        "fuse-conv-activation: Convolution 'conv', ReLU 'r' (their feature masks differ)",
    ),
    "parameters of nobody": (
        f"{INPUT}\n{CONV}\nReLU r 1 1 a b 9=1",
        "fuse-conv-activation: Convolution 'conv', ReLU 'r' (one of them has unknown parameters)",
    ),
    "an activation before": (
        f"{INPUT}\n{CONV} 9=4\nBatchNorm n 1 1 a b 0=4",
        "fuse-conv-bn: Convolution 'conv', BatchNorm 'n' (it has an activation)",
    ),
    "two activations": (
        f"{INPUT}\n{CONV} 9=4\nReLU r 1 1 a b 0=0.5\nSigmoid q 1 1 b c",
        "fuse-conv-activation: Convolution 'conv', Sigmoid 'q' "
        "(it has an activation, and the two do not compose)",
    ),
    "int8": (
        f"{INPUT}\nConvolution conv 1 1 data a 0=4 1=1 5=1 6=12 8=102\nReLU r 1 1 a b",
        "fuse-conv-activation: Convolution 'conv', ReLU 'r' "
        "(its output is int8, quantized before the activation)",
    ),
    "int8 weights": (
        f"{INPUT}\nConvolution conv 1 1 data a 0=4 1=1 5=1 6=12 8=2\nBatchNorm n 1 1 a b 0=4",
        "fuse-conv-bn: Convolution 'conv', BatchNorm 'n' (its weights are not float constants)",
    ),
    "an activation that no layer has": (
        f"{INPUT}\n{CONV}\nPReLU r 1 1 a b 0=4",
        "fuse-conv-activation: Convolution 'conv', PReLU 'r' "
        "(no layer has this activation as a parameter)",
    ),
    "no linear layer": (
        f"{INPUT}\nReLU r 1 1 data a\nBatchNorm n 1 1 a b 0=3\nAbsVal v 1 1 b c",
        "fuse-conv-bn: BatchNorm 'n' (it is behind ReLU 'r', which is no linear layer)",
    ),
}


def left(text: str, folder: Path, *passes: str) -> list[str]:
    lines = text.splitlines()
    blobs = {word for line in lines for word in line.split()[4:] if "=" not in word}
    path = folder / "net.param"
    path.write_text(f"7767517\n{len(lines)} {len(blobs)}\n{text}\n")
    model = ncnn_opt.load(path, "random")
    ncnn_opt.optimize(model, passes or None)
    before = str(model)
    found = [str(remark) for remark in missed_fusions(model.module)]
    assert str(model) == before
    return found


@pytest.mark.parametrize("what", BEHIND)
def test_the_condition_is_told(what: str, tmp_path: Path) -> None:
    text, expected = BEHIND[what]
    assert expected in left(text, tmp_path)


def test_what_is_fused_is_not_missed(tmp_path: Path) -> None:
    assert left(f"{INPUT}\n{CONV}\nBatchNorm n 1 1 a b 0=4\nReLU r 1 1 b c", tmp_path) == []


def test_what_was_not_asked_for(tmp_path: Path) -> None:
    text = f"{INPUT}\n{CONV}\nBatchNorm n 1 1 a b 0=4\nReLU r 1 1 b c"
    assert left(text, tmp_path, "eliminate-noop") == [
        "fuse-conv-bn: Convolution 'conv', BatchNorm 'n' (nothing that was asked for does it)",
        "fuse-conv-activation: Convolution 'conv', ReLU 'r' (nothing that was asked for does it)",
    ]


def test_values_that_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "net.param"
    path.write_text(f"7767517\n3 3\n{INPUT}\n{CONV}\nBatchNorm n 1 1 a b 0=4\n")
    found = missed_fusions(ncnn_opt.load(path, "none").module)
    assert [str(remark) for remark in found] == [
        "fuse-conv-bn: Convolution 'conv', BatchNorm 'n' "
        "(the values are unknown, or not one per channel)"
    ]
