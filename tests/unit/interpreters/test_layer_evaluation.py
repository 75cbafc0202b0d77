"""All functions that compute layers are registered, and found for derived layer types, too."""

from pathlib import Path

from ncnn_opt.dialects.ncnn.activation import MishOp, ReLUOp
from ncnn_opt.dialects.ncnn.custom import CustomOp
from ncnn_opt.dialects.ncnn.unary import AbsValOp
from ncnn_opt.interpreters.ncnn import semantics_of
from ncnn_opt.interpreters.ncnn.formulas import by_formula
from ncnn_opt.interpreters.ncnn.layer_evaluation import FILES
from ncnn_opt.interpreters.ncnn.semantics import SEMANTICS, Array, Inputs, Weights, semantics

FOLDER = Path(__file__).parents[3] / "interpreters" / "ncnn"


def test_each_file_with_semantics_is_imported() -> None:
    with_semantics = {p.stem for p in FOLDER.glob("*.py") if "\n@semantics(" in p.read_text()}
    assert len(with_semantics) > 20
    assert with_semantics == {module.__name__.rpartition(".")[2] for module in FILES}


def test_a_derived_layer_type_has_the_function_of_its_base() -> None:
    class Derived(AbsValOp):
        pass

    assert semantics_of(Derived) is semantics_of(AbsValOp) is not None


def test_own_semantics_precede_the_formula() -> None:
    assert semantics_of(MishOp) is by_formula
    assert MishOp not in SEMANTICS

    def own(op: MishOp, inputs: Inputs, weights: Weights) -> Array:
        return inputs[0]

    try:
        assert semantics(MishOp)(own) is own
        assert semantics_of(MishOp) is own
    finally:
        del SEMANTICS[MishOp]


def test_a_custom_layer_has_none() -> None:
    assert semantics_of(CustomOp) is None
    assert semantics_of(ReLUOp) is not None
