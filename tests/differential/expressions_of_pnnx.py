"""Models of PNNX's operators, legalized and run in the ncnn runtime."""

from collections.abc import Sequence
from pathlib import Path

from ncnn_opt.driver.environment import make_context
from ncnn_opt.driver.pipelines import run_pipeline
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.targets.param.export import export_module
from ncnn_opt.transforms import OPTIMIZE, REPAIR

from .runtime import Array, Failure, Runtime

Shape = tuple[int, ...]


def tensor(shape: Shape) -> str:
    """A type of float32."""
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


def function(inputs: Sequence[Shape], lines: Sequence[str], result: str, shape: Shape) -> str:
    """A function as text: flat inputs `%x0`, `%x1`, … that are the tensors `%a0`, `%a1`, …; the
    result is the flat output `y`."""
    sizes = [_size(s) for s in inputs]
    arguments = [f'%x{i}: {tensor((n,))} {{ncnn.blob = "x{i}"}}' for i, n in enumerate(sizes)]
    casts = [
        f"%a{i} = pnnx.cast %x{i} : {tensor((n,))} to {tensor(s)}"
        for i, (n, s) in enumerate(zip(sizes, inputs, strict=True))
    ]
    flat = tensor((_size(shape),))
    body = "\n  ".join([*casts, *lines])
    return (
        f'func.func @main({", ".join(arguments)}) -> ({flat} {{ncnn.blob = "y"}}) {{\n  {body}\n'
        f"  %y = pnnx.cast {result} : {tensor(shape)} to {flat}\n"
        f'  %z = ncnn.relu %y {{name = "y", slope = 1.0}} : ({flat}) -> {flat}\n'
        f"  func.return %z : {flat}\n}}\n"
    )


def expression(text: str, count: int, size: int) -> str:
    """A function of one expression of so many flat operands."""
    line = operator(
        "%v", "pnnx.Expression", f'expr = "{text}"', [f"%a{i}" for i in range(count)], [(size,)]
    )
    return function([(size,)] * count, [line], "%v", (size,))


def operator(
    result: str,
    kind: str,
    params: str,
    operands: Sequence[str],
    shapes: Sequence[Shape],
    out: Shape | None = None,
) -> str:
    """An operator as text; operands of one shape if only one is given, which is the result's too
    unless it is given."""
    every = list(shapes) if len(shapes) == len(operands) else list(shapes) * len(operands)
    return (
        f'{result} = pnnx.op "{kind}" "op"({", ".join(operands)}) {{params = {{{params}}}}} : '
        f"({', '.join(map(tensor, every))}) -> {tensor(shapes[0] if out is None else out)}"
    )


def run(
    text: str, inputs: Sequence[Array], runtime: Runtime, folder: Path, optimize: bool = False
) -> Array:
    """The output of the legalized function, in the runtime."""
    module = parse_ir(make_context(), text.encode(), "model")
    run_pipeline(module, ",".join([*REPAIR, *(OPTIMIZE if optimize else [])]))
    export = export_module(module)
    param = folder / "model.param"
    param.write_text(export.param_text())
    with param.with_suffix(".bin").open("wb") as f:
        export.write_bin(f)
    fed = {f"x{i}": x.reshape(-1).astype("f4") for i, x in enumerate(inputs)}
    blobs = runtime.run(param, fed, ["y"])
    assert not isinstance(blobs, Failure), (blobs, text, param.read_text())
    return blobs["y"]


def _size(shape: Shape) -> int:
    size = 1
    for n in shape:
        size *= n
    return size
