"""What plain `xdsl-opt` gets from this package (entry point `xdsl.universe`)."""

from xdsl.ir import Dialect
from xdsl.universe import Universe

from ncnn_opt.transforms import get_all_passes


def get_ncnn() -> Dialect:
    """The `ncnn` dialect, imported when it is first met."""
    from ncnn_opt.dialects.ncnn import NCNN

    return NCNN


def get_fused() -> Dialect:
    """The `fused` dialect, imported when it is first met."""
    from ncnn_opt.dialects.fused import FUSED

    return FUSED


def get_pnnx() -> Dialect:
    """The `pnnx` dialect, imported when it is first met."""
    from ncnn_opt.dialects.pnnx import PNNX

    return PNNX


NCNN_OPT = Universe(
    all_dialects={"ncnn": get_ncnn, "fused": get_fused, "pnnx": get_pnnx},
    all_passes=get_all_passes(),
)
"""Our dialects and passes."""
