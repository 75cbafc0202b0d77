# pyright: basic, reportMissingImports=false
"""Small models of transformers with random weights."""

from collections.abc import Callable
from typing import Any, TypeAlias

Made: TypeAlias = tuple[Any, Any]
"""A module and its inputs."""
Maker: TypeAlias = Callable[[], Made]

WORDS = 1000
"""The number of words of a language model."""
SIZES = {
    "hidden_size": 128,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 256,
}
"""The sizes of a transformer under their usual names."""
LAST = "last_hidden_state"


def build(
    name: str,
    inputs: Callable[[], Any],
    *results: str,
    config: str = "",
    part: str = "",
    call: dict[str, Any] | None = None,
    keys: tuple[str, ...] = (),
    **params: Any,
) -> Maker:
    """Return a function that makes the class `name` of transformers, or a `part` of it.

    `config` is the name of the class of its configuration, by default the one of the same family.
    `results` are the attributes of its output, none if the output is a tensor. `keys` are the names
    of the inputs, by default by their place. `call` are further arguments.
    """

    def make() -> Made:
        import torch
        import transformers

        cls = getattr(transformers, name)
        configuration = cls.config_class if not config else getattr(transformers, config)
        values = {k: v() if callable(v) else v for k, v in params.items()}
        model = cls(configuration(**values))
        for word in filter(None, part.split(".")):
            found = getattr(model, word)
            model = found() if word.startswith("get_") else found

        class Model(torch.nn.Module):
            """A model whose result is its tensors."""

            def __init__(self) -> None:
                super().__init__()
                self.model = model

            def forward(self, *tensors: Any) -> Any:
                named = dict(zip(keys, tensors, strict=False))
                found = self.model(*tensors[len(named) :], **named, **(call or {}))
                made = tuple(getattr(found, result) for result in results)
                return found if not made else made[0] if len(made) == 1 else made

        return Model(), inputs()

    return make


def sub(name: str, **params: Any) -> Callable[[], Any]:
    """Return a function that makes a configuration inside another one."""

    def make() -> Any:
        import transformers

        values = {k: v() if callable(v) else v for k, v in params.items()}
        return getattr(transformers, name)(**values)

    return make


def image(height: int, width: int = 0) -> Callable[[], Any]:
    """Return a function that makes an image."""

    def make() -> Any:
        import torch

        return (torch.rand(1, 3, height, width or height),)

    return make


def numbers(*shapes: tuple[int, ...]) -> Callable[[], Any]:
    """Return a function that makes tensors of normal numbers."""

    def make() -> Any:
        import torch

        return tuple(torch.randn(shape) for shape in shapes)

    return make


def words(count: int = 16, *shapes: tuple[int, ...], limit: int = WORDS) -> Callable[[], Any]:
    """Return a function that makes words, and further tensors of normal numbers."""

    def make() -> Any:
        import torch

        return (torch.randint(3, limit, (1, count)), *numbers(*shapes)())

    return make
