"""`--verify-roundtrip` finds operations that are not the same after printing and parsing."""

from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn.assembly import print_layer
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.roundtrip import verify_roundtrip
from ncnn_opt.formats.errors import FormatError
from xdsl.printer import Printer

MODEL = Path(__file__).parents[3] / "examples/small_cnn.param"


def test_a_model_is_the_same() -> None:
    verify_roundtrip(read_model(str(MODEL)).module, str(MODEL))


def test_a_printer_that_loses_something(monkeypatch: pytest.MonkeyPatch) -> None:
    def print_less(op: LayerOp, printer: Printer) -> None:
        copy = op.clone()
        copy.properties.pop("kernel_w", None)
        for result, own in zip(copy.results, op.results, strict=True):
            result.name_hint = own.name_hint
        print_layer(copy, printer)

    module = read_model(str(MODEL)).module
    monkeypatch.setattr("ncnn_opt.dialects.ncnn.assembly.print_layer", print_less)
    with pytest.raises(FormatError, match="the IR changes when it is printed in the custom form"):
        verify_roundtrip(module, str(MODEL))
