"""Passes that remove layers, or merge layers."""

from typing import TYPE_CHECKING

from .row import Rows, of_types

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

    from .row import Patterns

_POOLING = of_types("Pooling", "Pooling1D", "Pooling3D")

ELIMINATIONS = Rows()


@ELIMINATIONS.add(
    "eliminate-dropout", "Remove Dropout layers whose scale is 1", last=of_types("Dropout")
)
def eliminate_dropout() -> "Patterns":
    from ...canonicalization.identity import EliminateIdentity

    return [EliminateIdentity()]


@ELIMINATIONS.add("eliminate-noop", "Remove Noop layers", last=of_types("Noop"))
def eliminate_noop() -> "Patterns":
    from ...canonicalization.identity import EliminateIdentity

    return [EliminateIdentity()]


def _eliminate_split_patterns() -> "Patterns":
    from ...canonicalization.identity import EliminateIdentity

    return [EliminateIdentity()]


@ELIMINATIONS.add_class(
    "eliminate-split",
    "Remove Split layers: in the IR, a value may have any number of uses",
    _eliminate_split_patterns,
    last=of_types("Split"),
)
def eliminate_split() -> "type[ModulePass]":
    from ...eliminate_split import EliminateSplit

    return EliminateSplit


@ELIMINATIONS.add(
    "eliminate-pooling1x1",
    "Remove Pooling, Pooling1D and Pooling3D layers whose windows contain one element each",
    last=_POOLING,
)
def eliminate_pooling1x1() -> "Patterns":
    from ...canonicalization.identity import EliminateIdentity

    return [EliminateIdentity()]


@ELIMINATIONS.add(
    "eliminate-flatten-after-global-pooling",
    "Remove a Flatten after a global Pooling: its input already has one dimension",
    first=_POOLING,
    last=of_types("Flatten"),
)
def eliminate_flatten_after_global_pooling() -> "Patterns":
    from ...canonicalization.identity import EliminateReshapeOfVector

    return [EliminateReshapeOfVector()]


@ELIMINATIONS.add(
    "eliminate-reshape-after-global-pooling",
    "Remove a Reshape to one dimension after a global Pooling: its input already has one dimension",
    first=_POOLING,
    last=of_types("Reshape"),
)
def eliminate_reshape_after_global_pooling() -> "Patterns":
    from ...canonicalization.identity import EliminateReshapeOfVector

    return [EliminateReshapeOfVector()]


@ELIMINATIONS.add(
    "eliminate-flatten-after-innerproduct",
    "Remove a Flatten after an InnerProduct whose output already has one dimension",
    first=of_types("InnerProduct"),
)
def eliminate_flatten_after_innerproduct() -> "Patterns":
    from ...canonicalization.identity import EliminateReshapeOfVector

    return [EliminateReshapeOfVector()]


@ELIMINATIONS.add(
    "eliminate-reshape-before-binaryop",
    "Remove a Reshape, Squeeze or ExpandDims before a BinaryOp that broadcasts to the same "
    "result without it",
)
def eliminate_reshape_before_binaryop() -> "Patterns":
    from ...canonicalization.reshapes import EliminateReshapeBeforeBinaryOp

    return [EliminateReshapeBeforeBinaryOp()]


@ELIMINATIONS.add(
    "eliminate-reshape-before-innerproduct",
    "Remove a Flatten or Reshape before an InnerProduct, which flattens its input itself",
)
def eliminate_reshape_before_innerproduct() -> "Patterns":
    from ...canonicalization.reshapes import EliminateReshapeBeforeInnerProduct

    return [EliminateReshapeBeforeInnerProduct()]


@ELIMINATIONS.add(
    "eliminate-kept-axes",
    "Drop the axes that a Reduction keeps, or a Reshape adds, before the 1x1 Convolutions and "
    "the BinaryOp of squeeze and excitation, which also accept a vector",
)
def eliminate_kept_axes() -> "Patterns":
    from ...canonicalization.squeeze_excitation import DropAxesOfGate

    return [DropAxesOfGate()]


def _eliminate_repeated_heads_patterns() -> "Patterns":
    from ...canonicalization.grouped_query_attention import ShareHeads

    return [ShareHeads()]


@ELIMINATIONS.add_class(
    "eliminate-repeated-heads",
    "Remove a Tile that repeats the heads of keys and values before an SDPA: the SDPA can "
    "share each head between several heads of the query; if it has a cache, only with "
    "`opaque-caches=true`, because the cache then has fewer heads (docs/decoders.md)",
    _eliminate_repeated_heads_patterns,
)
def eliminate_repeated_heads() -> "type[ModulePass]":
    from ...eliminate_repeated_heads import EliminateRepeatedHeads

    return EliminateRepeatedHeads


@ELIMINATIONS.add(
    "eliminate-identity",
    "Remove layers of any type that return their input unchanged: because of their "
    "parameters, because of shapes, or because a Concat undoes a Slice",
)
def eliminate_identity() -> "Patterns":
    from ...canonicalization.identity import EliminateIdentity, EliminateNeutralAffine

    return [EliminateIdentity(), EliminateNeutralAffine()]


@ELIMINATIONS.add(
    "eliminate-duplicate-layers",
    "Replace layers that compute the same from the same blobs and weights by one of them",
)
def eliminate_duplicate_layers() -> "Patterns":
    from ...canonicalization.redundant_layers import EliminateDuplicate, ShareConstants

    return [EliminateDuplicate(), ShareConstants()]


@ELIMINATIONS.add(
    "eliminate-orphaned-memorydata",
    "Remove MemoryData layers whose blob has no use and is not an output",
    last=of_types("MemoryData"),
    reports_unused=True,
)
def eliminate_orphaned_memorydata() -> "Patterns":
    from ...canonicalization.redundant_layers import EliminateDead

    return [EliminateDead()]


@ELIMINATIONS.add(
    "eliminate-dead-layers", "Remove layers whose results have no use", reports_unused=True
)
def eliminate_dead_layers() -> "Patterns":
    from ...canonicalization.redundant_layers import EliminateDead

    return [EliminateDead()]


MERGES = Rows()


@MERGES.add(
    "merge-reshapes",
    "Merge consecutive reshaping layers (Reshape, Flatten, Squeeze, ExpandDims) into one "
    "Reshape; replace extents that a Reshape reads from another blob by constants, or read "
    "them from a blob that has other uses",
)
def merge_reshapes() -> "Patterns":
    from ...canonicalization.reshapes import (
        MergeReshapes,
        ReadShapeOfEarlierBlob,
        ReplaceShapeExpression,
    )

    return [MergeReshapes(), ReplaceShapeExpression(), ReadShapeOfEarlierBlob()]


@MERGES.add("merge-permutes", "Merge consecutive Permutes into one")
def merge_permutes() -> "Patterns":
    from ...canonicalization.data_movement import MergePermutes

    return [MergePermutes()]


@MERGES.add("merge-concats", "Merge a Concat into the next Concat along the same axis")
def merge_concats() -> "Patterns":
    from ...canonicalization.data_movement import MergeConcats

    return [MergeConcats()]


@MERGES.add("merge-crops", "Merge Crops that together cut a blob into all its parts into one Slice")
def merge_crops() -> "Patterns":
    from ...canonicalization.data_movement import MergeCrops

    return [MergeCrops()]


@MERGES.add(
    "merge-reductions",
    "Merge consecutive Reductions with the same operation into one; drop kept axes that a "
    "later Reshape removes",
)
def merge_reductions() -> "Patterns":
    from ...canonicalization.reductions import DropKeptAxes, MergeReductions

    return [MergeReductions(), DropKeptAxes()]


@MERGES.add(
    "merge-unaryops",
    "Remove UnaryOp layers that another layer makes unnecessary (neg after neg, floor after "
    "round, neg before an addition, …)",
)
def merge_unaryops() -> "Patterns":
    from ...canonicalization.unary import MergeNegation, MergeUnaryOps

    return [MergeUnaryOps(), MergeNegation()]
