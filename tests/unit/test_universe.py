"""What others see of us: the dialect and passes in plain `xdsl-opt`, and the list of passes."""

import inspect
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE, LAYERS, NCNN
from ncnn_opt.driver.environment import available_passes
from ncnn_opt.tools.arguments import make_parser
from ncnn_opt.transforms import OPTIMIZE, get_all_passes
from xdsl.dialects import get_all_dialects
from xdsl.transforms import get_all_passes as get_passes_of_xdsl

from ncnn_opt.universe import NCNN_OPT

IR = """func.func @main(%x: tensor<3x8x8xf32>) -> tensor<4x6x6xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<4x3x3x3xf32>
  %y = ncnn.convolution %x weight %w {name = "conv", num_output = 4, kernel_w = 3}
       : (tensor<3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<4x6x6xf32>
  %z = ncnn.relu %y {name = "relu"} : (tensor<4x6x6xf32>) -> tensor<4x6x6xf32>
  func.return %z : tensor<4x6x6xf32>
}
"""


def xdsl_opt(*arguments: str, ir: str = IR) -> str:
    program = Path(sys.executable).with_name("xdsl-opt")
    result = subprocess.run(
        [str(program), *arguments], input=ir, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_plain_xdsl_opt_knows_the_dialect() -> None:
    printed = xdsl_opt()
    assert 'ncnn.convolution %x weight %w {name = "conv", num_output = 4, kernel_w = 3}' in printed


def test_plain_xdsl_opt_knows_parameters_of_iree() -> None:
    line = 'util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<4xf32>'
    assert line in xdsl_opt(ir=line)


@pytest.mark.parametrize("pipeline", ["canonicalize", "fuse-conv-activation"])
def test_plain_xdsl_opt_knows_the_passes(pipeline: str) -> None:
    printed = xdsl_opt("-p", pipeline)
    assert "ncnn.relu" not in printed
    assert "activation_type = relu" in printed


def test_names_are_new_in_the_multiverse() -> None:
    assert not set(NCNN_OPT.all_passes) & set(get_passes_of_xdsl())
    assert not set(NCNN_OPT.all_dialects) & set(get_all_dialects())
    assert NCNN_OPT.all_dialects["ncnn"]() is NCNN


def test_names_are_unique() -> None:
    operations = Counter(op.name for op in NCNN.operations)
    assert operations.most_common(1)[0][1] == 1
    assert all(name.startswith("ncnn.") for name in operations)
    assert len({cls.LAYER_TYPE for cls in LAYERS}) == len(LAYERS) == len(BY_TYPE)


@pytest.mark.parametrize("name", get_all_passes())
def test_passes_go_by_their_own_name(name: str) -> None:
    cls = get_all_passes()[name]()
    assert cls.name == name
    assert inspect.getdoc(cls)


def test_passes_are_classes_of_their_own() -> None:
    classes = [load() for load in get_all_passes().values()]
    assert len(set(classes)) == len(classes)


def test_optimizing_runs_passes_that_there_are() -> None:
    assert set(OPTIMIZE) <= set(available_passes())


def test_no_pass_has_the_name_of_an_option() -> None:
    passes = available_passes()
    parser = make_parser()
    options = set(parser._option_string_actions)  # pyright: ignore[reportPrivateUsage]
    assert "--output-file" in options
    assert not {f"--{name}" for name in passes} & options


def test_help_has_a_line_for_every_pass_of_ours() -> None:
    program = Path(sys.executable).with_name("ncnn-opt")
    text = subprocess.run(
        [str(program), "--help-all"], capture_output=True, text=True, check=True
    ).stdout
    assert max(map(len, text.splitlines())) <= 100
    for name in get_all_passes():
        described = re.findall(rf"^  --{name}(?: +|\n {{36}})(\S.*)$", text, re.MULTILINE)
        assert len(described) == 1, name
        assert len(described[0]) > 10, name


def test_help_has_every_option() -> None:
    parser = make_parser()
    text = parser.format_help()
    for option in parser._option_string_actions:  # pyright: ignore[reportPrivateUsage]
        assert option in text
