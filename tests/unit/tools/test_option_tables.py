"""Tables of options: a text with the options of a command."""

import pytest
from ncnn_opt.tools.parsers import Parser, add_options, first_of, positive

TABLE = """
  -O  optimize
names:
      They are for messages.
  -o, --output-file FILE  the file to write, which
      is not read
  --keep LAYER[,LAYER…]...  layers
  --jobs N  the number of jobs (%(default)s)
options:
  --engine  the engine
  --sizes A B  two numbers
"""


def parser() -> Parser:
    made = Parser("tool", "A tool.")
    jobs = {"type": positive, "default": 3}
    engines = first_of(["numpy", "ncnn"])
    add_options(made, TABLE, O={"dest": "optimize"}, jobs=jobs, engine=engines, sizes={"nargs": 2})
    return made


def test_values_and_defaults() -> None:
    args = parser().parse_args([])
    assert (args.optimize, args.output_file, args.keep, args.jobs) == (False, None, [], 3)
    assert (args.engine, args.sizes) == ("numpy", None)
    words = "-O -o x --keep a --keep b --jobs 2 --engine ncnn --sizes 1 2"
    args = parser().parse_args(words.split())
    assert (args.optimize, args.output_file, args.keep, args.jobs) == (True, "x", ["a", "b"], 2)
    assert (args.engine, args.sizes) == ("ncnn", ["1", "2"])


def test_help_has_the_groups_and_all_lines() -> None:
    text = parser().format_help()
    options, named = text.split("names:\n")
    assert named.startswith("  They are for messages.\n")
    assert "the file to write, which is not read" in named
    assert "the number of jobs (3)" in named
    assert "-O " in options
    assert "--engine {numpy,ncnn}" in options
    assert "--sizes A B" in options
    assert "--engine" not in named
    assert text.index("--keep") < text.index("--jobs")


def test_each_default_list_is_its_own() -> None:
    first, second = parser().parse_args(["--keep", "a"]), parser().parse_args([])
    assert (first.keep, second.keep) == (["a"], [])


def test_an_option_with_one_space_before_its_help_is_an_error() -> None:
    with pytest.raises(AssertionError, match="--no-help"):
        add_options(Parser("tool", "A tool."), "  --no-help\n")
