"""What the differential tests share."""

from collections.abc import Iterator

import pytest

from .runtime import Runtime


@pytest.fixture(scope="session")
def runtime() -> Iterator[Runtime]:
    """The ncnn runtime; without it the test is skipped."""
    pytest.importorskip("ncnn")
    with Runtime() as runtime:
        yield runtime
