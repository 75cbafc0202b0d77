"""Finding the layers of one model in another."""

from collections.abc import Callable

from ncnn_opt.report.model import ModelFacts
from ncnn_opt.report.model_comparison import Fate, compare
from ncnn_opt.report.text import comparison_text

Facts = Callable[[str], ModelFacts]


def test_equal_models_have_no_changes(before: str, facts_of: Facts) -> None:
    comparison = compare(facts_of(before), facts_of(before))
    assert comparison.count(Fate.SAME) == len(comparison.matches) == 9
    assert "no change" in comparison_text(comparison, None)


def test_a_renamed_layer_is_found_by_its_blob(before: str, facts_of: Facts) -> None:
    after = before.replace("Pooling pool ", "Pooling other ")
    assert compare(facts_of(before), facts_of(after)).count(Fate.SAME) == 9


def test_another_type_under_the_same_name_has_changed(before: str, facts_of: Facts) -> None:
    after = before.replace("ReLU relu", "Sigmoid relu")
    (match,) = [
        m for m in compare(facts_of(before), facts_of(after)).matches if m.fate is not Fate.SAME
    ]
    assert (match.fate, match.details) == (Fate.CHANGED, ["ReLU became Sigmoid"])


def test_models_with_nothing_in_common(before: str, facts_of: Facts) -> None:
    other = "7767517\n2 2\nInput x 0 1 x 0=4\nTanH t 1 1 x y\n"
    comparison = compare(facts_of(before), facts_of(other))
    assert comparison.count(Fate.NEW) == 2
    assert comparison.count(Fate.SAME) == comparison.count(Fate.CHANGED) == 0


def test_layers_of_one_name(facts_of: Facts) -> None:
    text = "7767517\n4 4\nInput x 0 1 x 0=4\nTanH t 1 1 x a\nTanH t 1 1 a b\nTanH t 1 1 b c\n"
    assert compare(facts_of(text), facts_of(text)).count(Fate.SAME) == 4


def test_inputs_of_two_shapes_are_named(facts_of: Facts) -> None:
    """The costs of such models differ for another reason than a rewrite."""
    text = "7767517\n2 2\nInput x 0 1 x 0=4\nTanH t 1 1 x y\n"
    larger = text.replace("0=4", "0=5")
    note = "input 'x' is 4 before and 5 after: --input-shape x=… gives both one shape"
    assert note in comparison_text(compare(facts_of(text), facts_of(larger)), None)
    for other in (text, larger.replace(" x", " z")):
        assert "before and" not in comparison_text(compare(facts_of(text), facts_of(other)), None)
