"""The caches that `add-kv-cache` gives to a decoder."""

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from ...analysis.caches import sole_input
from ...dialects.ncnn.assembly import names_of, set_names
from ...dialects.ncnn.attention import Attention, MultiHeadAttentionOp, RotaryEmbedOp, SDPAOp
from ...dialects.ncnn.blob import UNRANKED
from ...dialects.ncnn.constant import ConstantOp
from ...dialects.ncnn.function import (
    Names,
    add_input,
    named,
    outputs_of,
    set_outputs,
    signature_of,
)
from ...dialects.ncnn.interfaces import Reshaping
from ...dialects.ncnn.lookup import layers_of
from ...dialects.ncnn.structure import InputOp
from ..rewriting.remarks import remark
from .add_kv_cache import AddKVCache
from .attention_kinds import Streams, check_causal, joined_to_one, mask_of, origin
from .cache_names import LAYER, CacheNames
from .sequence_lengths import exported_steps, make_steps_dynamic

PACK = 4
"""The smallest number of channels that the runtime packs."""


def add_caches(func: FuncOp, names: CacheNames) -> None:
    """Give all attention layers a cache; change nothing if all have one. Raise
    `PassFailedException` for a model that is not provably a decoder."""
    layers = [op for op in layers_of(func) if isinstance(op, Attention)]
    new = [op for op in layers if not op.kv_cache]
    if layers and (not new or (len(new) < len(layers) and all(map(_is_done, new)))):
        return
    if not new:
        raise PassFailedException(
            "there is no SDPA and no MultiHeadAttention to give a cache; -O recognizes attention "
            "that other layers spell out"
        )
    if len(new) < len(layers):
        raise PassFailedException(
            f"{new[0].label()} has no cache, and other attention layers have one; the model is a "
            "decoder with caches already"
        )
    _Caches(func, names).add(new)


def _blob_of(arg: SSAValue) -> SSAValue:
    """Return the blob of an input, which an Input layer among the other layers may produce."""
    for use in arg.uses:
        if isinstance(op := use.operation, InputOp):
            return op.results[use.index]
    return arg


def crashes_with_cache(op: Attention) -> bool:
    """Whether the runtime's releases stop, on processors that pack blobs, in the second call of a
    cross-attention with a cache: a multiple of 4 heads of the cache are packed."""
    if not isinstance(op, MultiHeadAttentionOp) or len(op.sequences(op.inputs)) == 1:
        return False
    return op.num_heads % PACK == 0


def _is_done(op: Attention) -> bool:
    """Whether this pass leaves a layer without a cache: it reads keys and values that are inputs of
    the model, or would crash."""
    given = isinstance(op, SDPAOp) and all(sole_input(v) is not None for v in op.inputs[1:3])
    return given or crashes_with_cache(op)


class _Caches:
    """The inputs and outputs that a model gets."""

    def __init__(self, func: FuncOp, names: CacheNames) -> None:
        self.func = func
        self.names = names
        signature = signature_of(func)
        self.taken = {*signature.inputs.values(), *signature.outputs}
        self.outputs = outputs_of(func)
        self.tables: dict[tuple[str, bytes], SSAValue] = {}

    def add(self, layers: Sequence[Attention]) -> None:
        """Give all these layers a cache."""
        streams = Streams()
        kinds = {op: streams.kind_of(op) for op in layers}
        own = [op for op in layers if kinds[op] == "self"]
        if not own:
            raise PassFailedException(
                f"{layers[0].label()} and all others are cross-attention; a decoder has "
                "self-attention"
            )
        masks = {op: check_causal(op) for op in own}
        for op in own:
            joined_to_one(op)
        steps = exported_steps(own)
        stepping = _stepping(self.func, streams, own, [op for op in layers if kinds[op] == "cross"])
        self.replace_tables()
        for op in own:
            place = list(op.operands).index(mask_of(op) or masks[op])
            if isinstance(constant := masks[op].owner, ConstantOp):
                op.operands[place] = self.table("mask", constant, op.label())
            else:  # without Reshapes to the extents of the export
                op.operands[place] = _blob_of(masks[op])
        make_steps_dynamic(self.func, steps, stepping)
        self.outputs = outputs_of(self.func)  # some values have other types now
        for number, op in enumerate(layers):
            given = self.names.of(number)
            if kinds[op] == "self":
                self.put_cache(op, joined_to_one(op), given)
            elif isinstance(op, SDPAOp):
                self.read_keys(op, given)
            elif crashes_with_cache(op):
                note = "no cache: with one, the runtime crashes for a multiple of 4 heads"
                remark(AddKVCache.name, op.label(), note=note)
            else:
                self.put_cache(op, op.sequences(op.inputs), given)
        set_outputs(self.func, self.outputs)
        self.drop_constants()

    def drop_constants(self) -> None:
        """Remove the constants that inputs replace."""
        for op in reversed(layers_of(self.func)):
            if isinstance(op, ConstantOp | Reshaping) and not any(v.uses for v in op.results):
                Rewriter.erase_op(op)

    def take(self, name: str) -> None:
        """Take the name of a new blob. Raise `PassFailedException` if there is such a blob."""
        if name in self.taken:
            raise PassFailedException(
                f"the model has a blob '{name}'; --cache-names gives caches other names"
            )
        self.taken.add(name)

    def input(self, name: str, layer: str | None = None) -> BlockArgument:
        """Add an input of this name."""
        self.take(name)
        arg = add_input(self.func, UNRANKED, name)
        arg.name_hint = name if SSAValue.is_valid_name(name) else None
        if layer is not None and self.func.arg_attrs is not None:
            *others, last = self.func.arg_attrs.data
            own = DictionaryAttr({**last.data, "ncnn.layer": StringAttr(layer)})
            self.func.arg_attrs = ArrayAttr([*others, own])
        return arg

    def replace_tables(self) -> None:
        """Make the constant tables of rotations inputs."""
        for op in layers_of(self.func):
            if not isinstance(op, RotaryEmbedOp):
                continue
            for index, name in ((1, "cos"), (2, "sin")):
                constant = origin(op.inputs[index]).owner
                if isinstance(constant, ConstantOp):
                    op.operands[index] = self.table(name, constant, op.label())

    def table(self, name: str, constant: ConstantOp, reader: str) -> SSAValue:
        """Return the input for a constant table; equal tables have one."""
        values = constant.read().tobytes() if constant.has_values() else b""
        if (name, values) not in self.tables:
            free = Names(self.taken).unique(name)
            self.tables[name, values] = self.input(free)
            note = f"the input '{free}' has the rows of {constant.label()} for the new steps"
            remark(AddKVCache.name, reader, note=note)
        return self.tables[name, values]

    def put_cache(self, op: Attention, inputs: Iterable[SSAValue], names: CacheNames) -> None:
        """Replace a layer by one with a cache."""
        for name in names[2:]:
            self.take(name)
        past = [self.input(name, LAYER) for name in names[:2]]
        mask = mask_of(op)
        data = [*inputs, *([] if mask is None else [mask]), *past]
        types: list[Attribute] = [op.result_types[0], UNRANKED, UNRANKED]
        new = type(op).make(data, op.weight_operands(), types, op.parameters(), op.attributes)
        new.set_params(kv_cache=1)
        layer = None if op.layer_name is None else op.layer_name.data
        set_names(new, layer, [names_of(op)[0], *names[2:]])
        new.location = op.location
        Rewriter.insert_op(new, InsertPoint.before(op))
        for result, type_ in zip(new.results, new.infer_types() or (), strict=False):
            if result.index > 0:
                Rewriter.replace_value_with_new_type(result, type_)
        old, result = op.results[0], new.results[0]
        old.replace_all_uses_with(result)
        Rewriter.erase_op(op)
        self.outputs = [(result if v is old else v, attrs) for v, attrs in self.outputs]
        self.outputs += [(new.results[i], named(names[1 + i])) for i in (1, 2)]
        remark(AddKVCache.name, op.label(), note=f"caches '{names[0]}' and '{names[1]}'")

    def read_keys(self, op: SDPAOp, names: CacheNames) -> None:
        """Make a cross-attention read keys and values from inputs, and return what computes
        them."""
        for place in (1, 2):
            self.take(names[1 + place])
            self.outputs.append((op.inputs[place], named(names[1 + place])))
            op.operands[place] = self.input(names[place - 1], LAYER)
        note = f"'{names[2]}' and '{names[3]}' are computed once, for '{names[0]}' and '{names[1]}'"
        remark(AddKVCache.name, op.label(), note=note)


def _stepping(
    func: FuncOp, streams: Streams, own: Sequence[Attention], others: Sequence[Attention]
) -> frozenset[BlockArgument]:
    """Return the inputs that have a row for each step: hidden states, and tables of rotations."""
    tables = (op.inputs[1:] for op in layers_of(func) if isinstance(op, RotaryEmbedOp))
    blobs = [*(op.inputs[0] for op in own), *(v for pair in tables for v in pair)]
    every = frozenset[BlockArgument]().union(*map(streams.of, blobs))
    keys = (streams.of(v) for op in others for v in op.sequences(op.inputs)[1:])
    return every.difference(*keys)
