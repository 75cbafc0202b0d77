"""Object detection: prior boxes, proposals, and decoders from predictions to boxes.

The number of output boxes depends on the data.
"""

from abc import ABC
from collections.abc import Sequence
from math import isfinite, isnan
from typing import ClassVar

from ..shapes.terms import UNKNOWN, Extents
from .checks import check
from .extents import known
from .layer import Arity, LayerOp, VariadicLayer, layer
from .params import float_param, floats_param, int_param

UNSET = -233
"""The value of PriorBox's image and step extents that means "from the blobs"."""


BOXES: Extents = (UNKNOWN, 6)
"""Rows of label, score, left, top, right, bottom."""


@layer
class ProposalOp(VariadicLayer):
    """Regions of interest of a region proposal network (Faster R-CNN).

    9 anchors (ratios 0.5, 1, 2 times scales 8, 16, 32) at each position are moved by the predicted
    offsets, clipped to the image and filtered by size. Non-maximum suppression keeps the best ones.

    Shapes: score `18 x h x w`, offsets `36 x h x w`, image info `3` (height, width, scale) ->
    `n x 1 x 4` boxes, optional `n x 1 x 1` scores.
    Parameters: feat_stride (pixels per position), base_size (of anchors).
    """

    NUM_INPUTS: ClassVar[Arity] = (3, 3)
    NUM_OUTPUTS: ClassVar[Arity] = (1, 2)
    IGNORES_MORE: ClassVar[bool] = True

    feat_stride = int_param(0, default=16)
    base_size = int_param(1, default=16)
    pre_nms_topN = int_param(2, default=6000)
    """Boxes kept before non-maximum suppression."""
    after_nms_topN = int_param(3, default=300)
    """Boxes kept in the end."""
    nms_thresh = float_param(4, default=0.7)
    """The intersection over union above which the worse box is dropped."""
    min_size = int_param(5, default=16)
    """The minimum width and height, in pixels of the unscaled image."""

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        return [(UNKNOWN, 1, 4), (UNKNOWN, 1, 1)][: len(self.outputs)]

    def other_flops(self) -> int | None:
        return None  # data-dependent


@layer
class PriorBoxOp(VariadicLayer):
    """The default boxes of SSD at each position of a feature map.

    For each of min_sizes: a square; a square of sqrt(min_size * max_size); for each aspect ratio r
    a box of `min_size * sqrt(r)` by `min_size / sqrt(r)`, with flip also turned by 90 degrees.

    Shapes: feature map `c x h x w`, optional image `c x image_h x image_w` ->
    `2 x (4 * h * w * boxes)`: row 0 boxes (left, top, right, bottom), row 1 variances. Without an
    image, image extents and max_sizes (MXNet's) -> `4 * h * w * boxes`.
    Parameters: clip (to 0..1).
    """

    FLOPS_PER_ELEMENT: ClassVar[int] = 2

    NUM_INPUTS: ClassVar[Arity] = (1, 2)
    IGNORES_MORE: ClassVar[bool] = True

    min_sizes = floats_param(0)
    max_sizes = floats_param(1)
    aspect_ratios = floats_param(2)
    variance_0 = float_param(3, default=0.1)
    variance_1 = float_param(4, default=0.1)
    variance_2 = float_param(5, default=0.2)
    variance_3 = float_param(6, default=0.2)
    flip = int_param(7, default=1)
    clip = int_param(8)
    image_width = int_param(9)
    image_height = int_param(10)
    step_width = float_param(11, default=float(UNSET))
    step_height = float_param(12, default=float(UNSET))
    offset = float_param(13)
    """A box's center relative to its cell: 0 is left and top, 0.5 the middle."""
    step_mmdetection = int_param(14)
    """Whether steps are rounded up."""
    center_mmdetection = int_param(15)
    """Whether centers are relative to step - 1."""

    def is_mxnet(self) -> bool:
        """Whether the boxes are in MXNet's layout: without an image and variances."""
        unset = self.image_width == self.image_height == UNSET
        return len(self.inputs) == 1 and unset and not self.max_sizes

    def verify_layer(self) -> None:
        sizes, larger = len(self.min_sizes), len(self.max_sizes)
        paired = sizes > 0 and larger in (0, sizes)
        check(self, paired, f"{sizes} min_sizes, but {larger} max_sizes")
        needs_image = UNSET in (self.image_width, self.image_height) and not self.is_mxnet()
        has_image = len(self.inputs) >= 2
        check(self, has_image or not needs_image, "give image_width and image_height, or an image")

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        sizes, ratios, shape = len(self.min_sizes), len(self.aspect_ratios), shapes[0]
        places = UNKNOWN if shape is None or len(shape) < 2 else shape[-1] * shape[-2]
        if self.is_mxnet():
            return [(known(4 * places * (sizes - 1 + ratios)),)]
        boxes = sizes + len(self.max_sizes) + sizes * ratios * (2 if self.flip else 1)
        return [(2, known(4 * places * boxes))]


@layer
class DetectionOutputOp(VariadicLayer):
    """Decoder of SSD: offsets are applied to prior boxes; non-maximum suppression keeps the best
    boxes of each class except the background.

    Shapes: offsets `4 * boxes`, scores `boxes * num_class`, prior boxes `2 x (4 * boxes)` ->
    `n x 6`: label, score, left, top, right, bottom. With MXNet's layout (num_class -233) scores are
    `num_class x boxes` and prior boxes `boxes x 4`.
    Parameters: variance_0 to variance_3 (for MXNet's layout).
    """

    NUM_INPUTS: ClassVar[Arity] = (3, 3)
    IGNORES_MORE: ClassVar[bool] = True

    num_class = int_param(0)
    """The number of classes, including the background; -233: MXNet's layout."""
    nms_threshold = float_param(1, default=0.05)
    """The intersection over union above which the worse box is dropped."""
    nms_top_k = int_param(2, default=300)
    """Boxes per class kept before non-maximum suppression."""
    keep_top_k = int_param(3, default=100)
    """Boxes kept in the end."""
    confidence_threshold = float_param(4, default=0.5)
    """The minimum score of a box."""
    variance_0 = float_param(5, default=0.1)
    variance_1 = float_param(6, default=0.1)
    variance_2 = float_param(7, default=0.2)
    variance_3 = float_param(8, default=0.2)

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        return [BOXES]

    def other_flops(self) -> int | None:
        return None  # data-dependent


class Yolo(LayerOp, ABC):
    """The common part of the YOLO decoders."""

    num_class = int_param(0, default=20)
    num_box = int_param(1, default=5)
    """Boxes per position."""
    confidence_threshold = float_param(2, default=0.01)
    """The minimum score of a box."""
    nms_threshold = float_param(3, default=0.45)
    """The intersection over union above which the worse box is dropped."""
    biases = floats_param(4)
    """The width and height of each anchor."""

    def verify_layer(self) -> None:
        classes, boxes = self.num_class, self.num_box
        check(self, min(classes, boxes) > 0, f"{classes} classes, {boxes} boxes")
        unknown = isnan(self.confidence_threshold) or isnan(self.nms_threshold)
        check(self, not unknown, "a threshold is NaN")

    def verify_anchor(self, index: int) -> None:
        """Raise `VerifyException` unless the anchor of that index exists."""
        anchor = self.biases[index * 2 : index * 2 + 2]
        exists = len(anchor) == 2 and all(isfinite(v) and v > 0 for v in anchor)
        check(self, exists, f"biases lack the anchor {index}")

    def other_flops(self) -> int | None:
        return None  # data-dependent


@layer
class YoloDetectionOutputOp(Yolo, VariadicLayer):
    """Decoder of YOLO v2: at each position `(sigmoid(x), sigmoid(y), exp(w) * anchor_w, exp(h) *
    anchor_h)` in cells, with the score `sigmoid(s) * max(softmax(classes))`. Non-maximum
    suppression keeps the best boxes.

    Shapes: any number of `num_box * (5 + num_class) x h x w` -> `n x 6`: label, score, left, top,
    right, bottom; the first input if nothing is found.
    """

    NUM_INPUTS: ClassVar[Arity] = (1, None)

    def verify_layer(self) -> None:
        super().verify_layer()
        for index in range(self.num_box):
            self.verify_anchor(index)


@layer
class Yolov3DetectionOutputOp(Yolo, VariadicLayer):
    """Decoder of YOLO v3: like YOLO v2, but scores use sigmoid instead of softmax, and each input
    has its own anchors and scale.

    Shapes: any number of `num_box * (5 + num_class) x h x w` -> `n x 6`: label, score, left, top,
    right, bottom.
    """

    NUM_INPUTS: ClassVar[Arity] = (1, None)

    mask = floats_param(5, bitwise=True)
    """Indices of the anchors, num_box for each input; floats, as the runtime reads them."""
    anchors_scale = floats_param(6)
    """Pixels per position, for each input."""

    def verify_layer(self) -> None:
        super().verify_layer()
        mask, biases, scales = len(self.mask), len(self.biases), len(self.anchors_scale)
        maps, rest = divmod(mask, self.num_box)
        whole = maps > 0 and rest == 0 and biases % 2 == 0
        check(self, whole, f"mask has {mask} and biases {biases} elements")
        enough = len(self.inputs) <= maps <= scales
        check(self, enough, f"mask has {maps} inputs, but anchors_scale {scales}")
        for scale in self.anchors_scale[:maps]:
            check(self, 0 < scale < 2**31, f"anchors_scale has the invalid value {scale}")
        for index in self.mask:
            valid = isfinite(index) and index >= 0 and index == int(index)
            check(self, valid, f"mask has the invalid index {index}")
            self.verify_anchor(int(index))

    def infer_shapes(self, shapes: Sequence[Extents | None]) -> Sequence[Extents | None] | None:
        return [BOXES]
