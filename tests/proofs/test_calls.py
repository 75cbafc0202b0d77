"""Proofs of rewrites that change what is carried from call to call: right ones, and wrong ones."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from ncnn_opt.analysis.state_relations import (
    Insert,
    Relations,
    RepeatedHeads,
    ReversedSteps,
    StateRelation,
)
from ncnn_opt.dialects.ncnn.blob import UNRANKED
from ncnn_opt.dialects.ncnn.cropping import CropOp
from ncnn_opt.dialects.ncnn.joining import ConcatOp
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.proofs import Status, prove
from ncnn_opt.proofs.recorder import RecordedRewrite, Recorder
from ncnn_opt.targets.param.export import export_module
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms.eliminate_repeated_heads import EliminateRepeatedHeads
from ncnn_opt.transforms.rewriting.observers import observing
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from .instances import context

HEADS = "tensor<{}x?x4xf32>"


def decoder(
    *lines: str,
    new: int = 4,
    past: int | None = 4,
    returned: Sequence[str] = ("y", "ak", "av"),
    typed: Mapping[str, str] | None = None,
) -> ModuleOp:
    """A function of queries of 4 heads, of new keys and values of `new` heads, of tables of a
    rotation, of a mask and of caches of `past` heads (`None`: of unknown shape). It returns
    `returned`."""
    every = HEADS.format(past or 4)
    heads = {"H": HEADS.format(4), "N": HEADS.format(new), "A": every}
    heads["P"] = every if past else "tensor<*xf32>"
    types = {"y": "H", "ak": "A", "av": "A"} | dict(typed or {})
    results = [types[name] for name in returned]
    text = "\n".join(
        (
            "func.func @main(%q: H, %k: N, %v: N, %cos: tensor<?x2xf32>, %sin: tensor<?x2xf32>, "
            f"%mask: tensor<?x?xf32>, %pk: P, %pv: P) -> ({', '.join(results)}) {{",
            *lines,
            f"func.return {', '.join(f'%{name}' for name in returned)} : {', '.join(results)}",
            "}",
        )
    )
    for letter, type_ in {**heads, "M": "tensor<?x?xf32>", "C": "tensor<?x2xf32>"}.items():
        for end in (",", ")", " ", "\n"):
            for start in (" ", "("):
                text = text.replace(f"{start}{letter}{end}", f"{start}{type_}{end}")
    return parse_ir(context(), text.encode(), "decoder.mlir")


@dataclass(frozen=True)
class Becomes(ModulePass):
    """A pass that replaces a model by another one."""

    after: ModuleOp
    relations: Relations = field(default_factory=dict[str, StateRelation])

    name = "becomes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        (func,) = [each for each in op.ops if isinstance(each, FuncOp)]
        func.detach()
        (new,) = [each for each in self.after.clone().ops if isinstance(each, FuncOp)]
        new.detach()
        op.body.block.add_op(new)

    def state_relations(self, before: FuncOp, after: FuncOp) -> Relations:
        return self.relations


def attention(
    keys: str = "k", values: str = "v", past: str = "pk, pv", mask: str = "mask", new: str = "N"
) -> str:
    operands = ", ".join(f"%{name}" for name in ("q", keys, values, mask, *past.split(", ")))
    return (
        f'%y, %ak, %av = ncnn.sdpa {operands} {{name = "y", blobs = ["y", "ak", "av"], '
        f"attn_mask = 1, kv_cache = 1}} : (H , {new} , {new} , M , P , P ) -> (H , A , A )"
    )


def statuses(before: ModuleOp, *after: ModuleOp) -> list[Status]:
    return [prove(Becomes(each), before).status for each in after]


# -- shared heads

TWICE = {"pk": RepeatedHeads(2), "pv": RepeatedHeads(2)}
FIVE = "tensor<2x2x?x4xf32>"


def heads(name: str) -> list[str]:
    """Layers that make the number of heads certain: a declared one is none."""
    rows = "tensor<?x2x4xf32>"
    return [
        f'%{name}a = ncnn.permute %{name} {{name = "{name}a", order_type = 2}} : (N ) -> {rows}',
        f'%{name}b = ncnn.reshape %{name}a {{name = "{name}b", w = 4, h = 2, c = -1}} : ({rows}) '
        f"-> {rows}",
        f'%{name}h = ncnn.permute %{name}b {{name = "{name}h", order_type = 2}} : ({rows}) -> N ',
    ]


def repeated(name: str) -> list[str]:
    """Layers that repeat each head twice in a row."""
    return [
        *heads(name),
        f'%{name}e = ncnn.expanddims %{name}h {{name = "{name}e", axes = [1]}} : (N ) -> '
        "tensor<2x1x?x4xf32>",
        f'%{name}t = ncnn.tile %{name}e {{name = "{name}t", repeats = [1, 2, 1, 1]}} : '
        f"(tensor<2x1x?x4xf32>) -> {FIVE}",
        f'%{name}r = ncnn.reshape %{name}t {{name = "{name}r", w = 4, h = -1, c = 4}} : '
        f"({FIVE}) -> H",
    ]


def tiled(name: str) -> list[str]:
    """Layers that repeat all heads, one after the other."""
    return [
        *heads(name),
        f'%{name}r = ncnn.tile %{name}h {{name = "{name}r", repeats = [2, 1, 1]}} : (N ) -> H',
    ]


REPEATED = decoder(*repeated("k"), *repeated("v"), attention("kr", "vr", new="H"), new=2)
TILED = decoder(*tiled("k"), *tiled("v"), attention("kr", "vr", new="H"), new=2)
SHARED = decoder(*heads("k"), *heads("v"), attention("kh", "vh"), new=2, past=2)


def test_shared_heads_are_proven_for_all_calls_and_extents() -> None:
    proof = prove(EliminateRepeatedHeads(opaque_caches=True), REPEATED, extents=True)
    assert proof.status is Status.PROVEN, proof.reason
    assert proof.state == ("pk: each head 2 times in a row", "pv: each head 2 times in a row")
    assert {
        "h of pk = h of pv",
        "h of q = h of k = h of v = h of cos = h of sin = h of mask",
        "w of mask = h of pk + h of q",
    } <= {*proof.axes}
    assert prove(Becomes(SHARED, TWICE), REPEATED).status is Status.PROVEN


def test_heads_that_are_tiled_are_not_repeated() -> None:
    proof = prove(Becomes(SHARED, TWICE), TILED)
    assert proof.status is Status.REFUTED
    assert "outputs differ" in proof.reason


@pytest.mark.parametrize(
    ("relations", "reason"),
    [
        ({}, "refuses its inputs"),
        ({"pk": RepeatedHeads(2)}, ""),
        ({"pk": RepeatedHeads(2), "pv": RepeatedHeads(1)}, ""),
        ({"pk": ReversedSteps(), "pv": RepeatedHeads(2)}, ""),
        ({"q": RepeatedHeads(2), **TWICE}, "'q' is no state"),
    ],
)
def test_another_relation_is_no_proof(relations: Relations, reason: str) -> None:
    proof = prove(Becomes(SHARED, relations), REPEATED)
    assert proof.status in (Status.REFUTED, Status.UNSUPPORTED)
    assert reason in proof.reason


@dataclass(frozen=True)
class OneStepMore(RepeatedHeads):
    """A relation that needs a step before the first call: the first one again."""

    def layers(self, state: SSAValue, insert: Insert) -> SSAValue:
        heads = super().layers(state, insert)
        step = CropOp.make([heads], {}, [UNRANKED], {})
        step.set_params(starts=(0,), ends=(1,), axes=(1,))
        joined = ConcatOp.make([insert(step)[0], heads], {}, [UNRANKED], {})
        joined.set_params(axis=1)
        return insert(joined)[0]


def test_the_state_of_the_first_call_is_empty_on_both_sides() -> None:
    relations = {"pk": OneStepMore(2), "pv": OneStepMore(2)}
    proof = prove(Becomes(SHARED, relations), REPEATED)
    assert proof.status is Status.UNSUPPORTED
    assert proof.reason == "'pk': an empty state does not follow from an empty state"


def test_a_relation_that_loses_heads_is_refuted() -> None:
    """Equal outputs of one call are not enough: the next call reads the state."""
    layers = [*heads("k"), *heads("v")]
    alone = decoder(*layers, attention("kh", "vh"), new=2, past=2, returned=("ak", "av"))
    before = decoder(
        *repeated("k"), *repeated("v"), attention("kr", "vr", new="H"), new=2, returned=("ak", "av")
    )
    assert prove(Becomes(alone, TWICE), before).status is Status.PROVEN
    wrong = decoder(*layers, attention("kh", "kh"), new=2, past=2, returned=("ak", "av"))
    assert prove(Becomes(wrong, TWICE), before).status is Status.REFUTED


def written(folder: Path) -> Path:
    """The decoder as a file, whose inputs have no declared shapes."""
    path = folder / "m.param"
    export_module(REPEATED.clone()).save(str(path), str(path.with_suffix(".bin")))
    return path


def test_a_certificate_covers_the_change_of_caches(tmp_path: Path) -> None:
    model, fast, certificate = str(written(tmp_path)), tmp_path / "n.param", tmp_path / "c.json"
    main(["-q", "-O", "--opaque-caches", model, "-o", str(fast), "--certificate", str(certificate)])
    (step,) = [each for each in json.loads(certificate.read_text())["steps"] if each["state"]]
    assert step["pass"] == "eliminate-repeated-heads"
    assert step["status"] == "proven"
    assert step["state"] == [f"{name}: each head 2 times in a row" for name in ("pk", "pv")]
    # A call of 3 steps behind 2: the mask, keys, values, and the caches of 2 heads.
    assert {"3x5", "2x2x4"} < {*step["extents"][0]}
    main(["-q", "--check-certificate", str(certificate), model, str(fast)])


@dataclass(frozen=True)
class WrongRelation(EliminateRepeatedHeads):
    """The pass that shares heads, with a relation that is wrong."""

    name = "wrong-relation"

    def state_relations(self, before: FuncOp, after: FuncOp) -> Relations:
        return {"pk": RepeatedHeads(2), "pv": ReversedSteps()}


@pytest.mark.parametrize(
    ("pass_", "status"),
    [
        (EliminateRepeatedHeads(True), Status.PROVEN),
        (WrongRelation(True), Status.UNSUPPORTED),
        (Becomes(SHARED, TWICE), Status.PROVEN),
        (Becomes(SHARED, {"pk": RepeatedHeads(2)}), Status.UNSUPPORTED),
        (
            Becomes(decoder(*heads("k"), *heads("v"), attention("vh", "kh"), new=2, past=2), TWICE),
            Status.REFUTED,
        ),
    ],
)
def test_the_steps_of_a_run(pass_: ModulePass, status: Status) -> None:
    """Steps are proven in the region that they change; a mask has the columns of all steps."""
    steps: list[RecordedRewrite] = []
    recorder = Recorder(steps.append)
    module = REPEATED.clone()
    recorder.between_passes(None, module, pass_)
    with observing(recorder):
        pass_.apply(Context(), module)
    recorder.between_passes(pass_, module, None)
    assert [each.verdict.status for each in steps] == [status]


# -- the fusion of an explicit cache


def rotated(keys: str = "k", type_: str = "N") -> str:
    return (
        f'%kr = ncnn.rotaryembed %{keys}, %cos, %sin {{name = "kr"}} : ({type_} , C , C ) -> '
        f"{type_} "
    )


def joined(keys: str, values: str, past: Sequence[str] = ("pk", "pv")) -> list[str]:
    return [
        f'%{name} = ncnn.concat %{old}, %{new} {{name = "{name}", axis = 1}} : (P , N ) -> P '
        for name, old, new in (("ak", past[0], keys), ("av", past[1], values))
    ]


def plain(keys: str = "ak", values: str = "av", mask: str = "mask") -> str:
    return (
        f'%y = ncnn.sdpa %q, %{keys}, %{values}, %{mask} {{name = "y", attn_mask = 1}} : '
        "(H , P , P , M ) -> H "
    )


EXPLICIT = decoder(rotated(), *joined("kr", "v"), plain())


def test_the_fusion_of_an_explicit_cache_is_proven_for_all_calls_and_extents() -> None:
    proof = prove("fuse-kv-cache", EXPLICIT, extents=True)
    assert proof.status is Status.PROVEN, proof.reason
    assert not proof.state  # the same state on both sides
    assert "h of pk = h of pv" in proof.axes
    assert "w of mask = h of pk + h of q" in proof.axes
    fused = decoder(rotated(), attention("kr"))
    assert statuses(EXPLICIT, fused) == [Status.PROVEN]


SHIFTED = [
    '%mc = ncnn.crop %mask {name = "mc", starts = [1], ends = [-233], axes = [1]} : (M ) -> M ',
    '%m = ncnn.padding %mc {name = "m", left = 1} : (M ) -> M ',
]

WRONG: Mapping[str, ModuleOp] = {
    "the cache is written before the rotation": decoder(
        rotated(),
        *joined("k", "v"),
        '%jk = ncnn.concat %pk, %kr {name = "jk", axis = 1} : (P , N ) -> P ',
        plain("jk"),
    ),
    "keys and values are exchanged": decoder(rotated(), attention("v", "kr")),
    "past keys and values are exchanged": decoder(rotated(), attention("kr", past="pv, pk")),
    "the mask is shifted by a step": decoder(rotated(), *SHIFTED, attention("kr", mask="m")),
    "the cache is not returned": decoder(
        rotated(), attention("kr"), returned=("y", "pk", "pv"), typed={"pk": "P", "pv": "P"}
    ),
    "the cache has only the new steps": decoder(
        rotated(), attention("kr"), returned=("y", "kr", "v"), typed={"kr": "N", "v": "N"}
    ),
    "an output vanishes": decoder(rotated(), attention("kr"), returned=("y", "ak")),
    "new steps are first": decoder(
        rotated(),
        '%ak = ncnn.concat %kr, %pk {name = "ak", axis = 1} : (N , P ) -> P ',
        '%av = ncnn.concat %v, %pv {name = "av", axis = 1} : (N , P ) -> P ',
        plain(),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_cache_is_refuted(name: str) -> None:
    assert prove(Becomes(WRONG[name]), EXPLICIT).status is Status.REFUTED


# -- the spelled-out cache, whose format differs


@pytest.mark.parametrize("is_masked", [False, True])
def test_a_cache_in_reverse_order(is_masked: bool) -> None:
    line = attention()
    if not is_masked:
        line = line.replace("%mask, ", "").replace("M , ", "").replace("attn_mask = 1, ", "")
    proof = prove("unfuse-kv-cache", decoder(line, past=None))
    assert proof.status is Status.PROVEN, proof.reason
    order = "without the outermost axis, and the steps in reverse order"
    assert proof.state == (f"pk: {order}", f"pv: {order}")


def test_state_that_does_not_start_empty_has_no_relation() -> None:
    """The first call of an LSTM gets zeros, for which a relation is not shown."""
    text = """
    func.func @main(%x: tensor<?x2xf32>, %h_in: tensor<1x2xf32>) ->
        (tensor<?x2xf32>, tensor<1x2xf32>) {
      %y = ncnn.relu %x {name = "y"} : (tensor<?x2xf32>) -> tensor<?x2xf32>
      %h_out = ncnn.relu %h_in {name = "h_out"} : (tensor<1x2xf32>) -> tensor<1x2xf32>
      func.return %y, %h_out : tensor<?x2xf32>, tensor<1x2xf32>
    }"""
    before = parse_ir(context(), text.encode(), "state.mlir")
    after = parse_ir(context(), text.replace("relu %x", "absval %x").encode(), "state.mlir")
    proof = prove(Becomes(after, {"h_in": RepeatedHeads(2)}), before)
    assert proof.status is Status.UNSUPPORTED
    assert "starts empty" in proof.reason
