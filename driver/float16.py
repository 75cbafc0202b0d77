"""`--fp16-safe`: models whose values stay in the range of float16."""

from xdsl.dialects.builtin import ModuleOp

from ..dialects.ncnn.lookup import model_of
from .requests import Float16Request


def make_float16_safe(module: ModuleOp, asked: Float16Request, release: str | None) -> list[str]:
    """Rescale weights and set feature masks (see `transforms/float16_safety/`). Return lines about
    the changes."""
    from ..transforms.float16_safety.safety import make_safe
    from .samples import read_arrays

    func = model_of(module)
    samples, warnings = read_arrays(func, asked.data)
    lines = [f"warning: {message}" for message in warnings]
    named = [(name, samples.load(i)) for i, name in enumerate(samples.names())]
    return [*lines, *make_safe(func, named, asked.margin, asked.max_error, release or "").lines()]
