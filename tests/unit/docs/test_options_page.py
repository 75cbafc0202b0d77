"""docs/options.md: one meaning for each option, of the parsers of today."""

from pathlib import Path
from runpy import run_path
from typing import Any

import pytest
from ncnn_opt.tools.spellings import OLD

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def making() -> dict[str, Any]:
    return run_path(str(ROOT / "docs/making/option_table.py"))


def test_the_page_is_up_to_date(making: dict[str, Any]) -> None:
    page = (ROOT / "docs/options.md").read_text()
    assert making["replaced"](page) == page
    assert page.count("| `--seed` |") == 1


def test_each_option_takes_a_value_everywhere_or_nowhere(making: dict[str, Any]) -> None:
    for name, uses in making["options"]().items():
        takes = {use.command: use.takes_value for use in uses}
        assert len({*takes.values()}) == 1, (name, takes)


def test_a_second_meaning_is_an_error(making: dict[str, Any]) -> None:
    option = making["Option"]
    uses = [option(c, ("--x",), True, text) for c, text in (("a", "a file"), ("b", "a device"))]
    with pytest.raises(ValueError, match="--x is described in different words"):
        making["meaning"]("--x", uses)
    assert making["meaning"]("--x", uses[:1]) == "a file"


def test_no_meaning_is_left_over(making: dict[str, Any]) -> None:
    assert {*making["MEANINGS"]} <= {*making["options"]()}


def test_former_spellings_are_no_options_of_their_command(making: dict[str, Any]) -> None:
    options = making["options"]()
    for command, names in OLD.items():
        for old, new in names.items():
            own = command.split()[0]
            assert own not in [use.command for use in options.get(old, ())], (command, old)
            assert own in [use.command for use in options[new]], (command, new)
