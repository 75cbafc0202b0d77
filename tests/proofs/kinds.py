"""The kinds of conditions: what each of them is about, by the identifiers in its source."""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from .conditions import Condition
from .harmless import explanation_of

KINDS: Mapping[str, str] = {
    "promise": r"promis|fixed_axes|bounded|specializ|\bagrees?\(",
    "name": r"_name\b|names\b|_name\(|blob_names|returned|is_input|ReturnOp|input_to_output",
    "rank": (
        r"rank|dims\b|len\((\w+_)?(shape|before|after|extents|own|beside|query|key|value|row)s?\)"
    ),
    "extent": (
        r"shape|extent|channels|provably_equal|prod\(|numel|DYNAMIC_INDEX|columns\b|rows\b|"
        r"\.size\b|num_input|num_output|element_count|\.count\b|width|height|kernel|stride|pads?\b|"
        r"dilation|length|\bsteps\b|heads|group|factor \*\*|divided|_size\("
    ),
    "order": (
        r"order|ax[ie]s|permut|transpos|\bplace\b|place_of|operands?\[|inputs\[|features_first|"
        r"is before|is_before|\.start|index|\bmoved\b|behind|ahead|same_axis"
    ),
    "bound": r"<|>|MAX_|LIMIT|MOST_",
    "threshold": (
        r"slope|scale|lower|upper|\blow\b|\bhigh\b|alpha|beta|eps|close\(|finite|params\[|"
        r"coeff|factor|\bshift|number|\bvalues?\b|bias|== \d|!= \d|float16|FLOAT16|keeps\("
    ),
}
"""Patterns of the text of a condition, the first one that fits counts."""

TYPE = re.compile(
    r"^(not )?(isinstance\(|issubclass\()|^[\w.()\[\]]+ is (not )?None$|^\w+$|^not \w+$"
)
"""A guard of a type: of a layer, or of a value that is not there."""


def kind_of(condition: Condition) -> str:
    """Return the kind of a condition; `type` for a guard of a type, `other` for the rest."""
    for kind in ("promise", "name", "rank"):
        if re.search(KINDS[kind], condition.text):
            return kind
    if TYPE.search(condition.text) and not re.search(r"shape|extent", condition.text):
        return "type"
    for kind, pattern in KINDS.items():
        if re.search(pattern, condition.text):
            return kind
    return "other"


def is_open(condition: Condition, table: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a condition of the kinds has no near miss and no reason."""
    return is_unsure(condition, table) and not explanation_of(condition.key)


def is_unsure(condition: Condition, table: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether no model shows that a condition of the kinds is needed."""
    outcome = table["others"].get(condition.key)
    return outcome in ("never", "same") and kind_of(condition) in KINDS


def counts(
    conditions: list[Condition], table: Mapping[str, Mapping[str, Any]]
) -> dict[str, Counter[str]]:
    """Return the outcomes of conditions by kind."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in (*KINDS, "type", "other")}
    for condition in conditions:
        key = condition.key
        word = next(word for word in ("refuted", "covered", "others") if key in table[word])
        outcome = table["others"][key] if word == "others" else word
        if outcome in ("never", "same") and explanation_of(key):
            outcome = "explained"
        found[kind_of(condition)][outcome] += 1
    return found


SHOWN = ("refuted", "covered", "raises", "never", "same")
"""The outcomes with a column in the documents; the others are summed up."""


def rows(found: Mapping[str, Counter[str]]) -> str:
    """The lines of the table in docs/proofs.md."""
    lines: list[str] = []
    for kind, words in found.items():
        numbers = [words.total(), *(words[word] for word in SHOWN)]
        numbers.append(numbers[0] - sum(numbers[1:]))
        lines.append(f"| {kind} | {' | '.join(map(str, numbers))} |")
    return "\n".join(lines)
