"""lit tests whose programs are kept warm."""

import subprocess
from typing import Any
from unittest import mock

from lit.formats import ShTest  # pyright: ignore
from warm_processes import WarmPopen


class WarmShTest(ShTest):  # pyright: ignore
    """A test for lit's own shell, which makes processes with `subprocess.Popen`."""

    def execute(self, test: Any, litConfig: Any) -> Any:
        with mock.patch.object(subprocess, "Popen", WarmPopen):
            return super().execute(test, litConfig)  # pyright: ignore
