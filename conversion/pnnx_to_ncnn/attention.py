"""Attention: scaled dot products, and nn.MultiheadAttention."""

import math
from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.ncnn.attention import MultiHeadAttentionOp, SDPAOp
from ...dialects.ncnn.joining import TileOp
from ...dialects.ncnn.params import to_float32
from ...dialects.ncnn.reduction import REDUCTIONS, ReductionOp, SoftmaxOp
from ...dialects.pnnx.operations import OperatorOp
from ...transforms.rewriting.layer_builder import Shape
from .linear import product, rows_times
from .lowering import Array, Lowering, OperatorBuilder, Refusal, element_of, shown

HIDDEN = -60000.0
"""The summand of a hidden key: its weight is 0, and float16 holds the number."""


def additive(mask: Array) -> Array:
    """Return a mask of summands for a Boolean one, whose true elements are visible, or a mask of
    floats with finite numbers."""
    if mask.dtype == np.bool_:
        return np.where(mask, 0.0, HIDDEN).astype("f4")
    return np.maximum(mask.astype("f4"), np.float32(HIDDEN))


def causal(steps: int, keys: int) -> Array:
    """Return the mask that hides the keys behind each step."""
    return np.tril(np.ones((steps, keys), np.bool_))


def scaled_dot_product(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `F.scaled_dot_product_attention` to an SDPA whose heads are all outer axes."""
    query, key, value = (
        b.operand(name, place) for place, name in enumerate(("query", "key", "value"))
    )
    mask = b.operand("attn_mask", 3)
    if query is None or key is None or value is None:
        raise Refusal("it has no query, key or value")
    if b.number("dropout_p", 0.0) != 0:
        raise Refusal("it has a dropout")
    q, k, v = map(b.shape, (query, key, value))
    if len(q) < 2 or len(k) != len(q) or len(v) != len(q) or k[:-1] != v[:-1]:
        raise Refusal(f"query, key and value are {shown(q)}, {shown(k)}, {shown(v)}")
    heads, groups, steps, keys = prod(q[:-2]), prod(k[:-2]), q[-2], k[-2]
    if q[:-2] != k[:-2] and (q[:-3] != k[:-3] or q[-3] % k[-3]):
        raise Refusal(f"{heads} heads share {groups} keys")
    summands: tuple[SSAValue, Shape] | None = None
    if op.param("is_causal", False):
        summands = b.data(additive(causal(steps, keys))), (steps, keys)
    elif mask is not None:
        summands = _mask(b, mask, (*q[:-2], steps, keys))
    scale = op.param("scale", None)
    b.expect((*q[:-1], v[-1]))
    blobs = [
        b.reshape(x, (n, *shape[-2:]))
        for x, n, shape in ((query, heads, q), (key, groups, k), (value, groups, v))
    ]
    if summands is not None:
        blobs.append(b.reshape(*summands))
    params = {"attn_mask": int(summands is not None)}
    factor = 0.0 if scale is None else b.number("scale")
    if scale is not None and factor == 0:
        raise Refusal("'scale' is 0")
    return b.layer(SDPAOp, blobs, (heads, steps, v[-1]), scale=factor, **params)


def _mask(b: OperatorBuilder, mask: SSAValue, whole: Shape) -> tuple[SSAValue, Shape]:
    """Return the summands of a mask, and their shape: one matrix for all heads, or one for each."""
    shape = b.shape(mask)
    full = (1,) * (len(whole) - len(shape)) + shape
    if any(n not in (1, m) for n, m in zip(full, whole, strict=True)):
        raise Refusal(f"its mask is {shown(shape)}")
    target = whole if prod(full[:-2]) != 1 else whole[-2:]
    blob = (prod(target[:-2]), *target[-2:]) if len(target) > 2 else target
    if mask in b.constants:
        values = additive(b.constants[mask])
        values = values.reshape(full[len(whole) - len(target) :])
        return b.data(np.broadcast_to(values, target).reshape(blob)), blob
    if element_of(mask) == "bool":
        # 0 for a visible key, HIDDEN for a hidden one.
        mask = b.scalar("sub", mask, 1.0, shape)
        mask = b.scalar("mul", mask, -HIDDEN, shape)
    for axis in range(len(whole) - len(target), len(whole)):
        if full[axis] != whole[axis]:
            outer, inner = prod(full[:axis]), prod(full[axis + 1 :])
            x = b.reshape(mask, (outer, 1, inner))
            n = whole[axis]
            mask = b.layer(TileOp, [x], (outer, n, inner), axis=1, tiles=n)[0]
            full = (*full[:axis], n, *full[axis + 1 :])
    return mask, blob


def multihead(op: OperatorOp, b: OperatorBuilder) -> Sequence[SSAValue]:
    """Lower `nn.MultiheadAttention`: a MultiHeadAttention of one sequence with one result, else
    its parts."""
    if op.param("add_bias_kv", False) or op.param("add_zero_attn", False):
        raise Refusal("it adds keys")
    names = [] if op.keys is None else [k.data for k in op.keys]
    masks = {"attn_mask", "key_padding_mask"}
    plain = [v for i, v in enumerate(op.inputs) if i >= len(names) or names[i] not in masks]
    mask = op.input_named("attn_mask")
    if op.input_named("key_padding_mask") is not None:
        raise Refusal("it has a mask of keys for each sequence")
    if mask is None and len(plain) == 4:
        mask = plain.pop()
    query, key, value = plain[0], plain[min(1, len(plain) - 1)], plain[-1]
    module = _Multihead(op, b, query, key, value, mask)
    if module.sequences == 1 and len(op.outputs) == 1:
        return [module.layer()]
    return module.parts()


class _Multihead:
    """The operands and weights of one `nn.MultiheadAttention`."""

    def __init__(
        self,
        op: OperatorOp,
        b: OperatorBuilder,
        query: SSAValue,
        key: SSAValue,
        value: SSAValue,
        mask: SSAValue | None,
    ) -> None:
        self.op, self.b = op, b
        self.embed = int(b.number("embed_dim"))
        self.heads = int(b.number("num_heads"))
        self.first = bool(op.param("batch_first", False))
        self.operands = (query, key, value)
        shapes = [b.shape(x) for x in self.operands]
        if any(len(s) != len(shapes[0]) or len(s) not in (2, 3) for s in shapes):
            raise Refusal("its operands are no sequences")
        self.batched = len(shapes[0]) == 3
        at = (0 if self.first else 1) if self.batched else None
        self.sequences = 1 if at is None else shapes[0][at]
        if at is not None and any(s[at] != self.sequences for s in shapes):
            raise Refusal("its operands have other numbers of sequences")
        steps = [s[1 - at] if at is not None else s[0] for s in shapes]
        self.steps, self.keys = steps[0], steps[1]
        self.summands = None if mask is None else self._summands(mask)
        self.weights = self._weights()

    def _summands(self, mask: SSAValue) -> tuple[SSAValue, Shape]:
        shape, whole = self.b.shape(mask), (self.sequences * self.heads, self.steps, self.keys)
        if shape not in (whole, whole[1:]):
            raise Refusal(f"its mask is {shown(shape)}")
        if mask in self.b.constants:
            values = self.b.constants[mask]
            # A true element of this mask is hidden.
            values = additive(~values if values.dtype == np.bool_ else values)
            return self.b.data(values), shape
        if element_of(mask) == "bool":
            return self.b.scalar("mul", mask, HIDDEN, shape), shape
        return mask, shape

    def _weights(self) -> dict[str, Array]:
        types, b, e = self.op.weight_types(), self.b, self.embed
        found: dict[str, Array] = {}
        if "in_proj_weight" in types:
            whole = b.weight("in_proj_weight")
            found |= {n: whole[i * e : (i + 1) * e] for i, n in enumerate("qkv")}
        else:
            found |= {n: b.weight(f"{n}_proj_weight") for n in "qkv"}
        bias = b.weight("in_proj_bias") if "in_proj_bias" in types else np.zeros(3 * e, "f4")
        found |= {f"{n}_bias": bias[i * e : (i + 1) * e] for i, n in enumerate("qkv")}
        found["out"] = b.weight("out_proj.weight")
        has = "out_proj.bias" in types
        found["out_bias"] = b.weight("out_proj.bias") if has else np.zeros(e, "f4")
        return found

    def layer(self) -> SSAValue:
        """Insert a MultiHeadAttention of one sequence."""
        b, w = self.b, self.weights
        query, key, value = self.operands
        blobs = [b.reshape(query, (self.steps, w["q"].shape[1]))]
        if key is not query or value is not query:
            blobs.append(b.reshape(key, (self.keys, w["k"].shape[1])))
            if value is not key:
                blobs.append(b.reshape(value, (self.keys, w["v"].shape[1])))
        if self.summands is not None:
            blobs.append(b.reshape(*self.summands))
        weights = {
            f"{n}_{part}": b.constant(w[key].reshape(-1) if part == "bias" else w[key])
            for n, key_ in (("q", "q"), ("k", "k"), ("v", "v"), ("out", "out"))
            for part, key in (("weight", key_), ("bias", f"{key_}_bias"))
        }
        return b.layer_with_weights(
            MultiHeadAttentionOp,
            blobs,
            weights,
            (self.steps, self.embed),
            embed_dim=self.embed,
            num_heads=self.heads,
            kdim=w["k"].shape[1],
            vdim=w["v"].shape[1],
            attn_mask=int(self.summands is not None),
        )[0]

    def parts(self) -> Sequence[SSAValue]:
        """Insert the products, the softmax and, for a second result, the mean of the heads."""
        b, w, size = self.b, self.weights, self.embed // self.heads
        rows = (self.steps, self.keys, self.keys)
        scale = to_float32(1 / math.sqrt(size))
        split: list[SSAValue] = []
        for name, x, n in zip("qkv", self.operands, rows, strict=True):
            factor = scale if name == "q" else 1.0
            y = rows_times(b, x, n * self.sequences, w[name] * factor, w[f"{name}_bias"] * factor)
            split.append(self._split(y, n, name == "k"))
        whole = (self.sequences * self.heads, self.steps, self.keys)
        logits = product(b, split[0], split[1], (*whole[:2], size), (whole[0], size, self.keys))
        if self.summands is not None:
            logits = b.broadcast("add", logits, self.summands[0], [whole, self.summands[1]])
        weights = b.unary_layer(SoftmaxOp, logits, whole, axis=2, fixbug0=1)
        y = product(b, weights, split[2], whole, (whole[0], self.keys, size))
        y = self._join(y, size)
        y = rows_times(b, y, self.steps * self.sequences, w["out"], w["out_bias"])
        if len(self.op.outputs) == 1:
            return [y]
        x = b.reshape(weights, (self.sequences, self.heads, self.steps * self.keys))
        out = (self.sequences, 1, self.steps * self.keys)
        how = {"reduce_all": 0, "keepdims": 1, "fixbug0": 1, "axes": (1,)}
        mean = b.layer(ReductionOp, [x], out, operation=REDUCTIONS.index("mean"), **how)[0]
        averaged = b.outputs[1] in ((self.sequences, *whole[1:]), whole[1:])
        if not averaged:
            raise Refusal(f"its second result is {shown(b.outputs[1])}")
        return [y, mean]

    def _split(self, y: SSAValue, steps: int, turned: bool) -> SSAValue:
        """Return the heads of each sequence: `sequences * heads x steps x size`, or transposed."""
        n, h, e = self.sequences, self.heads, self.embed // self.heads
        shape = (n, steps, h, e) if self.first or n == 1 else (steps, n, h, e)
        sequence, step = (0, 1) if self.first or n == 1 else (1, 0)
        order = (sequence, 2, 3, step) if turned else (sequence, 2, step, 3)
        return self.b.permute(y, shape, order)

    def _join(self, y: SSAValue, size: int) -> SSAValue:
        shape = (self.sequences, self.heads, self.steps, size)
        order = (0, 2, 1, 3) if self.first or self.sequences == 1 else (2, 0, 1, 3)
        return self.b.permute(y, shape, order)


LOWERINGS: Mapping[str, Lowering] = {
    "F.scaled_dot_product_attention": scaled_dot_product,
    "nn.MultiheadAttention": multihead,
}
