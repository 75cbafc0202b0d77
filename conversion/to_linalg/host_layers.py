"""Layers that stay layers: tensor operations with statically known shapes and steps cannot express
them."""

from collections.abc import Mapping

from xdsl.ir import Operation

from ...dialects.ncnn.audio import InverseSpectrogramOp
from ...dialects.ncnn.detection import (
    DetectionOutputOp,
    ProposalOp,
    YoloDetectionOutputOp,
    Yolov3DetectionOutputOp,
)
from ...dialects.ncnn.layer import LayerOp
from ...dialects.ncnn.pooling import PSROIPoolingOp, ROIAlignOp, ROIPoolingOp, SPPOp
from ...dialects.ncnn.reduction import ArgMaxOp

_BOXES = "which boxes there are, and how many, depends on values"
_REGIONS = "which elements are read depends on values"

HOST_ONLY: Mapping[type[LayerOp], str] = {
    ProposalOp: _BOXES,
    DetectionOutputOp: _BOXES,
    YoloDetectionOutputOp: _BOXES,
    Yolov3DetectionOutputOp: _BOXES,
    ROIAlignOp: _REGIONS,
    ROIPoolingOp: _REGIONS,
    PSROIPoolingOp: _REGIONS,
    ArgMaxOp: "it sorts",
    SPPOp: "no reference semantics",
    InverseSpectrogramOp: "samples that overlap are added up at computed places",
}
"""Layer types that are not lowered because they run on the host, with the reasons."""


def host_reason(op: Operation) -> str | None:
    """Return the reason why an operation runs on the host; `None` if it can be lowered."""
    return HOST_ONLY.get(type(op)) if isinstance(op, LayerOp) else None
