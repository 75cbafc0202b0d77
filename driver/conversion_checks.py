"""Comparison of a converted model with PNNX's own graph: outputs in the ncnn runtime, for random
inputs."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec

import numpy as np
from xdsl.dialects.builtin import ModuleOp, f16, f32
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.lookup import model_of
from ..dialects.pnnx.operations import GraphOp, graph_in
from ..formats.file_names import weights_beside
from ..interpreters.errors import RunError
from ..interpreters.source.source_steps import Array
from ..runtime.engines import run_ncnn
from ..runtime.layerwise.blobs import ordered_outputs
from ..runtime.layerwise.comparison import (
    TOLERANCE,
    compare_with_source,
    output_error,
    tensors_of,
)
from ..runtime.layerwise.comparison_text import reason_of_disagreement
from ..runtime.layerwise.operand_values import outputs_of
from ..runtime.process import Runtime
from ..runtime.trial_shapes import random_inputs
from ..transforms import REPAIR
from .observers.run_observer import RunObserver
from .source_models import HalfWeights, source_of_graph

SAMPLES = 2
"""The number of random inputs. The second ones are not negative, as an image."""

KEEP_GOING = "--keep-going writes it nevertheless"
WITHOUT = "--pnnx none takes the converter's own model"


class ConversionCheck(RunObserver):
    """Compares the outputs of a model with PNNX's own graph.

    The final model is compared. If its inputs, outputs or types of weights are no longer those of
    the conversion, the model directly behind the conversion is compared."""

    def __init__(
        self, module: ModuleOp, pnnx: str, keep_going: bool = False, remedy: str = KEEP_GOING
    ) -> None:
        """`module` contains the graph, `pnnx` is its path for messages. `keep_going`: whether a
        difference is a warning, not an error. `remedy`: the end of the error."""
        graph = graph_in(module)
        assert graph is not None
        self.graph = graph.clone()
        self.pnnx = pnnx
        self.keep_going = keep_going
        self.remedy = remedy
        self.converted: ModuleOp | None = None

    def between_passes(
        self, done: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        """Keep a copy of the model behind the last pass of the conversion."""
        is_last = following is None or following.name not in REPAIR
        if done is not None and done.name in REPAIR and is_last:
            self.converted = ModuleOp([model_of(module).clone()])

    def compare(self, module: ModuleOp, path: str, rounded: bool = False) -> str:
        """Return a line about the comparison. `rounded`: whether passes rounded weights again.
        Raises `RunError` if an output differs, and names the operator, unless `keep_going`."""
        if reason := self.missing():
            return f"outputs not compared: needs {reason}"
        converted = self.converted or module
        same = not rounded and has_same_interface(model_of(converted), model_of(module))
        compared = module if same and has_floats(model_of(module)) else converted
        try:
            samples = samples_of(model_of(compared))
        except RunError as e:  # the shape of an input is not known
            return f"outputs not compared: {e}"
        try:
            return compare_outputs(compared, path, samples, self.graph, self.pnnx)
        except RunError as e:
            problem = f"the model differs from {self.pnnx}: {e}"
            if self.keep_going:
                return f"warning: {problem}"
            raise RunError(f"{problem}; {self.remedy}") from e

    def missing(self) -> str:
        """Return the thing without which nothing can be compared, or an empty string."""
        if find_spec("torch") is None:
            return "PyTorch: pip install 'ncnn-opt[export]'"
        if not Runtime.is_there():
            return "the ncnn runtime: pip install 'ncnn-opt[verify]'"
        has_weights = any(op.weight_types() for op in self.graph.operators())
        return weights_beside(self.pnnx) if has_weights and self.graph.archive is None else ""


def has_same_interface(one: FuncOp, two: FuncOp) -> bool:
    """Whether two models have the same inputs, with the same static shapes, and outputs."""
    shapes = [
        {name: static_shape_of(arg) for name, arg in inputs_of(func).items()} for func in (one, two)
    ]
    same = shapes[0] == shapes[1] and None not in shapes[0].values()
    return same and ordered_outputs(one) == ordered_outputs(two)


def has_floats(func: FuncOp) -> bool:
    """Whether all weights of a model are float32 or float16."""
    types = {
        op.output.type.element_type for op in func.body.block.ops if isinstance(op, ConstantOp)
    }
    return types <= {f32, f16}


def compare_outputs(
    module: ModuleOp,
    path: str,
    samples: Sequence[Mapping[str, Array]],
    graph: GraphOp,
    pnnx: str,
    tolerance: float = TOLERANCE,
) -> str:
    """Compare the outputs of a model in the ncnn runtime with PNNX's graph, for these inputs.
    Return a line. Raises `RunError` if an output differs."""
    func, errors = model_of(module), list[float]()
    source = source_of_graph(graph, pnnx, HalfWeights(module) or None)
    for blobs in samples:
        tensors = tensors_of(source, [blobs[name] for name in inputs_of(func)], path)
        expected = list(outputs_of(source, tensors).values())
        names = ordered_outputs(func)
        if len(expected) != len(names):
            raise RunError(f"{pnnx} has {len(expected)} outputs, and the model has {len(names)}")
        arrays = [array for array in expected if array is not None]
        if len(arrays) != len(names) or not all(np.isfinite(x).all() for x in arrays):
            continue
        made = run_ncnn(module, blobs, names, None, True)
        error = max(output_error(a, made[name]) for a, name in zip(arrays, names, strict=True))
        if not error <= tolerance:
            found = compare_with_source(
                module, path, blobs, source, source, tolerance=tolerance, engine="ncnn"
            )
            raise RunError(
                f"error {error:.3g}, limit {tolerance:g}"
                if found
                else reason_of_disagreement(found)
            )
        errors.append(error)
    if not errors:
        return f"outputs not compared: needs a finite result of PyTorch, which {pnnx} does not give"
    return (
        f"outputs agree with {pnnx} in the ncnn runtime (error {max(errors):.2g}, "
        f"limit {tolerance:g})"
    )


def samples_of(func: FuncOp) -> Sequence[Mapping[str, Array]]:
    """Return random inputs. Raises `RunError` if a shape is not known."""
    found: list[Mapping[str, Array]] = []
    for seed in range(SAMPLES):
        blobs, _ = random_inputs(func, seed)
        found.append({name: abs(x) if seed else x for name, x in blobs.items()})
    return found
