"""What `--opaque-caches` gains for decoders of language models: three blocks of each, prefill and
one step, in float32 and with weights of 8 bits in blocks, and whether the outputs stay equal. The
caches grow in place, as in ncnn's own benchmark, or are copied in each call, as by Python's
`extract`. The lengths fill the runtime's panels, so copies are complete (docs/decoders.md)."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from ncnn_opt.dialects.ncnn.attention import RotaryEmbedOp, SDPAOp
from ncnn_opt.dialects.ncnn.blob import shape_of
from ncnn_opt.dialects.ncnn.elementwise import BinaryOpOp
from ncnn_opt.dialects.ncnn.function import named, set_outputs
from ncnn_opt.dialects.ncnn.lookup import layers_of, model_of
from ncnn_opt.dialects.ncnn.normalization import RMSNormOp
from ncnn_opt.driver.decoder import Decoder, Tokens
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.pipelines import run_pipeline
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.runtime.differences import relative_error
from ncnn_opt.targets.param.export import export_module
from xdsl.dialects.func import FuncOp

from .measuring import print_table
from .timing import cell_of, compare, title

BLOCKS = 3
PAST = (128, 512, 2048)
PREFILL = 512
TOKENS = Tokens(7, 20)
"""The calls whose outputs are compared."""
HIDDEN = -1e9
ADD = 0
"""The addition of BinaryOp."""
SHARED = "eliminate-split,eliminate-repeated-heads{opaque_caches=true}"
EIGHT_BITS = "quantize-weights{bits=8 block=64}"


def measure(folder: Path, models: Sequence[Path], seconds: float) -> None:
    """Print the table."""
    rows = [row for path in models for row in _rows(folder, path, seconds)]
    head = [
        "decoder",
        "weights",
        "Tiles",
        "error",
        "caches",
        f"prefill {PREFILL}",
        *(f"step after {n}" for n in PAST),
    ]
    print_table(title(" with shared heads to that without"), head, rows)


def _rows(folder: Path, path: Path, seconds: float) -> Iterator[list[str]]:
    """Yield two rows for each storage of weights, for caches that grow in place and for copies; one
    row, without times, if no head is shared."""
    for storage, passes in (("float32", ""), ("8 bits", EIGHT_BITS)):
        before, after = folder / "before.param", folder / "after.param"
        width = features = 0
        for out, rewrites in ((before, ""), (after, SHARED)):
            module = read_model(str(path), ReadOptions("random")).module
            width, features = cut(model_of(module))
            pipeline = ["eliminate-dead-layers", rewrites, passes]
            run_pipeline(module, [each for each in pipeline if each])
            export_module(module).save(str(out), str(out.with_suffix(".bin")))
        types = [
            [line.split()[0] for line in file.read_text().splitlines()] for file in (before, after)
        ]
        tiles = " → ".join(str(each.count("Tile")) for each in types)
        error = f"{agreement(before, after, width, features):.1e}"
        model = path.name.partition("_decoder")[0]
        if types[0][2:] == types[1][2:]:  # behind the magic and the counts
            yield [model, storage, tiles, error, "any", *["the same layers"] * (1 + len(PAST))]
            continue
        pair = [after, before]
        for copied in (False, True):
            cells = [
                _ratio(pair, folder, width, features, past, steps, seconds, copied)
                for past, steps in ((0, PREFILL), *((n, 1) for n in PAST))
            ]
            caches = "copied" if copied else "in place"
            yield [model, storage, tiles, error, caches, *cells]


def agreement(before: Path, after: Path, width: int, features: int) -> float:
    """Return the largest error of hidden states over a prefill and 20 steps, relative to the
    largest one. One call of the original for all tokens tells what is right: for some lengths of
    the prefill, the runtime's own results differ from it by 2 %."""
    inputs = _inputs(width, features, 0, TOKENS.every)
    found: list[np.ndarray] = []
    for path, counts in ((before, [TOKENS.every]), (after, TOKENS.calls())):
        decoder = Decoder(read_model(str(path), ReadOptions()), inputs, TOKENS, 0)
        decoder.outputs = ["out0"]
        found.append(np.concatenate([call["out0"] for call in decoder.decode(counts).blobs]))
    return relative_error(*found)


def cut(func: FuncOp) -> tuple[int, int]:
    """Keep the first blocks of a decoder. Return its features, and those of a rotation."""
    layers = layers_of(func)
    attentions = [op for op in layers if isinstance(op, SDPAOp)][:BLOCKS]
    later = layers[layers.index(attentions[-1]) :]
    sums = [op for op in later if isinstance(op, BinaryOpOp) and op.op_type == ADD]
    caches = [
        (op.outputs[i], named(f"out_cache_{kind}{number}"))
        for number, op in enumerate(attentions)
        for i, kind in ((1, "k"), (2, "v"))
    ]
    set_outputs(func, [(sums[1].results[0], named("out0")), *caches])
    width = next(op.affine_size for op in layers if isinstance(op, RMSNormOp))
    turned = next(shape_of(op.outputs[0]) for op in layers if isinstance(op, RotaryEmbedOp))
    assert turned is not None
    return width, turned[-1] // 2


def _ratio(
    models: Sequence[Path],
    folder: Path,
    width: int,
    features: int,
    past: int,
    steps: int,
    seconds: float,
    copied: bool,
) -> str:
    print(f"{steps} steps after {past} …", file=sys.stderr)
    first = None if past == 0 else _inputs(width, features, 0, past)
    inputs = _inputs(width, features, past, steps)
    timing = compare(models, inputs, folder, seconds, prefill=first, half=False, copied=copied)
    times = f"{timing.milliseconds(1):.2f} → {timing.milliseconds(0):.2f} ms"
    return f"{times}, {cell_of(timing.ratio(0, 1))}"


def _inputs(width: int, features: int, past: int, steps: int) -> dict[str, np.ndarray]:
    """Return hidden states, a causal mask, and the cosines and sines of positions."""
    rng = np.random.default_rng(past)
    angles = np.outer(np.arange(past, past + steps), 1e4 ** -np.linspace(0, 1, features))
    return {
        "in0": rng.standard_normal((steps, width)).astype("f4"),
        "in1": np.triu(np.full((steps, past + steps), HIDDEN, "f4"), past + 1),
        "in2": np.cos(angles).astype("f4"),
        "in3": np.sin(angles).astype("f4"),
    }
