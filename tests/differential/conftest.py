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


@pytest.fixture(scope="session")
def expendable() -> Iterator[Runtime]:
    """Another one for layers whose blobs do not fit: these may leave its memory in disorder."""
    pytest.importorskip("ncnn")
    with Runtime(seconds=5) as runtime:
        yield runtime
