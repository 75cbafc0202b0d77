"""`--remarks`: a line for each rewrite."""

import json
from collections.abc import Callable

from ...transforms.rewriting.remarks import Remark
from .run_observer import RunObserver


class RemarkPrinter(RunObserver):
    """Prints each remark, as text or as JSON."""

    def __init__(self, as_json: bool, tell: Callable[[str], None]) -> None:
        self._as_json = as_json
        self._tell = tell

    def on_remark(self, remark: Remark) -> None:
        """Print a remark."""
        if self._as_json:
            self._tell(json.dumps(remark.as_dict(), ensure_ascii=False))
        else:
            self._tell(f"remark: {remark}")
