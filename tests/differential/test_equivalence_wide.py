"""`--verify-equivalence` finds rewrites that are right in [-1, 1) only."""

from collections.abc import Callable
from typing import Any

import pytest
from ncnn_opt.dialects.ncnn.unary import UnaryOpOp
from ncnn_opt.frontends.mlir.parsing import parse_ir
from ncnn_opt.runtime.equivalence import EquivalenceCheck, Mismatch
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.universe import Universe

pytestmark = pytest.mark.usefixtures("runtime")


def erase(op: Any) -> None:
    op.results[0].replace_all_uses_with(op.operands[0])
    op.detach()
    op.erase()


def params(**values: Any) -> Callable[[Any], None]:
    return lambda op: op.set_params(**values)


CASES: dict[str, tuple[str, Callable[[Any], None]]] = {
    "clip at 6": ('ncnn.clip %x {name = "m", min = 0.0, max = 6.0}', params(max=3e38)),
    "clip at 100": ('ncnn.clip %x {name = "m", min = -100.0, max = 100.0}', erase),
    "minimum with 4": (
        'ncnn.binaryop %x {name = "m", op_type = min, with_scalar = 1, b = 4.0}',
        erase,
    ),
    "threshold": ('ncnn.threshold %x {name = "m", threshold = 2.0}', params(threshold=99.0)),
    "shrink": ('ncnn.shrink %x {name = "m", lambd = 2.0}', params(lambd=99.0)),
    "hardswish": (
        'ncnn.hardswish %x {name = "m", alpha = 0.25, beta = 0.5}',
        params(alpha=0.25, beta=0.75),
    ),
}


def verify(text: str, change: Callable[[Any], None]) -> None:
    """Check a pass that changes the layer `m`."""

    class Pass(ModulePass):
        name = "a-pass"

        def apply(self, ctx: Context, op: ModuleOp) -> None:
            for each in list(op.walk()):
                if getattr(each, "layer_name", None) is not None and each.layer_name.data == "m":  # pyright: ignore
                    change(each)

    context = Context()
    for name, dialect in Universe.get_multiverse().all_dialects.items():
        context.register_dialect(name, dialect)
    types = "(tensor<4x9x9xf32>) -> tensor<4x9x9xf32>"
    source = f"""func.func @main(%x: tensor<4x9x9xf32>) -> tensor<4x9x9xf32> {{
      %m = {text} : {types}
      %y = ncnn.relu %m {{name = "y", slope = 0.5}} : {types}
      func.return %y : tensor<4x9x9xf32>
    }}"""
    module = parse_ir(context, source.encode(), "it.mlir")
    with EquivalenceCheck(0, 1, 1e-3) as check:
        check.between_passes(None, module, Pass())
        Pass().apply(Context(), module)
        check.between_passes(Pass(), module, None)


@pytest.mark.parametrize("name", CASES)
def test_wrong_beyond_one(name: str) -> None:
    with pytest.raises(Mismatch, match="'a-pass' is not equivalent: output 'y' differs"):
        verify(*CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_right(name: str) -> None:
    verify(CASES[name][0], lambda _: None)


def test_a_number_that_is_rounded_to_an_integer() -> None:
    """`round` and `floor(x + 1/2)` differ at 0.5 and at 2.5."""
    text = 'ncnn.unaryop %x {name = "m", op_type = round}'

    def change(op: UnaryOpOp) -> None:
        op.set_params(op_type=2)  # floor

    with pytest.raises(Mismatch):
        verify(text, change)
