"""From a PyTorch module to a compared ncnn model: PNNX converts, then the result is repaired,
optimized, written and compared."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.function import inputs_of
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.lookup import model_of
from ..dialects.pnnx.tensors import NAMES_IN_TORCH
from ..frontends import ReadOptions
from ..interpreters.errors import RunError
from ..interpreters.source.steps import as_array, check_torch, import_torch
from ..runtime.layerwise.comparison import SourceAgreement
from ..targets import Output
from ..targets.files import check_writable
from ..targets.overwriting import Origin
from .calls import passes_of_optimize
from .companions import read_repaired
from .errors import UsageError
from .files import Source, read_model, write_model
from .missing import describe_missing, missing_layers
from .pipelines import run_pipeline
from .running import as_blobs
from .source_models import as_blob, compare_with_callable

SECONDS = 3600
"""The time limit of the converter in seconds."""

TYPES = {name: short for short, name in NAMES_IN_TORCH.items() if "complex" not in name}
"""PNNX's names of PyTorch's element types."""


@dataclass
class Exported:
    """The result of an export. It is true if the model agrees with PyTorch."""

    path: str
    """The `.param` that was written."""
    steps: list[str] = field(default_factory=list[str])
    """A line for each thing that was done."""
    agreement: SourceAgreement | None = None
    """The comparison with PyTorch; `None` if it was not requested."""

    def __bool__(self) -> bool:
        return self.agreement is None or bool(self.agreement)

    def __str__(self) -> str:
        """Return the steps, and the comparison."""
        return "\n".join([*self.steps, *([] if self.agreement is None else [str(self.agreement)])])


def export_module(
    module: Any,
    inputs: Sequence[Any],
    path: str,
    *,
    optimize: bool = True,
    fp16: bool = True,
    compare: bool = True,
    tolerance: float = 1e-3,
    engine: str = "numpy",
) -> Exported:
    """Convert a module of PyTorch, or a model of Ultralytics, and write it to `path`. Raises one of
    `USER_ERRORS`; nothing is written then."""
    check_torch()
    if not path.endswith(".param"):
        raise UsageError(f"export writes a .param, not '{path}'")
    check_writable(path)
    result = Exported(path)
    with tempfile.TemporaryDirectory(prefix="ncnn-opt-export-") as scratch:
        if writes_ncnn_itself(module):
            param = _export_itself(module, result)
            module = module.model
        else:
            param = _run_pnnx(module, inputs, Path(scratch), fp16, result)
        source = read_repaired(param, ReadOptions(), None)
        _describe_repairs(param, source, result)
        if optimize:
            before = _count_layers(source)
            run_pipeline(source.module, passes_of_optimize(source.module), param)
            after = _count_layers(source)
            result.steps.append(f"optimized with -O: {before} -> {after} layers")
        result.steps += describe_missing(missing_layers(source.module), True)
        if compare:
            result.agreement = _compare(module, inputs, source, path, tolerance, engine)
        write_model(source.module, Output(path, origin=Origin(path)))
        result.steps.append(f"wrote {path}")
    return result


def _count_layers(source: Source) -> int:
    """Return the number of layers other than constants."""
    ops = model_of(source.module).body.block.ops
    return sum(isinstance(op, LayerOp) and not isinstance(op, ConstantOp) for op in ops)


def writes_ncnn_itself(module: Any) -> bool:
    """Whether this is a model of Ultralytics: it has a method `export(format=…)` and the module of
    PyTorch as `model`."""
    return callable(getattr(module, "export", None)) and callable(getattr(module, "model", None))


def _export_itself(module: Any, result: Exported) -> str:
    """Let a model export itself, and return the `.param` in its folder. Raises `RunError`."""
    try:
        folder = str(module.export(format="ncnn"))
    except Exception as e:  # any error of another package
        raise RunError(f"the model's own export failed: {e}") from e
    found = sorted(Path(folder).glob("*.ncnn.param"))
    if not found:
        raise RunError(f"the model's own export wrote no .ncnn.param in {folder}")
    result.steps.append(f"exported by the model itself to {folder}")
    return str(found[0])


def _run_pnnx(
    module: Any, inputs: Sequence[Any], folder: Path, fp16: bool, result: Exported
) -> str:
    """Convert a module in a folder, and return the `.param`. Raises `RunError`."""
    torch = import_torch()

    if find_spec("pnnx") is None:
        raise RunError("PNNX is not installed: pip install 'ncnn-opt[export]'")
    training = isinstance(module, torch.nn.Module) and module.training
    try:
        if training:
            module.eval()
        with torch.no_grad():
            script = torch.jit.trace(module, tuple(inputs), check_trace=False)
    except Exception as e:  # any error of a user's code
        reason = str(e).strip().splitlines() or [type(e).__name__]
        raise RunError(f"PyTorch cannot trace the module: {reason[0]}") from e
    finally:
        if training:
            module.train()
    script.save(str(folder / "m.pt"))  # pyright: ignore
    shapes = ",".join(map(_shape_argument, inputs))
    program = os.fspath(getattr(import_torch("pnnx"), "EXEC_PATH", "pnnx"))
    command = [program, "m.pt", f"inputshape={shapes}", f"fp16={int(fp16)}"]
    # The converter's own comparison and its Python and ONNX files are not needed.
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=SECONDS
    )
    param = folder / "m.ncnn.param"
    if done.returncode or not param.exists():
        lines = (done.stderr or done.stdout).strip().splitlines() or [f"status {done.returncode}"]
        raise RunError(f"PNNX did not convert the module: {lines[-1]}")
    result.steps.append("converted with PNNX" + (", float16 weights" if fp16 else ""))
    return str(param)


def _shape_argument(tensor: Any) -> str:
    """Return an input's shape as the converter's argument: `[1,3,224,224]f32`. Raises
    `UsageError`."""
    dtype = str(tensor.dtype).removeprefix("torch.")
    if dtype not in TYPES:
        raise UsageError(f"PNNX has no inputs of {dtype}")
    return f"[{','.join(map(str, tensor.shape))}]{TYPES[dtype]}"


def _describe_repairs(param: str, source: Source, result: Exported) -> None:
    """Report the layers that ncnn lacks and their repair."""
    before = missing_layers(read_model(param, ReadOptions(custom_types_optional=True)).module)
    after = missing_layers(source.module)
    for type_, names in before.items():
        left = len(after.get(type_, []))
        if len(names) > left:
            result.steps.append(f"repaired {len(names) - left} layers {type_}, which ncnn lacks")


def _compare(
    module: Callable[..., Any],
    inputs: Sequence[Any],
    source: Source,
    path: str,
    tolerance: float,
    engine: str,
) -> SourceAgreement:
    """Compare the model with the module on the example inputs. Raises `RunError`."""
    func = model_of(source.module)
    names, arrays = inputs_of(func), [as_array(tensor) for tensor in inputs]
    if len(names) != len(arrays):
        raise RunError(
            f"{path} has {len(names)} inputs, and {len(arrays)} example inputs are given"
        )
    given = {
        name: as_blob(arg, array)
        for (name, arg), array in zip(names.items(), arrays, strict=True)
        if array is not None
    }
    blobs = as_blobs(func, given)
    return compare_with_callable(
        source.module, path, blobs, module, inputs, tolerance=tolerance, engine=engine
    )
