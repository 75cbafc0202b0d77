"""Takes an optimized model apart, so that it can be optimized again:

    python -m benchmarks.taking_apart model.param apart.param

Fused activations become layers, and a BatchNorm and a Scale with random statistics follow each
convolution. This changes the outputs, but gives the layers that converters write. Without a `.bin`
beside the model, its weights are random.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from ncnn_opt.dialects.ncnn.activation import (
    ClipOp,
    HardSwishOp,
    MishOp,
    ReLUOp,
    SigmoidOp,
)
from ncnn_opt.dialects.ncnn.assembly import names_of, set_names
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.function import Names
from ncnn_opt.dialects.ncnn.innerproduct import InnerProductOp
from ncnn_opt.dialects.ncnn.interfaces import (
    CLIP,
    HARD_SWISH,
    LEAKY_RELU,
    MISH,
    RELU,
    SIGMOID,
    ActivationHost,
    LinearLayer,
)
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.ncnn.normalization import BatchNormOp, ScaleOp
from ncnn_opt.dialects.ncnn.params import Value
from ncnn_opt.dialects.ncnn.weights import make_weight
from ncnn_opt.dialects.shapes.analysis import Shapes
from ncnn_opt.driver.errors import USER_ERRORS, describe
from ncnn_opt.driver.model_files import read_model, write_model
from ncnn_opt.formats.file_names import weights_beside
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.targets import Output, target_for
from xdsl.dialects.builtin import ModuleOp, TensorType, f32
from xdsl.ir import Block, SSAValue

_ACTIVATIONS: Mapping[int, tuple[type[LayerOp], tuple[str, ...]]] = {
    RELU: (ReLUOp, ()),
    LEAKY_RELU: (ReLUOp, ("slope",)),
    CLIP: (ClipOp, ("min", "max")),
    SIGMOID: (SigmoidOp, ()),
    MISH: (MishOp, ()),
    HARD_SWISH: (HardSwishOp, ("alpha", "beta")),
}
"""The layer that computes each fused activation, with the names of its parameters in
`activation_params`."""


def take_apart(module: ModuleOp, seed: int = 0) -> None:
    """Convert fused activations to layers, and insert a BatchNorm and a Scale after each
    convolution, before its activation. Layers with int8 weights stay as they are, because they
    could not be fused again."""
    func = model_of(module)
    layers = [op for op in func.body.block.ops if isinstance(op, LayerOp)]
    names = Names(op.layer_name.data for op in layers if op.layer_name)
    rng = np.random.default_rng(seed)
    for op in layers:
        if isinstance(op, ActivationHost) and getattr(op, "int8_scale_term", 0) <= 100:
            _Chain(op, func.body.block, names).take_apart(rng)


class _Chain:
    """A layer, and the layers that follow it in its place."""

    def __init__(self, host: ActivationHost, block: Block, names: Names) -> None:
        self.host = host
        self.block = block
        self.names = names
        self.uses = list(host.results[0].uses)
        self.last: LayerOp = host

    def take_apart(self, rng: np.random.Generator) -> None:
        host, last_name = self.host, names_of(self.host)
        if isinstance(host, LinearLayer) and not isinstance(host, InnerProductOp):
            if host.has_float_constants():
                self.norm(host.linear_output(Shapes()).channels, rng)
        if host.activation_type:
            cls, params = _ACTIVATIONS[host.activation_type]
            values = dict(zip(params, host.activation_params, strict=False))
            self.add(cls, "act", {}, values)
            host.set_params(activation_type=0, activation_params=())
        if self.last is host:
            return
        for use in self.uses:
            use.operation.operands[use.index] = self.last.results[0]
        # the blob that other layers read keeps its name
        for op in (host, self.last):
            layer = None if op.layer_name is None else op.layer_name.data
            set_names(op, layer, [layer] if op is host else last_name)

    def norm(self, channels: int, rng: np.random.Generator) -> None:
        """Append a BatchNorm and a Scale with values like those from training."""
        means = {"slope": 1.0, "mean": 0.0, "var": 1.0, "bias": 0.0}
        weights = {
            name: self.weight(rng.uniform(mean - 0.2, mean + 0.2, channels))
            for name, mean in means.items()
        }
        self.add(BatchNormOp, "bn", weights, {"eps": 1e-5})
        weights = {
            name: self.weight(rng.uniform(mean - 0.2, mean + 0.2, channels))
            for name, mean in (("scale", 1.0), ("bias", 0.0))
        }
        self.add(ScaleOp, "scale", weights, {})

    def weight(self, values: Any) -> SSAValue:
        """Insert a float32 constant after the last layer."""
        type_ = TensorType(f32, values.shape)
        constant = ConstantOp.of(make_weight(values.astype("f4"), type_), type_)
        constant.output.name_hint = "w"
        self.block.insert_op_before(constant, self.host)
        return constant.output

    def add(
        self,
        cls: type[LayerOp],
        suffix: str,
        weights: Mapping[str, SSAValue],
        params: Mapping[str, Value],
    ) -> None:
        """Append a layer."""
        result = self.last.results[0]
        op = cls.make([result], weights, [result.type], {})
        op.init_params(params)
        own = self.host.layer_name
        name = self.names.unique(f"{own.data if own else 'layer'}_{suffix}")
        set_names(op, name, [name])
        op.set_params(shape_hints=self.host.shape_hints, featmask=self.host.featmask)
        self.block.insert_op_after(op, self.last)
        self.last = op


def rewrite(path: Path, result: Path) -> None:
    """Take a model apart, from file to file. Raise one of `USER_ERRORS`."""
    there = Path(weights_beside(str(path))).exists()
    module = read_model(str(path), ReadOptions(weights=None if there else "random")).module
    take_apart(module)
    module.verify()
    write_model(module, Output(str(result)))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.taking_apart",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("model", type=Path, help="a .param or .param.bin")
    parser.add_argument("result", type=Path, help="the .param that is written")
    args = parser.parse_args()
    try:
        target_for(str(args.result))
        rewrite(args.model, args.result)
    except USER_ERRORS as e:
        sys.exit(f"{parser.prog}: {describe(e, str(args.model))}")


if __name__ == "__main__":
    main()
