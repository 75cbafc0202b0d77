"""Custom layers with weights: a `.bin` whose layout is unknown is refused."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ncnn_opt

Command = Callable[..., object]
Refused = Callable[..., str]


def model(type_: str, before: bool = True) -> str:
    """A model with a custom layer before or behind an InnerProduct."""
    blobs = ("x", "y", "z") if before else ("x", "z", "y")
    custom = f"{type_} w1 1 1 {'x y' if before else 'y z'}"
    product = f"InnerProduct fc 1 1 {'y z' if before else 'x y'} 0=4 1=1 2=12"
    layers = [custom, product] if before else [product, custom]
    return "\n".join(["7767517", f"3 {len(blobs)}", "Input x 0 1 x 0=3", *layers, ""])


@pytest.mark.parametrize("type_", ["my.Warp", "Warp"])
def test_surplus_before_a_layer_with_weights(type_: str, folder: Path, refused: Refused) -> None:
    (folder / "c.param").write_text(model(type_))
    (folder / "c.bin").write_bytes(bytes(4 * (8 + 1 + 12 + 4)))  # zeros, which are tags, too
    message = refused(["c.param", "-o", "out.param"])
    assert f"--custom-weights {type_}=COUNT" in message
    assert f"These bytes may belong to {type_} 'w1', which precedes layers with weights" in message
    assert "--allow-trailing-weights" not in message
    message = refused(["c.param", "--allow-trailing-weights", "-o", "out.param"])
    assert "; --allow-trailing-weights cannot ignore them" in message
    assert message.endswith(f"If it has no weights: --custom-weights {type_}=0")


def test_custom_layer_without_weights(folder: Path, command: Command, refused: Refused) -> None:
    (folder / "s.param").write_text(model("Warp"))
    none = ["--custom-weights", "Warp=0"]
    command(["-q", "s.param", "--weights", "random", *none, "-o", "c.param"])
    weights = (folder / "c.bin").read_bytes()
    (folder / "c.bin").write_bytes(weights + bytes(8))
    # The statement alone does not hide the surplus.
    message = refused(["c.param", *none, "-o", "out.param"])
    assert message.endswith("; --allow-trailing-weights ignores them")
    command(["c.param", *none, "--allow-trailing-weights", "-o", "out.param"])
    assert (folder / "out.bin").read_bytes() == weights
    for counts in ([], [0]):
        with pytest.raises(ncnn_opt.NcnnOptError, match="8 bytes are left over"):
            ncnn_opt.load(folder / "c.param", custom_weights={"Warp": counts})
        ncnn_opt.load(
            folder / "c.param", custom_weights={"Warp": counts}, allow_trailing_weights=True
        )
    for wrong in ("Warp=0,3", "Warp=3,0", "Warp=", "=0", "Warp=00"):
        assert "TYPE=0" in refused(["c.param", "--custom-weights", wrong, "-o", "out.param"])


def test_surplus_of_the_last_layer(folder: Path, command: Command, refused: Refused) -> None:
    (folder / "s.param").write_text(model("Warp", before=False))
    command(["-q", "s.param", "--weights", "random", "--custom-weights", "Warp=8", "-o", "c.param"])
    assert refused(["c.param", "-o", "out.param"]).endswith("--allow-trailing-weights ignores them")
    command(["c.param", "--allow-trailing-weights", "-o", "out.param"])


def test_custom_layers_are_not_calibrated(folder: Path, command: Command) -> None:
    pytest.importorskip("ncnn")
    (folder / "s.param").write_text(model("Warp"))
    np.save(folder / "s.npy", np.ones((2, 3), "f4"))
    arguments = ["s.param", "--weights", "random", "--data", "s.npy", "-o", "q.param"]
    result = command(arguments, tool="ncnn-quantize", check=False)
    error = str(getattr(result, "stderr"))  # noqa: B009
    assert "'w1' is a custom layer, which the ncnn package cannot run on samples" in error
    assert "--weights-only" in error
