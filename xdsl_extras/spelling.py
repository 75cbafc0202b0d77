"""What somebody may have meant who wrote a word that does not exist; xDSL's messages do not say."""

from collections.abc import Sequence

MOST = 3
"""More suggestions than these are none."""


def nearest(word: str, known: Sequence[str], rarely: Sequence[str] = ()) -> str:
    """`; did you mean …?`: the known words that are this one but for a slip or two; else those that
    have it as their beginning or as one of the words that they are made of. Nothing where neither
    are few: no suggestion is better than a wrong one. What is meant `rarely` is named for slips
    only."""
    wanted = _plain(word)
    slips = {name: _slips(wanted, _plain(name)) for name in dict.fromkeys((*known, *rarely))}
    close = {name: n for name, n in slips.items() if n < max(len(wanted), len(_plain(name)))}
    least = min(close.values(), default=len(wanted))
    if wanted and least <= _allowed(wanted):
        found = [name for name, n in close.items() if n == least]
    else:
        names = list(dict.fromkeys(known)) if wanted else []
        found = [name for name in names if _plain(name).startswith(f"{wanted}-")]
        found = found or [name for name in names if wanted in _plain(name).split("-")]
    if not 0 < len(found) <= MOST:
        return ""
    *others, last = [f"'{name}'" for name in sorted(found, key=_plain)]
    return f"; did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def _plain(word: str) -> str:
    """A word without what only marks it as an option."""
    return word.lstrip("-").replace("_", "-").lower()


def _allowed(word: str) -> int:
    """How many slips a word of this length may have."""
    return 1 if len(word) < 6 else 2 if len(word) < 17 else 3


def _slips(a: str, b: str) -> int:
    """How many characters are too many, missing, others, or in the place of their neighbour
    (optimal string alignment)."""
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
