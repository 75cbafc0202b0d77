"""The options that edit a model become its edits."""

from dataclasses import fields

from ncnn_opt.driver.edits import Edits
from ncnn_opt.tools.arguments import make_parser
from ncnn_opt.tools.pass_options import edits_of
from xdsl.passes import ModulePass

WORDS = {
    "insert": ["--insert", "Noop n 1 1 a b"],
    "table_inputs": ["--table-inputs"],
    "rename": ["--rename", "a=b"],
    "inputs": ["--inputs", "a"],
    "outputs": ["--outputs", "a"],
    "join": ["--join"],
    "joined_inputs": ["--join"],
    "split_at": ["--split-at", "a"],
    "split_size": ["--split-size", "1M"],
    "split_parts": ["--split", "2"],
    "fractions": ["--interpolate", "b.param=0.5"],
    "expanded": ["--expand-custom", "T=b.param"],
    "shapes": ["--custom-shape", "T=0w"],
}
"""A command line for each field of `Edits`."""


def passes_from(*words: str) -> list[ModulePass]:
    """The passes of the edits of a command line."""
    args = make_parser().parse_args(words)
    args.joined_inputs = ()
    edits = edits_of(args)
    return [
        *(*edits.joins(), *edits.declarations(), *edits.feeds(), *edits.insertions()),
        *(*edits.renamings(), *edits.orders(), *edits.splits()),
    ]


def test_each_option_that_edits_makes_an_edit() -> None:
    assert WORDS.keys() == {each.name for each in fields(Edits)}
    assert [name for name, words in WORDS.items() if len(passes_from(*words)) != 1] == []


def test_other_options_make_no_edit() -> None:
    assert passes_from("--cut-to", "a", "--fold-limit", "0", "--for-ncnn", "20240820") == []
