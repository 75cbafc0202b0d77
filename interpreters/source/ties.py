"""A stable order of equal elements in `sort` and `topk`. PyTorch leaves it open: it depends on the
processor. Behind an `argmax` many elements are equal."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from .source_steps import import_torch, torch


def stable_order() -> AbstractContextManager[Any]:
    """Return the context in which PyTorch keeps the order of equal elements."""
    return _mode()()


@cache
def _mode() -> Any:
    base: Any = import_torch("torch.utils._python_dispatch").TorchDispatchMode
    aten = torch.ops.aten

    def stable_sort(
        x: Any, dim: int = -1, descending: bool = False, stable: bool | None = None
    ) -> Any:
        return aten.sort.stable(x, stable=True, dim=dim, descending=descending)

    def stable_topk(x: Any, k: int, dim: int = -1, largest: bool = True, *_: Any, **__: Any) -> Any:
        if not x.dim():
            return aten.topk.default(x, k, dim, largest)
        found = aten.sort.stable(x, stable=True, dim=dim, descending=largest)
        return tuple(part.narrow(dim, 0, k).contiguous() for part in found)

    functions = {
        aten.sort.default: stable_sort,
        aten.sort.stable: stable_sort,  # `stable` may be false
        aten.topk.default: stable_topk,
    }

    class Stable(base):
        """Replaces the functions whose order is open."""

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            chosen: Any = functions.get(func, func)
            return chosen(*args, **(kwargs or {}))

    return Stable
