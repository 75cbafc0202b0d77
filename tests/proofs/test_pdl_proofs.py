"""`--prove-pdl`: right and wrong patterns, before they are used."""

from pathlib import Path

import pytest
from ncnn_opt.driver.environment import make_context
from ncnn_opt.driver.pdl_proofs import PatternProof, prove_file
from ncnn_opt.proofs.pdl_instances import instances
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.transforms.apply_pdl import pattern_of, read_patterns

EXAMPLE = Path(__file__).parents[2] / "examples" / "swish.pdl.mlir"

SWISH = EXAMPLE.read_text()

OPERANDS = """pdl.pattern @swapped : benefit(1) {
  %t = pdl.type
  %u = pdl.type
  %v = pdl.type
  %x = pdl.operand : %t
  %y = pdl.operand : %u
  %op = pdl.attribute VALUE
  %a = pdl.operation BINARY (%x, %y : OPERANDS) {"op_type" = %op} -> (%v : !pdl.type)
  pdl.rewrite %a {
    %new = pdl.attribute = RESULT : i32
    %b = pdl.operation BINARY (%y, %x : OPERANDS) {"op_type" = %new} -> (%v : !pdl.type)
    pdl.replace %a with %b
  }
}
""".replace("BINARY", '"ncnn.binaryop"').replace("OPERANDS", "!pdl.value, !pdl.value")


def proofs(folder: Path, text: str, *models: str) -> list[PatternProof]:
    (folder / "it.pdl.mlir").write_text(text)
    return prove_file(str(folder / "it.pdl.mlir"), models)


def test_the_example(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--prove-pdl", str(EXAMPLE)])
    sizes = "5; 5, all results read; 4x5; 4x5, all results read; "
    sizes += "3x4x5; 3x4x5, all results read; 2x3x4x5; 2x3x4x5, all results read"
    assert capsys.readouterr().out == (
        f"@swish: proven at 8 instances: {sizes}\n@swish_reversed: proven at 8 instances: {sizes}\n"
        "PASSED: 2 of 2 patterns are proven\n"
    )


WRONG = {
    "another operator": SWISH.replace("= 2 : i32", "= 0 : i32"),
    "another layer": SWISH.replace('"ncnn.swish"', '"ncnn.hardswish"'),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_wrong_pattern(text: str, tmp_path: Path) -> None:
    for proof in proofs(tmp_path, text):
        assert not proof.is_proven
        place, x, before, after, most = proof.refuted
        assert place == "5"
        assert x.startswith("  input in0 of the rewritten layers: 5 [")
        assert before.startswith("  output before: 5 [")
        assert after.startswith("  output after:  5 [")
        assert most.startswith("  they differ most at [")


def test_operands_in_the_other_order(tmp_path: Path) -> None:
    """`x - y` is the reversed subtraction (7) of y and x, and not a division (9)."""
    text = OPERANDS.replace("VALUE", "= 1 : i32")
    (right,) = proofs(tmp_path, text.replace("RESULT", "7"))
    assert right.is_proven
    assert "3x4x5 and 1x1x1" in right.proven
    (wrong,) = proofs(tmp_path, text.replace("RESULT", "9"))
    assert wrong.refuted[0] == "5 and 5"


def test_the_command_fails_for_a_wrong_pattern(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "it.pdl.mlir").write_text(WRONG["another operator"])
    with pytest.raises(SystemExit) as exit_:
        main(["--prove-pdl", str(tmp_path / "it.pdl.mlir")])
    assert exit_.value.code == 1
    start = "@swish: wrong at 5\n  input in0 of the rewritten layers: 5 ["
    assert capsys.readouterr().out.startswith(start)


def test_an_attribute_with_any_value(tmp_path: Path) -> None:
    (proof,) = proofs(tmp_path, OPERANDS.replace("VALUE", "").replace("RESULT", "0"))
    assert proof.refuted[0] == "5 and 5, op_type 1"  # an addition is right


def test_a_pattern_that_matches_its_own_results(tmp_path: Path) -> None:
    (proof,) = proofs(tmp_path, OPERANDS.replace("VALUE", "= 0 : i32").replace("RESULT", "0"))
    assert not proof.is_proven
    assert proof.unproven[0] == "5 and 5: it matches its own results, and would never end"


def found(folder: Path, text: str) -> list[str]:
    """The descriptions of the instances of the only pattern."""
    (folder / "it.pdl.mlir").write_text(text)
    ctx = make_context()
    ((pattern,), _) = read_patterns(str(folder / "it.pdl.mlir"), ctx)
    return [name for name, _ in instances(pattern_of(pattern.pdl_rewrite_op), ctx)]


def test_operands_broadcast_unless_they_have_one_type(tmp_path: Path) -> None:
    text = OPERANDS.replace("VALUE", "= 1 : i32").replace("RESULT", "7")
    every = found(tmp_path, text)
    assert {"5 and 5", "3x4x5 and 1x1x1", "3x1x1 and 3x4x5"} < {*every}
    one_type = text.replace("  %u = pdl.type\n", "").replace("operand : %u", "operand : %t")
    untyped = one_type.replace("  %t = pdl.type\n", "").replace("operand : %t", "operand")
    assert found(tmp_path, untyped) == every
    of_one_type = found(tmp_path, one_type)
    assert [name for name in of_one_type if "," not in name] == [
        f"{shape} and {shape}" for shape in ("5", "4x5", "3x4x5", "2x3x4x5")
    ]


def test_a_pattern_has_64_instances_at_most(tmp_path: Path) -> None:
    assert len(found(tmp_path, OPERANDS.replace("VALUE", "").replace("RESULT", "0"))) == 64


def test_shapes_that_a_layer_does_not_take_are_no_instances(tmp_path: Path) -> None:
    """A Diag takes vectors and matrices."""
    text = """pdl.pattern @diag : benefit(1) {
      %t = pdl.type
      %x = pdl.operand
      %a = pdl.operation "ncnn.diag" (%x : !pdl.value) -> (%t : !pdl.type)
      pdl.rewrite %a {
        pdl.replace %a with (%x : !pdl.value)
      }
    }"""
    assert [name for name in found(tmp_path, text) if "," not in name] == ["5", "4x5"]


SCALE = """pdl.pattern @scale : benefit(1) {
  %t = pdl.type
  %x = pdl.operand : %t
  %w = pdl.operand
  %a = pdl.operation "ncnn.scale" (%x, %w : !pdl.value, !pdl.value) -> (%t : !pdl.type)
  pdl.rewrite %a {
    pdl.replace %a with (%x : !pdl.value)
  }
}
"""


def test_a_layer_with_weights_needs_a_model(tmp_path: Path) -> None:
    (proof,) = proofs(tmp_path, SCALE)
    assert str(proof) == (
        "@scale: not proven at any instance: ncnn.scale has weights, whose shapes the pattern "
        "does not determine; --layers-of MODEL gives one"
    )
    (tmp_path / "m.mlir").write_text(
        "func.func @main(%x: tensor<3x4x5xf32>) -> tensor<3x4x5xf32> {\n"
        "  %w = ncnn.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>\n"
        '  %y = ncnn.scale %x scale %w {name = "y"} : '
        "(tensor<3x4x5xf32>, tensor<3xf32>) -> tensor<3x4x5xf32>\n"
        "  func.return %y : tensor<3x4x5xf32>\n}\n"
    )
    model = str(tmp_path / "m.mlir")
    (wrong,) = proofs(tmp_path, SCALE, model)
    assert wrong.refuted[0] == f"{model}, Scale 'y'"
    (right,) = proofs(
        tmp_path, OPERANDS.replace("VALUE", "= 1 : i32").replace("RESULT", "7"), model
    )
    assert right.is_proven  # the model has no such layer, which changes nothing
