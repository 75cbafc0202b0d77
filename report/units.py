"""Readable numbers. Unknown values are a question mark."""

from collections.abc import Sequence

from ..formats.columns import columns_of, truncated_prefix, truncated_suffix

UNKNOWN = "?"


def count(value: int | None) -> str:
    """A count in three digits: `3.86 G`, `118 M`, `640`."""
    return _scaled(value, 1000, ("", " k", " M", " G", " T", " P"))


def size(value: int | None) -> str:
    """Bytes in three digits: `25.1 MiB`, `868 B`."""
    return _scaled(value, 1024, (" B", " KiB", " MiB", " GiB", " TiB"))


def exact(value: int | None) -> str:
    """All digits: `3,857,973,248`."""
    return UNKNOWN if value is None else f"{value:,}"


def millions(value: int) -> str:
    """As ncnnoptimize prints MACs: `3857.97 M`."""
    return f"{value / 1e6:.2f} M"


def share(part: int | None, whole: int) -> str:
    """A part as a percentage of the whole: `12.3 %`."""
    if part is None:
        return UNKNOWN
    return f"{100 * part / whole:.1f} %" if whole else "–"


def change(before: int, after: int) -> str:
    """A relative difference: `−12.3 %`, `no change`."""
    if before == after:
        return "no change"
    if not before:
        return "new"
    percent = 100 * (after - before) / before
    digits = 1 if abs(percent) >= 0.1 else 3
    return f"{'+' if percent > 0 else '−'}{abs(percent):.{digits}f} %"


def extents(shape: Sequence[int | None] | None) -> str:
    """A shape row-major: `24x16x16`, `?x6`; `?` for an unknown rank."""
    if shape is None:
        return UNKNOWN
    return "x".join(UNKNOWN if n is None else str(n) for n in shape)


def elided(text: str, width: int) -> str:
    """A text of at most `width` columns; the middle of a longer text is omitted."""
    if columns_of(text) <= width:
        return text
    left = truncated_prefix(text, max(width - 1, 0) // 2)
    return f"{left}…{truncated_suffix(text, max(width - 1 - columns_of(left), 0))}"


def _scaled(value: int | None, base: int, units: Sequence[str]) -> str:
    if value is None:
        return UNKNOWN
    scaled, unit = float(value), 0
    while abs(scaled) >= base - 0.5 and unit < len(units) - 1:  # 999.6 would print as 1000
        scaled /= base
        unit += 1
    if unit == 0:
        return f"{value}{units[0]}"
    digits = 2 if scaled < 9.995 else 1 if scaled < 99.95 else 0
    return f"{scaled:.{digits}f}{units[unit]}"
