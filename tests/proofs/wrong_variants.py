"""Wrong variants of patterns: an expression of the source, and another one in its place."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from mutation.trials import changed_functions, patch

ROOT = Path(__file__).parents[2]


class Variant(NamedTuple):
    """A change of a file in `transforms/canonicalization/`."""

    file: str
    old: str
    new: str
    rewrite: str
    function: str
    """The model of the lit test that refutes it."""

    @contextmanager
    def installed(self) -> Generator[None]:
        """Replace the functions that change, in this process."""
        path = f"transforms/canonicalization/{self.file}"
        source = (ROOT / path).read_text("utf-8")
        assert source.count(self.old) == 1, f"{path} has no or several '{self.old}'"
        pairs = changed_functions(path, source, source.replace(self.old, self.new))
        assert pairs is not None
        assert patch(path, pairs)
        try:
            yield
        finally:
            assert patch(path, {new: old for old, new in pairs.items()})
