"""What all tests share."""

import os
import signal

import pytest
from hypothesis import settings

pytest_plugins = ["outcomes", "draws"]

# How long one example may take depends on what else the machine does.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# A shell lets what it runs in the background ignore Ctrl-C, and the commands would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def caches(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let commands keep compiled code and measurements in a folder of the tests."""
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("caches"))
