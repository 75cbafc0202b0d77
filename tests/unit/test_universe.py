"""What others see of us: the dialect and passes in plain `xdsl-opt`, and the list of passes."""

import inspect
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn import BY_TYPE, LAYERS, NCNN
from ncnn_opt.driver.environment import available_passes, make_context
from ncnn_opt.tools.arguments import make_parser
from ncnn_opt.transforms import OPTIMIZE, get_all_passes
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
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


def test_dialects_of_iree_are_ours_alone() -> None:
    """Another package may have all of them."""
    line = 'util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<4xf32>'
    assert isinstance(Parser(make_context(), line).parse_module(), ModuleOp)
    assert set(NCNN_OPT.all_dialects) == {"ncnn", "fused", "pnnx"}


ATTRIBUTES = """
import importlib, pkgutil, sys
import xdsl
from importlib.metadata import entry_points

def attributes():
    found = {}
    for name, module in sorted(sys.modules.items()):
        if name.split(".")[0] != "xdsl":
            continue
        for key, value in vars(module).items():
            found[name, key] = id(value)
            if isinstance(value, type) and value.__module__.startswith("xdsl"):
                # Caches of classes (abc, enum, dataclasses) are no attributes that somebody set.
                own = {k: v for k, v in vars(value).items() if k not in SELF_MADE}
                found.update({(name, key, k): id(v) for k, v in own.items()})
    return found

SELF_MADE = {"_abc_impl", "__abstractmethods__", "__parameters__"}
NAMES = ["xdsl.tools.command_line_tool", "xdsl.xdsl_opt_main", "xdsl.universe", "xdsl.ir",
         "xdsl.parser", "xdsl.printer", "xdsl.passes", "xdsl.pattern_rewriter"]
for name in NAMES:
    importlib.import_module(name)
before = attributes()
(entry,) = [e for e in entry_points(group="xdsl.universe") if e.value.startswith("ncnn_opt.")]
loaded = entry.load()
for load in [*loaded.all_dialects.values(), *loaded.all_passes.values()]:
    load()
after = attributes()
print([key for key, value in before.items() if after.get(key) != value])
"""


def test_loading_the_universe_changes_nothing_of_xdsl() -> None:
    """All dialects and passes are loaded, too."""
    done = subprocess.run([sys.executable, "-c", ATTRIBUTES], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr


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
