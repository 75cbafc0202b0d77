"""A decoder of language with blocks of integers: the runtime computes what the format says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.assembly import names_of
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.matmul import GemmOp
from ncnn_opt.interpreters.ncnn.layer_evaluation import evaluate
from xdsl.ir import SSAValue

import ncnn_opt

from .decoders import decoder, decoder_inputs
from .nets import Net
from .runtime import Failure, Runtime
from .semantics import TOLERANCE, error, interpret

LAYERS = 2


@pytest.fixture(scope="module")
def net() -> Net:
    """Five steps, with no past ones."""
    net = decoder(LAYERS)
    for name, shape in decoder_inputs(0, 5, LAYERS).items():
        net.inputs[name] = net.normal(*shape)
    net.inputs["mask"] = np.triu(np.full((5, 5), -1e9, "f4"), 1)
    return net


def gemms(path: Path) -> Iterator[tuple[str, str, Any]]:
    """The input and the output of each Gemm, and what it computes."""
    for op in ncnn_opt.load(path).module.walk():
        if isinstance(op, GemmOp):
            yield blob(op.inputs[0]), blob(op.outputs[0]), op


def blob(value: SSAValue) -> str:
    """The name of the blob."""
    names = names_of(value.owner)  # pyright: ignore[reportArgumentType]
    name = names[value.owner.results.index(value)]  # pyright: ignore
    assert name is not None
    return name


@pytest.mark.parametrize("block", [32, 64])
@pytest.mark.parametrize("bits", [4, 6, 8])
def test_layers_compute_what_the_format_says(
    bits: int, block: int, net: Net, runtime: Runtime, tmp_path: Path
) -> None:
    model = ncnn_opt.load(net.write(tmp_path))
    done = ncnn_opt.optimize(model, [f"quantize-weights{{bits={bits} block={block}}}"])
    assert len(done) == 7 * LAYERS
    path = tmp_path / "quantized.param"
    ncnn_opt.save(model, path)
    layers = list(gemms(path))
    assert len(layers) == 7 * LAYERS
    assert all(op.quantize_term // 100 == bits for *_, op in layers)
    names = [name for x, y, _ in layers for name in (x, y)]
    blobs = runtime.run(path, net.inputs, [*names, *net.outputs], light_mode=False)
    assert not isinstance(blobs, Failure), blobs
    for x, y, op in layers:
        weights = [v.owner.read() for v in op.operands[1:] if isinstance(v.owner, ConstantOp)]
        (wanted,) = evaluate(op, [blobs[x], *weights])
        assert error(wanted, blobs[y]) <= TOLERANCE
    if bits == 8:
        return  # what differs in the last bit may be rounded to another int8 by the next layer
    for name, wanted in zip(net.outputs, interpret(path, net.inputs), strict=True):
        if name.endswith(("_keys", "_values")):
            continue  # the x86 code packs the cache for the processor: a format of its own
        assert error(wanted, blobs[name]) <= TOLERANCE
