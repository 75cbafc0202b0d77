"""Trains a language model with 0.1 million weights in NumPy, on generated sentences, and prints the
perplexity of the model, and of models that were made from it, on other sentences.

python examples/tiny_transformer.py train tiny.param --data calib.npz
python examples/tiny_transformer.py perplexity tiny.param q4.param

`train` writes the model, and samples of its inputs for calibration. Two blocks of attention and a
perceptron on characters, with 64 features: an Embed for characters and one for positions,
MultiHeadAttention with a mask, Gemm. Its inputs are `tokens`, `places` and `mask`. The seed is
fixed; training takes ten seconds.
"""

import argparse
import os
import random
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads take longer than they save here

import numpy as np
from ncnn_opt.formats.bin import padding
from ncnn_opt.formats.graph import Graph, LayerRecord, ParamValue
from ncnn_opt.formats.param_text import write_param_text
from ncnn_opt.formats.weight_storage import WeightStorage
from numpy.typing import NDArray

Array = NDArray[np.float32]
Weights = dict[str, Array]
Back = Callable[[Array], Array]

ALPHABET = "\n abcdefghijklmnopqrstuvwxyz0123456789+=.,"
STEPS, FEATURES, HEADS, HIDDEN, BLOCKS = 48, 64, 4, 256, 2
BATCH, ROUNDS, RATE = 16, 500, 4e-3
EPSILON = 1e-5
MATRICES = ("q", "k", "v", "o")

NAMES = ("anna", "bela", "carl", "dora", "emil", "fritz", "greta", "hans")
THINGS = ("apple", "book", "chair", "door", "egg", "flower", "glass", "hat", "key", "lamp")
COLOURS = ("red", "blue", "green", "black", "white", "yellow")
VERBS = ("has", "sees", "buys", "finds", "wants", "sells", "paints")


def made_up(seed: int, length: int) -> str:
    """Return generated sentences with learnable structure: spelling, agreement, sums."""
    rng = random.Random(seed)
    text = ""
    while len(text) < length:
        if rng.random() < 0.3:
            a, b = rng.randint(0, 9), rng.randint(0, 9)
            text += f"{a}+{b}={a + b}.\n"
            continue
        count = rng.choice(("a", "2", "3", "4", "5"))
        colour = rng.choice(COLOURS)
        thing = rng.choice(THINGS) + ("" if count == "a" else "s")
        other = rng.choice(NAMES)
        text += f"{rng.choice(NAMES)} {rng.choice(VERBS)} {count} {colour} {thing}, {other} too.\n"
    return text[:length]


def tokens_of(text: str) -> NDArray[np.int32]:
    """Return the positions of characters in the alphabet."""
    return np.array([ALPHABET.index(c) for c in text], np.int32)


# -- The model, forward and backward. Each function returns its output, and a function that converts
# -- the output's gradient to the input's gradient and adds the gradients of weights to `grads`.


def linear(x: Array, w: Weights, grads: Weights, name: str) -> tuple[Array, Back]:
    """`x @ transpose(weight) + bias`."""

    def back(g: Array) -> Array:
        flat = g.reshape(-1, g.shape[-1])
        grads[f"{name}.w"] = flat.T @ x.reshape(-1, x.shape[-1])
        grads[f"{name}.b"] = flat.sum(0)
        return g @ w[f"{name}.w"]

    return x @ w[f"{name}.w"].T + w[f"{name}.b"], back


def norm(x: Array, w: Weights, grads: Weights, name: str) -> tuple[Array, Back]:
    """LayerNorm with gamma and beta."""
    centred = x - x.mean(-1, keepdims=True)
    inverse = 1 / np.sqrt(np.square(centred).mean(-1, keepdims=True) + np.float32(EPSILON))
    unit = centred * inverse

    def back(g: Array) -> Array:
        grads[f"{name}.w"] = (g * unit).sum((0, 1))
        grads[f"{name}.b"] = g.sum((0, 1))
        g = g * w[f"{name}.w"]
        along = (g * unit).mean(-1, keepdims=True)
        return inverse * (g - g.mean(-1, keepdims=True) - unit * along)

    return unit * w[f"{name}.w"] + w[f"{name}.b"], back


def split_heads(x: Array) -> Array:
    return x.reshape(*x.shape[:2], HEADS, -1).swapaxes(1, 2)


def join_heads(x: Array) -> Array:
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)


def attention(x: Array, w: Weights, grads: Weights, name: str) -> tuple[Array, Back]:
    """Attention of each position to itself and to earlier positions."""
    (q, back_q), (k, back_k), (v, back_v) = (linear(x, w, grads, f"{name}.{m}") for m in "qkv")
    q, k, v = split_heads(q), split_heads(k), split_heads(v)
    scale = np.float32((FEATURES // HEADS) ** -0.5)
    scores = q @ k.swapaxes(2, 3) * scale + mask()
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    y, back_o = linear(join_heads(shares @ v), w, grads, f"{name}.o")

    def back(g: Array) -> Array:
        g = split_heads(back_o(g))
        g_shares = g @ v.swapaxes(2, 3)
        g_scores = shares * (g_shares - (g_shares * shares).sum(-1, keepdims=True)) * scale
        return (
            back_q(join_heads(g_scores @ k))
            + back_k(join_heads(g_scores.swapaxes(2, 3) @ q))
            + back_v(join_heads(shares.swapaxes(2, 3) @ g))
        )

    return y, back


def perceptron(x: Array, w: Weights, grads: Weights, name: str) -> tuple[Array, Back]:
    """Two linear layers with a ReLU between them."""
    h, back_up = linear(x, w, grads, f"{name}.up")
    y, back_down = linear(np.maximum(h, 0), w, grads, f"{name}.down")
    return y, lambda g: back_up(back_down(g) * (h > 0))


def mask() -> Array:
    """Return the mask that is added to scores: later positions are hidden."""
    return np.triu(np.full((STEPS, STEPS), -1e9, "f4"), 1)


def gradients(w: Weights, tokens: NDArray[np.int32]) -> tuple[float, Weights]:
    """Return the mean loss of predicting each next token, and its gradients."""
    grads: Weights = {}
    given, wanted = tokens[:, :-1], tokens[:, 1:]
    x = w["tokens"][given] + w["places"]
    backs: list[tuple[Back, Back]] = []
    for i in range(BLOCKS):
        for part, layer in (("att", attention), ("mlp", perceptron)):
            unit, back_norm = norm(x, w, grads, f"{part}{i}.norm")
            y, back_layer = layer(unit, w, grads, f"{part}{i}")
            backs.append((back_norm, back_layer))
            x = x + y
    unit, back_norm = norm(x, w, grads, "norm")
    logits, back_out = linear(unit, w, grads, "out")
    logits -= logits.max(-1, keepdims=True)
    shares = np.exp(logits)
    shares /= shares.sum(-1, keepdims=True)
    picked = np.take_along_axis(shares, wanted[..., None], -1)
    g = shares / wanted.size
    np.put_along_axis(g, wanted[..., None], (picked - 1) / wanted.size, -1)
    g = back_norm(back_out(g.astype("f4")))
    for back_norm, back_layer in reversed(backs):
        g = g + back_norm(back_layer(g))
    grads["places"] = g.sum(0)
    grads["tokens"] = np.zeros_like(w["tokens"])
    np.add.at(grads["tokens"], given, g)
    return float(-np.log(picked).mean()), grads


def initial(rng: np.random.Generator) -> Weights:
    """Return initial weights."""
    w: Weights = {}

    def matrix(name: str, rows: int, columns: int, gain: float = 1.0) -> None:
        values = rng.standard_normal((rows, columns)) * gain / np.sqrt(columns)
        w[f"{name}.w"], w[f"{name}.b"] = values.astype("f4"), np.zeros(rows, "f4")

    def unit(name: str) -> None:
        w[f"{name}.w"], w[f"{name}.b"] = np.ones(FEATURES, "f4"), np.zeros(FEATURES, "f4")

    for name, rows in (("tokens", len(ALPHABET)), ("places", STEPS)):
        w[name] = (0.1 * rng.standard_normal((rows, FEATURES))).astype("f4")
    for i in range(BLOCKS):
        unit(f"att{i}.norm")
        unit(f"mlp{i}.norm")
        for m in MATRICES:
            matrix(f"att{i}.{m}", FEATURES, FEATURES, 0.5 if m == "o" else 1.0)
        matrix(f"mlp{i}.up", HIDDEN, FEATURES)
        matrix(f"mlp{i}.down", FEATURES, HIDDEN, 0.5)
    unit("norm")
    matrix("out", len(ALPHABET), FEATURES)
    return w


def train(rounds: int, tell: Callable[[str], object] = print) -> Weights:
    """Train with Adam and a learning rate that falls to 0, and return the weights."""
    rng = np.random.default_rng(0)
    text = tokens_of(made_up(0, 200_000))
    w = initial(rng)
    first = {name: np.zeros_like(value) for name, value in w.items()}
    second = {name: np.zeros_like(value) for name, value in w.items()}
    for n in range(1, rounds + 1):
        starts = rng.integers(0, len(text) - STEPS - 1, BATCH)
        loss, grads = gradients(w, np.stack([text[s : s + STEPS + 1] for s in starts]))
        rate = RATE * min(1.0, n / 50) * (1 - (n - 1) / rounds)
        for name, g in grads.items():
            first[name] += 0.1 * (g - first[name])
            second[name] += 0.01 * (g * g - second[name])
            mean, square = first[name] / (1 - 0.9**n), second[name] / (1 - 0.99**n)
            w[name] -= (rate * mean / (np.sqrt(square) + 1e-8)).astype("f4")
        if n % 100 == 0 or n == rounds:
            tell(f"{n} of {rounds}: loss {loss:.3f}")
    return w


# -- the model in files


def write(w: Weights, path: Path) -> None:
    """Write the `.param`, and the `.bin` beside it."""
    graph, data = Graph(), bytearray()

    def layer(kind: str, bottoms: list[str], tops: list[str], **params: float) -> None:
        values = {
            int(id[1:]): ParamValue.of_float(v) if isinstance(v, float) else ParamValue.of_int(v)
            for id, v in params.items()
        }
        graph.layers.append(LayerRecord(kind, tops[0], tuple(bottoms), tuple(tops), values))

    def weights(*names: str, tagged: bool) -> None:
        for name in names:
            content = w[name].tobytes()
            data.extend(WeightStorage.FLOAT32.tag_bytes if tagged else b"")
            data.extend(content + bytes(padding(len(content))))

    def gemm(below: str, name: str) -> None:
        n, k = w[f"{name}.w"].shape
        layer("Gemm", [below], [name], _3=1, _5=1, _6=1, _8=n, _9=k, _10=4)
        weights(f"{name}.w", f"{name}.b", tagged=True)

    def unit(below: str, name: str) -> None:
        layer("LayerNorm", [below], [name], _0=FEATURES, _1=EPSILON)
        weights(f"{name}.w", f"{name}.b", tagged=False)

    for name in ("tokens", "places"):
        layer("Input", [], [name], _0=STEPS)
    layer("Input", [], ["mask"], _0=STEPS, _1=STEPS)
    layer("Split", ["mask"], [f"mask{i}" for i in range(BLOCKS)])
    for name in ("tokens", "places"):
        rows = len(w[name])
        layer("Embed", [name], [f"{name}_"], _0=FEATURES, _1=rows, _3=rows * FEATURES)
        weights(name, tagged=True)
    layer("BinaryOp", ["tokens_", "places_"], ["x"])
    x = "x"
    for i in range(BLOCKS):
        for part in (f"att{i}", f"mlp{i}"):
            layer("Split", [x], [f"{part}.in", f"{part}.past"])
            unit(f"{part}.in", f"{part}.norm")
            if part.startswith("att"):
                blobs = [f"{part}.norm", f"mask{i}"]
                size = FEATURES * FEATURES
                layer("MultiHeadAttention", blobs, [part], _0=FEATURES, _1=HEADS, _2=size, _5=1)
                for m in MATRICES:
                    weights(f"{part}.{m}.w", tagged=True)
                    weights(f"{part}.{m}.b", tagged=False)
            else:
                gemm(f"{part}.norm", f"{part}.up")
                layer("ReLU", [f"{part}.up"], [f"{part}.relu"])
                gemm(f"{part}.relu", f"{part}.down")
            x = f"{part}.sum"
            own = part if part.startswith("att") else f"{part}.down"
            layer("BinaryOp", [own, f"{part}.past"], [x])
    unit(x, "norm")
    gemm("norm", "out")
    path.write_text(write_param_text(graph))
    path.with_suffix(".bin").write_bytes(data)


def inputs_of(tokens: NDArray[np.int32]) -> dict[str, Any]:
    """Return the inputs of the model for a window of text."""
    return {"tokens": tokens, "places": np.arange(STEPS, dtype=np.int32), "mask": mask()}


def write_samples(path: Path, count: int) -> None:
    """Write windows of the training text for calibration: an array for each input, with the samples
    along its outermost axis."""
    text = tokens_of(made_up(0, 200_000))
    starts = [i * len(text) // count for i in range(count)]
    samples = [inputs_of(text[start : start + STEPS]) for start in starts]
    arrays: dict[str, Any] = {name: np.stack([s[name] for s in samples]) for name in samples[0]}
    np.savez(path, **arrays)


# -- evaluation of models


def logits_of(path: Path, windows: NDArray[np.int32]) -> Array:
    """Return the outputs of the ncnn runtime for windows of text."""
    runtime: Any = import_module("ncnn")
    net = runtime.Net()
    net.opt.num_threads = 1
    net.opt.use_vulkan_compute = False
    net.opt.use_fp16_storage = net.opt.use_fp16_arithmetic = net.opt.use_fp16_packed = False
    net.opt.use_bf16_storage = False
    if net.load_param(str(path)) or net.load_model(str(path.with_suffix(".bin"))):
        raise SystemExit(f"{path}: the runtime does not load it")
    results: list[Array] = []
    for window in windows:
        extractor = net.create_extractor()
        for name, values in inputs_of(window).items():
            extractor.input(name, runtime.Mat(values.view("f4")).clone())
        results.append(np.array(extractor.extract("out")[1]))
    return np.stack(results)


def perplexity(path: Path, count: int = 100) -> float:
    """Return the perplexity per character on new sentences."""
    text = tokens_of(made_up(1, count * (STEPS + 1)))
    windows = text.reshape(count, STEPS + 1)
    logits = logits_of(path, windows[:, :-1]).astype("f8")
    logits -= logits.max(-1, keepdims=True)
    sums = np.log(np.exp(logits).sum(-1))
    picked = np.take_along_axis(logits, windows[:, 1:, None], -1)[..., 0]
    return float(np.exp((sums - picked).mean()))


def main() -> None:
    parser = argparse.ArgumentParser(description="A tiny language model.")
    commands = parser.add_subparsers(dest="command", required=True)
    training = commands.add_parser("train", help="train the model and write it")
    training.add_argument("model", type=Path, help="the .param that is written")
    training.add_argument("--data", type=Path, help="the .npz for samples of its inputs")
    training.add_argument("--rounds", type=int, default=ROUNDS)
    saying = commands.add_parser("perplexity", help="print the perplexity of models")
    saying.add_argument("models", type=Path, nargs="+")
    args = parser.parse_args()
    if args.command == "train":
        write(train(args.rounds), args.model)
        if args.data is not None:
            write_samples(args.data, 32)
        return
    known: list[float] = []
    for path in args.models:
        known.append(perplexity(path))
        change = f"  {100 * (known[-1] / known[0] - 1):+.2f} %" if len(known) > 1 else ""
        print(f"{path}: perplexity {known[-1]:.4f}{change}")


if __name__ == "__main__":
    main()
