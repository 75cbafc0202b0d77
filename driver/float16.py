"""`--fp16-safe`: models whose values stay in the range of float16."""

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.lookup import model_of
from .requests import Float16Request


def make_float16_safe(
    module: ModuleOp, asked: Float16Request, release: str | None, output: str | None = None
) -> list[str]:
    """Rescale weights and set feature masks (see `transforms/float16_safety/`). Return lines about
    the changes, and the next steps with the file `output`."""
    from ..samples.reader import read_arrays
    from ..transforms.float16_safety.safety import make_safe

    func = model_of(module)
    lines: list[str] = []
    samples = read_arrays(func, asked.data, lambda text: lines.append(f"warning: {text}"))
    named = [(name, samples.load(i)) for i, name in enumerate(samples.names())]
    safety = make_safe(func, named, asked.margin, asked.max_error, release or "")
    if output in (None, "-"):
        return [*lines, *safety.lines(data=asked.data)]
    return [*lines, *safety.lines(output, asked.data), *safety.next_steps(output)]
