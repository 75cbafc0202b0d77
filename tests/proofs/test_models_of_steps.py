"""The parts of a model that the proof of a step compares: its canonical form, its interface, its
region, and the points of the region."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from ncnn_opt.dialects.ncnn.constant import ConstantOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.ncnn.weights import dense_weight
from ncnn_opt.proofs.array import ExactArray, NotExact
from ncnn_opt.proofs.canonical_form import CanonicalForm
from ncnn_opt.proofs.comparison import LARGE, SMALL, compare
from ncnn_opt.proofs.counterexamples import counterexample
from ncnn_opt.proofs.exact_evaluation import evaluate
from ncnn_opt.proofs.interface import interface_difference
from ncnn_opt.proofs.proof import Status
from ncnn_opt.proofs.regions import Region, kept_operations, region_of
from ncnn_opt.proofs.sampling import INTERIOR, exact_sample
from ncnn_opt.proofs.scaled_extents import KnownShapes
from ncnn_opt.proofs.step_proofs import GROWTHS, StepProver, Verdict, check_weights
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.dialects.test import TestOp as AnyOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from .test_declared_extents import NOTHING, model
from .test_proofs import module_of

RELU = '%y = ncnn.relu %x {{name = "y", slope = {}}} : (T) -> T'


def relu(slope: float = 0.0) -> ModuleOp:
    return module_of(RELU.format(slope))


# -- the canonical form


def test_the_hash_of_a_module_sees_all_of_its_functions() -> None:
    """Also those behind a declaration."""

    def module(slope: float) -> ModuleOp:
        found = relu(slope)
        declaration = FuncOp.external("other", [], [])
        found.body.block.insert_op_before(declaration, found.body.block.first_op)  # pyright: ignore
        return found

    form = CanonicalForm()
    assert form.hash(module(0.5)) == form.hash(module(0.5))
    assert form.hash(module(0.5)) != form.hash(module(0.25))
    assert form.hash(module(0.5)) != form.hash(relu(0.5))


def test_attributes_are_facts_about_operations_that_are_no_layers() -> None:
    """The attributes of a layer are notes: its parameters are properties."""

    def module(note: str, value: str) -> ModuleOp:
        found = relu()
        func = model_of(found)
        layer, end = func.body.block.ops
        layer.attributes["note"] = StringAttr(note)
        other = AnyOp(operands=[layer.results[0]], result_types=[layer.results[0].type])
        other.attributes["value"] = StringAttr(value)
        Rewriter.insert_op(other, InsertPoint.before(end))
        end.operands[0] = other.results[0]
        return found

    form = CanonicalForm()
    assert form.hash(module("a", "b")) == form.hash(module("a", "b")) == form.hash(module("c", "b"))
    assert form.hash(module("a", "b")) != form.hash(module("a", "c"))


# -- the interface


def masked(*masks: int) -> ModuleOp:
    """A chain of ReLUs with these feature masks."""
    lines: list[str] = []
    for i, mask in enumerate(masks):
        result, of = f"a{i}" if i < len(masks) - 1 else "y", f"%a{i - 1}" if i else "%x"
        params = f'{{name = "{result}", featmask = {mask}}}'
        lines.append(f"%{result} = ncnn.relu {of} {params} : (T) -> T")
    return module_of(*lines)


@pytest.mark.parametrize(
    ("masks", "reason"),
    [
        ((0, 1), None),
        ((1, 1), None),
        ((2, 1), "the feature mask of layer 'a0' becomes 2"),
        ((1, 0), "the feature mask of layer 'y' becomes 0"),
    ],
)
def test_a_new_layer_has_no_mask_or_one_of_the_model(
    masks: tuple[int, ...], reason: str | None
) -> None:
    assert interface_difference(model_of(masked(1)), model_of(masked(*masks))) == reason


# -- the region


def test_an_operation_that_loses_an_operand_is_not_kept() -> None:
    module = module_of(
        '%a = ncnn.relu %x {name = "a"} : (T) -> T',
        '%y = ncnn.binaryop %x, %a {name = "y", op_type = add} : (T, T) -> T',
        '%z = ncnn.relu %x {name = "z"} : (T) -> T',
    )
    after = module.clone()
    pairs = list(zip(module.walk(), after.walk(), strict=True))
    layers = [pair for pair in pairs if pair[0].name.startswith("ncnn.")]
    assert kept_operations(layers, model_of(after)) == dict(layers)
    sum_ = layers[1][1]
    sum_.operands = sum_.operands[:1]
    assert kept_operations(layers, model_of(after)) == {a: b for a, b in layers if b is not sum_}
    layers[2][1].properties["name"] = StringAttr("other")  # a name plays no role
    assert len(kept_operations(layers, model_of(after))) == 2
    layers[2][1].detach()
    assert len(kept_operations(layers, model_of(after))) == 1


# -- its points


class Draws:
    """`exact_sample`, which records the thresholds of each input."""

    def __init__(self) -> None:
        self.thresholds: list[Sequence[float]] = []

    def __call__(
        self, shape: Sequence[int], random: np.random.Generator, thresholds: Sequence[float]
    ) -> ExactArray:
        self.thresholds.append(thresholds)
        return exact_sample(shape, random, thresholds)


def region(before: ModuleOp, after: ModuleOp) -> Region:
    return region_of(model_of(before), model_of(after), {})


def test_the_first_point_is_inside_and_the_others_reach_all_thresholds() -> None:
    make, clip = Draws(), '%y = ncnn.clip %x {name = "y", min = -7.0, max = 6.0} : (T) -> T'
    both = region(module_of(clip), module_of(clip))
    found = compare(both, [(2, 3)], make, 2, 0)
    first, *others = make.thresholds
    assert first == INTERIOR
    assert others
    assert all({-7.0, 6.0, 0.0} <= {*each} for each in others)
    sizes = [np.abs(each.inputs[0].values).max() for each in found]
    assert sizes[0] < 1
    assert max(sizes) > 7


def test_small_regions_have_more_points_and_large_ones_have_one() -> None:
    both = region(relu(), relu())
    assert len(compare(both, [(6,)], Draws(), 1, 0)) == 5
    assert len(compare(both, [(SMALL,)], Draws(), 1, 0)) == 2
    assert len(compare(both, [(SMALL + 1,)], Draws(), 1, 0)) == 1
    assert len(compare(both, [(SMALL + 1,)], Draws(), 3, 0)) == 3
    assert len(compare(both, [(LARGE + 1,)], Draws(), 3, 0)) == 1
    wrong = compare(region(relu(), relu(0.5)), [(2, 3)], Draws(), 3, 0)
    assert [each.is_wrong for each in wrong] == [True]


def test_points_at_other_extents_are_compared() -> None:
    both, others = region(relu(), relu()), [[(7, 5)], [(2, 3)], [(5, 7)], [(5, 7)]]
    found = compare(both, [(2, 3)], Draws(), 1, 0, others)
    assert [tuple(each.shapes[0]) for each in found[5:]] == [(7, 5), (5, 7)]


def test_values_are_exact_or_float32() -> None:
    """Results of constants alone, too."""
    module = module_of("%c = ncnn.constant dense<0.5> : T", RELU.format(0.0).replace("%x", "%c"))
    ops = list(model_of(module).body.block.ops)[:-1]

    def result(exactly: bool) -> Any:
        values: dict[SSAValue, Any] = {}
        evaluate(ops, values, exactly=exactly)
        return values[ops[-1].results[0]]

    assert isinstance(result(True), ExactArray)
    assert isinstance(result(False), np.ndarray)
    assert (result(False) == 0.5).all()


def test_few_undeclared_extents_change_all_axes() -> None:
    """Where one change of all axes fits the weights, it is the only one that is added."""
    declared = (4, 5, 6)
    found = [each[0] for each in KnownShapes(model_of(model(NOTHING))).alternatives]
    assert any(all(n != m for n, m in zip(each, declared, strict=True)) for each in found)
    assert len(found) == 4


# -- the steps


def constants(*values: float) -> ModuleOp:
    """A constant vector, which a ReLU reads."""
    module = module_of(
        f"%c = ncnn.constant dense<[{', '.join('0.0' for _ in values)}]> : T",
        RELU.format(0.0).replace("%x", "%c"),
        shape=str(len(values)),
    )
    (op,) = [op for op in module.walk() if isinstance(op, ConstantOp)]
    op.value = dense_weight(np.array(values, "f4"), op.output.type)  # pyright: ignore
    return module


@pytest.mark.parametrize(
    ("ours", "theirs", "is_right"),
    [
        ((1.0, -100.0), (1.0, -100.0), True),
        ((1.0, -100.0), (1.0005, -100.0), True),
        ((1.0, -100.0), (1.01, -100.0), False),
        ((1.0, -100.0), (1.0, 100.0), False),
        ((float("nan"), 1.0), (float("nan"), 1.0), True),
        ((float("nan"), 1.0), (float("nan"), 1.000001), True),
        ((float("nan"), 1.0), (1.0, 1.0), False),
        ((float("inf"), 1.0), (float("inf"), 1.000001), True),
        ((float("inf"), 1.0), (float("inf"), 1.01), False),
    ],
)
def test_weights_are_equal_up_to_rounding(
    ours: tuple[float, ...], theirs: tuple[float, ...], is_right: bool
) -> None:
    if is_right:
        check_weights(constants(*ours), constants(*theirs))
    else:
        with pytest.raises(NotExact, match="weights differ"):
            check_weights(constants(*ours), constants(*theirs))


def verdict_of(before: ModuleOp, after: ModuleOp, *, repeated: ModuleOp | None = None) -> Verdict:
    """The verdict on a step, whose rewrite of symbols replaces the model by another one."""

    def rewrite(module: ModuleOp) -> None:
        func = (repeated or after).clone().body.block.first_op
        assert isinstance(func, FuncOp)
        func.detach()
        module.body.block.first_op.detach()  # pyright: ignore
        module.body.block.add_op(func)

    pairs: list[tuple[Operation, Operation]] = []
    return StepProver(before, CanonicalForm()).prove(before, after, pairs, rewrite)


@pytest.mark.parametrize("slope", [0.25, 0.75])
def test_a_rewrite_of_symbols_that_differs_is_no_proof(slope: float) -> None:
    """The step itself is right; only its repetition does something else."""
    before, after = relu(0.5), relu(0.5)
    assert verdict_of(before, after).status is Status.PROVEN
    verdict = verdict_of(before, after, repeated=relu(slope))
    assert verdict.status is Status.UNSUPPORTED
    assert verdict.checked
    assert verdict.method == "float32 at random points and thresholds"
    assert verdict.reason == "the rewrite of symbols differs from the rewrite of the weights"
    assert verdict.ground is not None
    assert verdict.extents


def test_a_step_that_is_only_checked_is_refuted_if_it_is_wrong() -> None:
    verdict = verdict_of(relu(0.5), relu(0.25), repeated=relu(0.5))
    assert verdict.status is Status.REFUTED
    assert verdict.difference is not None
    assert not verdict.checked


def test_a_counterexample_has_the_layers_before_the_step() -> None:
    """Where random blobs are no counterexample, since the layers before may not compute them. The
    region grows by fewer layers than there are."""

    def module(slope: float) -> ModuleOp:
        names = ["x", *(f"a{i}" for i in range(count))]
        layers = [
            f'%{name} = ncnn.tanh %{of} {{name = "{name}"}} : (T) -> T'
            for of, name in pairwise(names)
        ]
        return module_of(*layers, RELU.format(slope).replace("%x", f"%{names[-1]}"))

    count = GROWTHS + 2
    before, after = module(0.5), module(0.25)
    kept = [list(model_of(each).body.block.ops)[:count] for each in (before, after)]

    def nothing(module: ModuleOp) -> None:
        """The rewrite of symbols."""

    prover = StepProver(before, CanonicalForm())
    found = prover.prove(before, after, list(zip(*kept, strict=True)), nothing)
    assert found.status is Status.REFUTED
    assert found.difference is not None
    example = counterexample(found.difference)
    (x,) = example.inputs
    for side, slope, results in zip(example.models, (0.5, 0.25), example.outputs, strict=True):
        func = model_of(side)
        layers = list(func.body.block.ops)[:-1]
        assert [op.name for op in layers] == ["ncnn.tanh"] * count + ["ncnn.relu"]
        values: dict[SSAValue, Any] = {func.body.block.args[0]: x.astype("f4")}
        evaluate(layers, values, exactly=False)
        expected = x
        for _ in range(count):
            expected = np.tanh(expected)
        expected = np.where(x > 0, expected, slope * expected)
        for computed in (results, list(values.values())[-1]):
            np.testing.assert_allclose(computed, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("layers", "status"), [(3, Status.PROVEN), (4, Status.UNSUPPORTED)])
def test_a_region_grows_by_few_layers(layers: int, status: Status) -> None:
    """Each layer keeps numbers that are not negative, so the last ReLU does nothing: the first one
    is the reason."""
    lines = ['%a0 = ncnn.relu %x {name = "a0"} : (T) -> T']
    for i in range(layers - 1):
        name = f"a{i + 1}"
        layer = f'%{name} = ncnn.unaryop %a{i} {{name = "{name}", op_type = sqrt}} : (T) -> T'
        lines.append(layer)
    lines.append(f'%last = ncnn.relu %a{layers - 1} {{name = "last"}} : (T) -> T')
    before = module_of(*lines, '%y = ncnn.sigmoid %last {name = "y"} : (T) -> T')
    after = before.clone()
    pairs = list(zip(before.walk(), after.walk(), strict=True))

    def rewrite(module: ModuleOp) -> None:
        *_, last, _, _ = model_of(module).body.block.ops
        Rewriter.replace_op(last, [], [last.operands[0]])

    rewrite(after)
    found = StepProver(before, CanonicalForm()).prove(before, after, pairs, rewrite)
    assert found.status is status, found
