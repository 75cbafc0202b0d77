"""Models for inputs of one shape, or of no larger one."""

from collections.abc import Sequence
from pathlib import Path

from ncnn_opt.transforms import OPTIMIZE

from .driver import OTHERS, Trial
from .nets import Net
from .runtime import Runtime
from .varying import Feed


def promise(net: Net, option: str = "fixed") -> str:
    """The pass that promises the shapes for which a net was made; `at_most`: that inputs have no
    larger ones."""
    shapes = {name: "x".join(map(str, v.shape)) for name, v in net.inputs.items()}
    texts = ",".join(f'"{name}:{shape}"' for name, shape in shapes.items())
    return f"ncnn-specialize-shapes{{{option}={texts}}}"


def promised(net: Net, passes: Sequence[str] = OPTIMIZE, option: str = "fixed") -> list[str]:
    """Passes that may rely on the inputs of a net."""
    return [promise(net, option), *passes]


def trial(net: Net, runtime: Runtime, folder: Path, option: str = "fixed") -> Trial:
    """A net that is asked only for what is promised of its inputs."""

    def is_within(feed: Feed) -> bool:
        pairs = ((v.shape, net.inputs[name].shape) for name, v in feed.inputs.items())
        return all(
            len(a) == len(b) and all(m <= n for m, n in zip(a, b, strict=True)) for a, b in pairs
        )

    return Trial(net, runtime, folder, others=0 if option == "fixed" else OTHERS, only=is_within)
