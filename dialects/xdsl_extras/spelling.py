"""Suggestions for misspelled words, which xDSL's messages lack."""

from collections.abc import Sequence

MAX_SUGGESTIONS = 3
"""The maximum number of suggestions; more are not printed."""

MAX_NAMES = 6
"""The number of known words that are listed."""


def nearest(word: str, known: Sequence[str], rarely: Sequence[str] = ()) -> str:
    """Return `; did you mean …?` with the known words that begin with this one and a hyphen if they
    are a few, else with those within a few edits, else with those that contain it as a component.

    Return an empty string if there are none or too many, since a wrong suggestion is worse than
    none. `rarely` used words are suggested for edits only.
    """
    wanted = _plain(word)
    slips = {name: _slips(wanted, _plain(name)) for name in dict.fromkeys((*known, *rarely))}
    close = {name: n for name, n in slips.items() if n < max(len(wanted), len(_plain(name)))}
    least = min(close.values(), default=len(wanted))
    names = list(dict.fromkeys(known)) if wanted else []
    longer = [name for name in names if _plain(name).startswith(f"{wanted}-")]
    if wanted and least <= _allowed(wanted) and not 1 < len(longer) <= MAX_SUGGESTIONS:
        found = [name for name, n in close.items() if n == least]
    else:
        found = longer or [name for name in names if wanted in _plain(name).split("-")]
    if not 0 < len(found) <= MAX_SUGGESTIONS:
        return ""
    *others, last = [f"'{name}'" for name in sorted(found, key=_plain)]
    return f"; did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def nearest_or_all(word: str, known: Sequence[str], what: str) -> str:
    """Return the suggestions of `nearest`, or else the known words: `; the inputs are 'a', 'b'`
    with `what` as `inputs`. Return an empty string if there are none."""
    if (close := nearest(word, known)) or not known:
        return close
    more = len(known) - MAX_NAMES
    others = f" and {more} more" if more > 0 else ""
    return f"; the {what} are {', '.join(map(repr, known[:MAX_NAMES]))}{others}"


def _plain(word: str) -> str:
    """Return a word without option prefixes."""
    return word.lstrip("-").replace("_", "-").lower()


def _allowed(word: str) -> int:
    """Return the number of edits allowed for a word of this length."""
    return 1 if len(word) < 6 else 2 if len(word) < 17 else 3


def _slips(a: str, b: str) -> int:
    """Return the edit distance: insertions, deletions, substitutions and transpositions of
    neighbours (optimal string alignment)."""
    if abs(len(a) - len(b)) > _allowed(a):
        return len(a) + len(b)
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        last, row, older = row, [i + 1], before
        before = last
        for j, y in enumerate(b):
            n = min(last[j + 1] + 1, row[j] + 1, last[j] + (x != y))
            if i and j and x == b[j - 1] and a[i - 1] == y:
                n = min(n, older[j - 1] + 1)
            row.append(n)
    return row[-1]
