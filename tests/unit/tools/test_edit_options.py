"""The options that edit a model become its edits."""

from dataclasses import fields

from ncnn_opt.driver.edits import Edits
from ncnn_opt.tools.arguments import make_parser
from ncnn_opt.tools.pass_options import edits_of

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


def edits_from(*words: str) -> Edits | None:
    """The edits of a command line."""
    args = make_parser().parse_args(words)
    args.joined_inputs = ()
    return edits_of(args)


def test_each_option_that_edits_makes_an_edit() -> None:
    assert WORDS.keys() == {each.name for each in fields(Edits)}
    assert [name for name, words in WORDS.items() if edits_from(*words) is None] == []


def test_other_options_make_no_edit() -> None:
    assert edits_from("--cut-to", "a", "--fold-limit", "0", "--for-ncnn", "20240820") is None
