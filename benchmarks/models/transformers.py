"""Transformers."""

from pathlib import Path

from .writer import ADD, MUL, ROWS, Writer


def decoder(path: Path, blocks: int = 28, sparse: bool = False, width: int = 1024) -> Path:
    """The layers of a language model with this width; by default 1.76 GB in 898 layers. The weights
    of a sparse model are holes in the file."""
    w = Writer(path)
    heads, ffn = width // 64, 3 * width

    def norm(x: str, n: int) -> str:
        w.plain(n, 0.05, 1.0)
        return w.layer("RMSNorm", x, f"0={n} 1=1e-6 2=1")

    def gemm(x: str, c: int, n: int) -> str:
        return w.gemm(x, c, n, sparse)

    x = w.layer("Input", [], f"0={width} 1=16")
    for _ in range(blocks):
        x, skip = w.split(x, 2)
        q, k, v = w.split(norm(x, width), 3)
        q = w.layer("Reshape", gemm(q, width, 2 * width), f"0=128 1={heads} 2=-1")
        k = w.layer("Reshape", gemm(k, width, width), f"0=64 1={heads} 2=-1")
        v = w.layer("Reshape", gemm(v, width, width), f"0=64 1={heads} 2=-1")
        q = w.layer("Crop", norm(q, 128), "-23309=1,0 -23310=1,64 -23311=1,-1")
        q = w.layer("Permute", q, "0=2")
        k = w.layer("Permute", norm(k, 64), "0=2")
        v = w.layer("Permute", v, "0=2")
        a = w.layer("MatMul", [q, k], "0=1")
        a = w.layer("Softmax", w.layer("BinaryOp", a, "0=2 1=1 2=0.125"), "0=-1 1=1")
        a = w.layer("Permute", w.layer("MatMul", [a, v]), "0=2")
        a = w.layer("Concat", w.split(w.layer("Reshape", a, f"0={width} 1=-1"), 2), "0=-1")
        x = w.layer("BinaryOp", [gemm(a, 2 * width, width), skip], "0=0")
        x, skip = w.split(x, 2)
        a, b = w.split(norm(x, width), 2)
        a = gemm(a, width, ffn)
        a, gate = w.split(a, 2)
        a = w.layer("BinaryOp", [a, w.layer("Sigmoid", gate)], "0=2")
        a = w.layer("BinaryOp", [a, gemm(b, width, ffn)], "0=2")
        x = w.layer("BinaryOp", [gemm(a, ffn, width), skip], "0=0")
    norm(x, width)
    return w.close()


def vision_transformer(path: Path, blocks: int = 4) -> Path:
    """9 MB: LayerNorm, GELU and attention spelled out, linear layers with separate biases."""
    w = Writer(path)
    width, tokens, heads = 192, 197, 3
    x = w.conv_bias(w.image(), 3, width, 16, 16)
    x = w.layer("Permute", w.layer("Reshape", x, f"0={tokens - 1} 1={width}"), f"0={ROWS}")
    x = w.layer("Concat", [w.memory((1, width), 0.1), x], "0=0")
    x = w.binary(ADD, x, w.memory((tokens, width), 0.1))
    for _ in range(blocks):
        x, skip = w.split(x, 2)
        parts: list[str] = []
        for y in w.split(w.layer_norm(x, width), 3):
            y = w.layer("Reshape", w.dense(y, width, width), f"0={width // heads} 1={heads} 2=-1")
            parts.append(w.layer("Permute", y, "0=2"))
        q, k, v = parts
        a = w.layer("MatMul", [q, w.layer("Permute", k, "0=1")])
        a = w.layer("Softmax", w.binary(MUL, a, (width // heads) ** -0.5), "0=-1 1=1")
        a = w.layer("Permute", w.layer("MatMul", [a, v]), "0=2")
        a = w.dense(w.layer("Reshape", a, f"0={width} 1=-1"), width, width)
        x, skip = w.split(w.binary(ADD, skip, a), 2)
        y = w.gelu(w.dense(w.layer_norm(x, width), width, 4 * width))
        x = w.binary(ADD, skip, w.dense(y, 4 * width, width))
    x = w.layer("Crop", w.layer_norm(x, width), "-23309=1,0 -23310=1,1 -23311=1,0")
    w.layer("Softmax", w.linear(w.layer("Flatten", x), width, 1000))
    return w.close()
