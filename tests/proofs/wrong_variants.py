"""Wrong variants of patterns: an expression of the source, and another one in its place."""

import gc
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple

ROOT = Path(__file__).parents[2]


class Variant(NamedTuple):
    """A change of a file in `transforms/canonicalization/`."""

    file: str
    old: str
    new: str
    rewrite: str
    function: str
    """The model of the lit test that refutes it."""

    @contextmanager
    def installed(self) -> Generator[None]:
        """Replace the functions that change, in this process."""
        path = f"transforms/canonicalization/{self.file}"
        source = (ROOT / path).read_text("utf-8")
        assert self.old in source, f"{path} has no {self.old}"
        gc.unfreeze()  # a process that others are forked off freezes what it has imported
        pairs = dict(_functions(source, source.replace(self.old, self.new, 1)))
        changed = [
            (function, function.__code__, pairs[function.__code__])
            for function in gc.get_objects()
            if isinstance(function, FunctionType) and function.__code__ in pairs
        ]
        assert changed, f"the module of {path} is not imported"
        for function, _, wrong in changed:
            function.__code__ = wrong
        try:
            yield
        finally:
            for function, right, _ in changed:
                function.__code__ = right


def _functions(source: str, other: str) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield the code of the functions that differ in two versions of a module."""

    def inner(code: CodeType) -> list[CodeType]:
        return [const for const in code.co_consts if isinstance(const, CodeType)]

    def visit(a: CodeType, b: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
        if a.co_flags & CO_NEWLOCALS and a != b:
            yield a, b
        for pair in zip(inner(a), inner(b), strict=True):
            yield from visit(*pair)

    return visit(compile(source, "", "exec"), compile(other, "", "exec"))


VARIANTS = (
    Variant(
        "affine.py",
        "affine.scale * bias + affine.shift / linear.bias_gain",
        "bias + affine.shift / linear.bias_gain",
        "fuse-conv-bn",
        "depthwise",
    ),
    Variant(
        "affine.py",
        "affine.scale * bias + affine.shift / linear.bias_gain",
        "affine.scale * bias",
        "fuse-conv-bn",
        "depthwise",
    ),
    Variant(
        "affine.py",
        "affine.scale * bias + affine.shift / linear.bias_gain",
        "affine.scale * bias + affine.shift",
        "fuse-gemm-affine",
        "beta_of_0",
    ),
    Variant(
        "affine.py",
        "affine.scale * bias + affine.shift / linear.bias_gain",
        "affine.scale * bias + affine.shift * linear.bias_gain",
        "fuse-gemm-affine",
        "beta_of_0",
    ),
    Variant(
        "affine.py",
        "affine.scale * bias + affine.shift / linear.bias_gain",
        "affine.scale * (bias + affine.shift / linear.bias_gain)",
        "fuse-conv-bn",
        "depthwise",
    ),
    Variant(
        "affine.py",
        "bias = bias + linear.gain / linear.bias_gain * sums",
        "bias = bias - linear.gain / linear.bias_gain * sums",
        "fuse-affine-linear",
        "shifted",
    ),
    Variant(
        "affine.py",
        "bias = bias + linear.gain / linear.bias_gain * sums",
        "bias = bias",
        "fuse-affine-linear",
        "shifted",
    ),
    Variant(
        "affine.py",
        "shifts = along_inputs(linear, affine.shift)",
        "shifts = along_inputs(linear, affine.scale * affine.shift)",
        "fuse-affine-linear",
        "batchnorm",
    ),
    Variant(
        "affine.py",
        "weight = _weight_times(user, linear, along_inputs(linear, affine.scale))",
        "weight = _weight_times(user, linear, along_inputs(linear, affine.scale[::-1]))",
        "fuse-affine-linear",
        "scale",
    ),
    Variant(
        "affine.py",
        "alpha = gemm.alpha * factor[0]",
        "alpha = gemm.alpha / factor[0]",
        "fuse-gemm-affine",
        "factor_into_alpha",
    ),
    Variant(
        "affine.py",
        "alpha = gemm.alpha * factor[0]",
        "alpha = factor[0]",
        "fuse-gemm-affine",
        "factor_into_alpha",
    ),
    Variant(
        "affine_composition.py",
        "both = Affine(outer.scale * inner.scale, outer.scale * inner.shift + outer.shift)",
        "both = Affine(outer.scale * inner.scale, inner.shift + outer.shift)",
        "fuse-bn-scale",
        "scale",
    ),
    Variant(
        "affine_composition.py",
        "both = Affine(outer.scale * inner.scale, outer.scale * inner.shift + outer.shift)",
        "both = Affine(outer.scale * inner.scale, inner.scale * inner.shift + outer.shift)",
        "fuse-bn-scale",
        "scale",
    ),
    Variant(
        "affine_composition.py",
        "both = Affine(outer.scale * inner.scale, outer.scale * inner.shift + outer.shift)",
        "both = Affine(outer.scale * inner.scale, inner.scale * outer.shift + inner.shift)",
        "fuse-bn-scale",
        "scale",
    ),
    Variant(
        "affine_composition.py",
        "both = Affine(outer.scale * inner.scale, outer.scale * inner.shift + outer.shift)",
        "both = Affine(outer.scale + inner.scale, outer.scale * inner.shift + outer.shift)",
        "fuse-bn-scale",
        "scale",
    ),
    Variant(
        "affine_composition.py",
        "gain = other.scale * read_float64(host.slope)",
        "gain = read_float64(host.slope)",
        "fuse-bn-scale",
        "scale",
    ),
    Variant(
        "affine_composition.py",
        "bias = both.shift + both.scale * read_float64(host.mean)",
        "bias = both.shift - both.scale * read_float64(host.mean)",
        "fuse-bn-scale",
        "scale",
    ),
    Variant(
        "affine_composition.py",
        "bias = both.shift + both.scale * read_float64(host.mean)",
        "bias = both.shift + read_float64(host.mean)",
        "fuse-bn-scale",
        "scale",
    ),
    Variant(
        "affine_composition.py",
        "scale, shift = scale * inner[0], scale * inner[1] + shift",
        "scale, shift = scale * inner[0], inner[1] + shift",
        "fuse-affine-affine",
        "negatives",
    ),
    Variant(
        "affine_composition.py",
        "scale, shift = scale * inner[0], scale * inner[1] + shift",
        "scale, shift = scale + inner[0], scale * inner[1] + shift",
        "fuse-affine-affine",
        "scalars",
    ),
    Variant(
        "affine_composition.py",
        'return [binary("mul", scale), binary("add", shift)]',
        'return [binary("add", shift), binary("mul", scale)]',
        "fuse-affine-affine",
        "chain_of_three",
    ),
    Variant(
        "affine_composition.py",
        '"add" if scale == 1 else "rsub"',
        '"add" if scale == 1 else "sub"',
        "fuse-affine-affine",
        "negative",
    ),
    Variant(
        "normalization.py",
        "new_gamma = affine.scale * old_gamma",
        "new_gamma = affine.scale + old_gamma",
        "fuse-layernorm",
        "weights",
    ),
    Variant(
        "normalization.py",
        "new_beta = affine.scale * old_beta + affine.shift",
        "new_beta = old_beta + affine.shift",
        "fuse-norm-affine",
        "mul",
    ),
    Variant(
        "normalization.py",
        "new_beta = affine.scale * old_beta + affine.shift",
        "new_beta = affine.scale * old_beta - affine.shift",
        "fuse-layernorm",
        "weights",
    ),
    Variant(
        "normalization.py",
        "new_beta = affine.scale * old_beta + affine.shift",
        "new_beta = affine.scale * (old_beta + affine.shift)",
        "fuse-norm-affine",
        "rsub",
    ),
    Variant(
        "convolution_composition.py",
        "bias = bias if biases[0] is None else bias + outer @ biases[0]",
        "bias = bias",
        "fuse-convolution-convolution",
        "pixels",
    ),
    Variant(
        "convolution_composition.py",
        "bias = bias if biases[0] is None else bias + outer @ biases[0]",
        "bias = bias if biases[0] is None else bias - outer @ biases[0]",
        "fuse-convolution-convolution",
        "pixels",
    ),
    Variant(
        "parallel_branches.py",
        "weight=factor * self.weight, bias=factor * self.bias",
        "weight=self.weight, bias=factor * self.bias",
        "fuse-parallel-branches",
        "dilated",
    ),
    Variant(
        "parallel_branches.py",
        "host, other = host.times(factors[i]), other.times(factors[1 - i])",
        "host, other = host.times(factors[1 - i]), other.times(factors[i])",
        "fuse-parallel-branches",
        "dilated",
    ),
    Variant(
        "parallel_branches.py",
        "host.bias + other.bias",
        "host.bias",
        "fuse-parallel-branches",
        "block",
    ),
    Variant(
        "parallel_branches.py",
        "scale, shift, producer = affine.scale, affine.shift, layer",
        "scale, shift, producer = affine.scale, affine.scale, layer",
        "fuse-parallel-branches",
        "block",
    ),
    Variant(
        "reductions.py",
        "first.coeff * op.coeff",
        "op.coeff",
        "merge-reductions",
        "kept_axes",
    ),
    Variant(
        "binaryop.py",
        "tuple(sign * factor for sign",
        "tuple(factor for sign",
        "fuse-binaryop-eltwise",
        "sub",
    ),
    Variant(
        "binaryop.py",
        "tuple(sign * factor for sign",
        "tuple(sign for sign",
        "fuse-binaryop-eltwise",
        "two",
    ),
    Variant(
        "activation.py",
        "slope = to_float32(first * second)",
        "slope = to_float32(first + second)",
        "fuse-activation-activation",
        "leaky_leaky",
    ),
    Variant(
        "activation.py",
        "slope = to_float32(first * second)",
        "slope = to_float32(first)",
        "fuse-activation-activation",
        "leaky_leaky",
    ),
)
