"""Patterns from a file in MLIR's PDL."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects import pdl
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import Interpreter, impl, register_impls
from xdsl.interpreters.pdl import PDLMatcher, PDLRewriteFunctions, PDLRewritePattern
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriter, PatternRewriteWalker
from xdsl.utils.exceptions import (
    DiagnosticException,
    InterpretationError,
    ParseError,
    PassFailedException,
)

from ..dialects.ncnn.assembly import names_of, set_names
from ..dialects.ncnn.layer import DESCRIPTIONS, LayerOp
from ..dialects.ncnn.operands import SEGMENTS
from ..dialects.ncnn.params import Param, encode
from ..dialects.ncnn.structure import SplitOp
from ..dialects.xdsl_extras.guarding import UndocumentedError, guarded
from ..dialects.xdsl_extras.spelling import nearest
from ..formats.errors import FormatError, decoded
from .eliminate_split import EliminateSplit
from .rewriting.observers import current_observers
from .rewriting.pattern_set import PatternSet
from .rewriting.remarks import remark


@dataclass(frozen=True)
class ApplyPDL(ModulePass):
    """Apply the patterns in a file in MLIR's PDL: `--apply-pdl=patterns.mlir`.

    This extends xDSL's pass of the same name for layers: an omitted parameter has its default
    value; a layer with parameters that the pattern does not mention does not match; a layer that
    replaces another layer takes its names; and each rewrite emits a remark.
    """

    name = "apply-pdl"
    pdl_file: str

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found, names = read_patterns(self.pdl_file, ctx)
        if SplitOp.name not in names:
            EliminateSplit().apply(ctx, op)
        PatternRewriteWalker(GreedyRewritePatternApplier([PatternSet(found)])).rewrite_module(op)
        observers = current_observers()
        if not observers.may_rewrite():
            return  # the remaining patterns might match later
        for pattern in [each for each in found if not each.matched]:
            for on_unmatched in observers.on_unmatched:
                on_unmatched(f"{pattern.label} of {pattern.path}")


def read_patterns(path: str, ctx: Context) -> "tuple[list[LayerPattern], set[str | None]]":
    """Return the patterns of a file by benefit, as in MLIR, and the names of their operations.

    Patterns with the same benefit have the order of the file. Raises `OSError`,
    `FormatError`, the errors of parsing and verifying, and `PassFailedException` for names that are
    unknown.
    """
    with open(path, "rb") as f:
        text = decoded(f.read(), path, "byte {} is not UTF-8 text")
    try:
        with guarded((FormatError, ParseError, DiagnosticException)):
            patterns = Parser(ctx, text, path).parse_module()
            patterns.verify()
    except UndocumentedError as e:
        raise FormatError(path, f"the text cannot be parsed{e}") from e
    operations = [op for op in patterns.walk() if isinstance(op, pdl.OperationOp)]
    names = {check_names(each, ctx, path) for each in operations}
    rewrites = [r for r in patterns.walk() if isinstance(r, pdl.RewriteOp)]
    if not rewrites:
        raise PassFailedException(f"{path}: the file contains no pdl.pattern")
    rewrites.sort(key=lambda r: -pattern_of(r).benefit.value.data)
    return [LayerPattern(r, ctx, path) for r in rewrites], names


def check_names(op: pdl.OperationOp, ctx: Context, path: str) -> str | None:
    """Return the name of the operation that a pattern matches or creates, if it has one. Raise
    `PassFailedException` for an unknown name or parameter, which would never match."""
    if op.opName is None:
        return None
    name, known = op.opName.data, ctx.get_optional_op(op.opName.data)
    pattern = op.parent_op()
    while not isinstance(pattern, pdl.PatternOp):
        assert pattern is not None  # PDL's verifier guarantees it
        pattern = pattern.parent_op()
    place = f"{path}: {label_of(pattern)}"
    if known is None:
        from ..dialects.ncnn import NCNN

        there_are = [each.name for each in (*NCNN.operations, *ctx.loaded_ops)]
        raise PassFailedException(f"{place}: no operation '{name}'{nearest(name, there_are)}")
    if issubclass(known, LayerOp):
        parameters = [*known.PARAMS, *DESCRIPTIONS, SEGMENTS, "extra", "featmask"]
        for attribute in op.attributeValueNames:
            if attribute.data not in parameters:
                raise PassFailedException(
                    f"{place}: {name} has no parameter '{attribute.data}'"
                    f"{nearest(attribute.data, parameters)}"
                )
    return name


def label_of(pattern: pdl.PatternOp) -> str:
    """Return the name of a pattern for messages."""
    name = pattern.sym_name
    return f"@{name.data}" if name is not None else "a pattern without a name"


def pattern_of(rewrite: pdl.RewriteOp) -> pdl.PatternOp:
    """Return the pattern of a rewrite."""
    pattern = rewrite.parent_op()
    assert isinstance(pattern, pdl.PatternOp)  # PDL's verifier guarantees it
    return pattern


class LayerPattern(PDLRewritePattern):
    """A `pdl.pattern` that matches and creates layers."""

    def __init__(self, rewrite: pdl.RewriteOp, ctx: Context, path: str):
        self.label = label_of(pattern_of(rewrite))
        self.path = path
        self.matched = False
        if rewrite.root is None:
            raise PassFailedException(
                f"{path}: {self.label}: its pdl.rewrite has no root operation"
            )
        super().__init__(rewrite, ctx)
        self.functions = LayerRewriteFunctions(ctx)
        self.interpreter = Interpreter(self.interpreter.module)
        self.interpreter.register_implementations(self.functions)

    def match_and_rewrite(self, xdsl_op: Operation, rewriter: PatternRewriter) -> None:
        matcher = LayerMatcher()
        root, body = self.pdl_rewrite_op.root, self.pdl_rewrite_op.body
        assert isinstance(root, OpResult)
        assert isinstance(root.op, pdl.OperationOp)
        try:
            if not matcher.match_operation(root, root.op, xdsl_op):
                return
            self.matched = True
            for op in pattern_of(self.pdl_rewrite_op).walk():
                if isinstance(op, pdl.ApplyNativeConstraintOp):
                    raise InterpretationError(f"unknown constraint '{op.constraint_name.data}'")
            if isinstance(xdsl_op, LayerOp):
                remark("apply-pdl", xdsl_op.label(), note=self.label)
            self.functions.rewriter = rewriter
            self.interpreter.push_scope(self.label)
            self.interpreter.set_values(matcher.matching_context.items())
            self.interpreter.run_ssacfg_region(body, ())
            self.interpreter.pop_scope()
        except (InterpretationError, AssertionError, ValueError) as e:
            reason = str(e) or "it uses what xDSL's PDL does not support"
            raise PassFailedException(f"{self.path}: {self.label}: {reason}") from e


class LayerMatcher(PDLMatcher):
    """A matcher that also sees the parameters of a layer that have their default values. A layer
    with parameters that the pattern does not mention does not match."""

    def match_operation(
        self, ssa_val: SSAValue, pdl_op: pdl.OperationOp, xdsl_op: Operation
    ) -> bool:
        if not isinstance(xdsl_op, LayerOp):
            return super().match_operation(ssa_val, pdl_op, xdsl_op)
        asked = {name.data for name in pdl_op.attributeValueNames}
        if not xdsl_op.properties.keys() <= asked | DESCRIPTIONS | {SEGMENTS}:
            return False
        with _defaults_written(xdsl_op, asked):
            return super().match_operation(ssa_val, pdl_op, xdsl_op)


@contextmanager
def _defaults_written(op: LayerOp, names: set[str]) -> Generator[None]:
    """Make these parameters properties in the `with` block, also those with default values."""
    params = {n: p for n in names if isinstance(p := op.PARAMS.get(n), Param)}
    added = {
        name: encode(param.kind, getattr(op, name))
        for name, param in params.items()
        if name not in op.properties
    }
    op.properties.update(added)
    try:
        yield
    finally:
        for name in added:
            del op.properties[name]


@register_impls
class LayerRewriteFunctions(PDLRewriteFunctions):
    """Rewrite functions that create layers in their canonical form, and name them."""

    @impl(pdl.OperationOp)
    def run_operation(
        self, interpreter: Interpreter, op: pdl.OperationOp, args: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        (made,) = PDLRewriteFunctions.run_operation(self, interpreter, op, args).values
        if isinstance(made, LayerOp):
            made.set_params()
        return (made,)

    @impl(pdl.ReplaceOp)
    def run_replace(
        self, interpreter: Interpreter, op: pdl.ReplaceOp, args: tuple[Any, ...]
    ) -> tuple[Any, ...]:
        if op.repl_operation is not None:
            old, new = interpreter.get_values((op.op_value, op.repl_operation))
            if isinstance(old, LayerOp) and isinstance(new, LayerOp) and new.layer_name is None:
                name = None if old.layer_name is None else old.layer_name.data
                set_names(new, name, names_of(old))
        return PDLRewriteFunctions.run_replace(self, interpreter, op, args).values
