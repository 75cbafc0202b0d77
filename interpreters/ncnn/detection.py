"""Reference semantics of the layers in `dialects/ncnn/detection.py`. Without detections the result
has 0 rows."""

from collections.abc import Sequence

import numpy as np

from ...dialects.ncnn.activation import FLT_MAX
from ...dialects.ncnn.detection import (
    UNSET,
    DetectionOutputOp,
    PriorBoxOp,
    ProposalOp,
    Yolo,
    YoloDetectionOutputOp,
    Yolov3DetectionOutputOp,
)
from .boxes import (
    around,
    by_product,
    by_quotient,
    by_score,
    exp,
    non_maximum_suppression,
    positions,
)
from .int8 import rounded
from .reduction import softmax
from .semantics import Array, Inputs, Weights, semantics
from .shapes import extents

_RATIOS, _SCALES = (0.5, 1.0, 2.0), (8.0, 16.0, 32.0)
"""Proposal's anchors; no parameter changes them."""


@semantics(PriorBoxOp)
def prior_box(op: PriorBoxOp, inputs: Inputs, weights: Weights) -> Array:
    w, h = (extents(inputs[0]).get(axis, 1) for axis in "wh")
    steps = np.array([op.step_width, op.step_height], "f4")
    if op.is_mxnet():
        sizes = _mxnet_sizes(op, w, h)
        steps = np.where(steps == UNSET, 1 / np.array([w, h], "f4"), steps)
        boxes = around(_centers(op, steps, w, h)[:, :, None], sizes).reshape(-1)
        return np.clip(boxes, 0, 1) if op.clip else boxes
    image = np.array([op.image_width, op.image_height], "f4")
    if UNSET in image:
        size = extents(inputs[1])
        given = np.array([size.get(axis, 1) for axis in "wh"], "f4")
        image = np.where(image == UNSET, given, image)
    cells = image / np.array([w, h], "f4")
    cells = np.ceil(cells) if op.step_mmdetection else cells
    steps = np.where(steps == UNSET, cells, steps)
    centers = _centers(op, steps, w, h)[:, :, None]
    boxes = (around(centers, _sizes(op)) / np.tile(image, 2)).reshape(-1)
    boxes = np.clip(boxes, 0, 1) if op.clip else boxes
    variances = [op.variance_0, op.variance_1, op.variance_2, op.variance_3]
    return np.stack([boxes, np.resize(np.array(variances, "f4"), boxes.shape)])


def _centers(op: PriorBoxOp, steps: Array, w: int, h: int) -> Array:
    """Return the box centers at each position: `h x w x 2`."""
    x, y = steps
    less = np.float32(1 if op.center_mmdetection and not op.is_mxnet() else 0)
    offset = np.float32(op.offset)
    columns = np.add.accumulate(np.array([offset * (x - less), *[x] * (w - 1)], "f4"))
    rows = offset * (y - less) + np.arange(h, dtype="f4") * y
    return np.stack(np.broadcast_arrays(columns, rows[:, None]), -1)


def _sizes(op: PriorBoxOp) -> Array:
    """Return the widths and heights of a position's boxes."""
    sizes: list[tuple[np.float32, np.float32]] = []
    roots = np.sqrt(np.array(op.aspect_ratios, "f4"))
    for i, size in enumerate(map(np.float32, op.min_sizes)):
        sizes.append((size, size))
        if op.max_sizes:
            sizes.append((np.sqrt(size * np.float32(op.max_sizes[i])),) * 2)
        for root in roots:
            turned = [(size * root, size / root), (size / root, size * root)]
            sizes += turned if op.flip else turned[:1]
    return np.array(sizes, "f4")


def _mxnet_sizes(op: PriorBoxOp, w: int, h: int) -> Array:
    squares = np.array(op.min_sizes, "f4")
    roots = np.sqrt(np.array(op.aspect_ratios[1:], "f4"))
    widths = np.concatenate([squares, squares[0] * roots])
    heights = np.concatenate([squares, squares[0] / roots])
    return np.stack([widths * np.float32(h) / np.float32(w), heights], -1)


@semantics(ProposalOp)
def proposal(op: ProposalOp, inputs: Inputs, weights: Weights) -> Sequence[Array]:
    score, offset, info = inputs[0], inputs[1], inputs[2].reshape(-1)
    anchors = _anchors(op)
    h, w = score.shape[-2:]
    count = len(anchors)
    # anchors x h x w, with x and y last
    shifts = positions(h, w) * op.feat_stride
    sizes = (anchors[:, 2:] - anchors[:, :2])[:, None, None]
    centers = anchors[:, None, None, :2] + shifts + sizes * np.float32(0.5)
    deltas = offset[: 4 * count].reshape(count, 4, h, w).transpose(0, 2, 3, 1)
    boxes = around(centers + sizes * deltas[..., :2], sizes * exp(deltas[..., 2:]))
    edges = np.array([info[1], info[0]] * 2, "f4") - 1
    boxes = np.maximum(np.minimum(boxes, edges), 0).reshape(-1, 4)
    large = (boxes[:, 2:] - boxes[:, :2] + 1 >= np.float32(op.min_size) * info[2]).all(1)
    boxes, scores = boxes[large], score[count : 2 * count].reshape(-1)[large]
    order = by_score(scores)
    if op.pre_nms_topN > 0:
        order = order[: op.pre_nms_topN]
    best = order[non_maximum_suppression(boxes[order], by_quotient(op.nms_thresh))][
        : op.after_nms_topN
    ]
    return (boxes[best][:, None], scores[best][:, None, None])[: len(op.outputs)]


def _anchors(op: ProposalOp) -> Array:
    """Return the boxes at the first position, by ratio, then by scale."""
    base, sizes = np.float32(op.base_size), list[Array]()
    for ratio in map(np.float32, _RATIOS):
        width = rounded(np.asarray(base / np.sqrt(ratio)))
        height = rounded(width * ratio)
        sizes += [np.array([width, height], "f4") * np.float32(scale) for scale in _SCALES]
    return around(np.full((len(sizes), 2), base * np.float32(0.5), "f4"), np.stack(sizes))


@semantics(DetectionOutputOp)
def detection_output(op: DetectionOutputOp, inputs: Inputs, weights: Weights) -> Array:
    location, confidence, prior = inputs
    if op.num_class == UNSET:  # MXNet's layout
        priors, scores = prior.reshape(-1, 4), confidence.reshape(len(confidence), -1)
        variances = np.array([op.variance_0, op.variance_1, op.variance_2, op.variance_3], "f4")
    else:
        priors, variances = prior.reshape(2, -1, 4)
        scores = confidence.reshape(-1)[: len(priors) * op.num_class].reshape(-1, op.num_class).T
    threshold = np.float32(op.confidence_threshold)
    used = np.flatnonzero((scores[1:] > threshold).any(0))  # in most images, a few
    deltas = (variances * location.reshape(-1)[: priors.size].reshape(-1, 4))[used]
    priors, scores = priors[used], np.ascontiguousarray(scores[:, used])
    sizes = priors[:, 2:] - priors[:, :2]
    centers = (priors[:, :2] + priors[:, 2:]) * np.float32(0.5)
    boxes = around(deltas[:, :2] * sizes + centers, exp(deltas[:, 2:]) * sizes)
    rows: list[Array] = []
    for label, values in enumerate(scores[1:], 1):
        chosen = np.flatnonzero(values > threshold)
        chosen = chosen[by_score(values[chosen])][: op.nms_top_k]
        chosen = chosen[non_maximum_suppression(boxes[chosen], by_quotient(op.nms_threshold))]
        rows.append(_rows(np.full(len(chosen), label), values[chosen], boxes[chosen]))
    found = np.concatenate([_NOTHING, *rows])
    return found[by_score(found[:, 1])[: op.keep_top_k]]


_NOTHING = np.zeros((0, 6), "f4")


def _rows(labels: Array, scores: Array, boxes: Array) -> Array:
    """Return rows of label, score and box."""
    return np.concatenate([labels[:, None], scores[:, None], boxes], 1, dtype="f4")


@semantics(YoloDetectionOutputOp)
def yolo_detection_output(op: YoloDetectionOutputOp, inputs: Inputs, weights: Weights) -> Array:
    """YoloDetectionOutput. Without detections the result is the first input, modified in place as
    in the runtime: class scores are replaced by their softmax."""
    anchors = np.array(op.biases, "f4").reshape(-1, 2)[: op.num_box]
    found, first = list[Array](), inputs[0].copy()
    for x in [first, *inputs[1:]]:
        planes = _planes(op, x)
        classes = softmax(planes[:, 5:], 1)
        if x is first:
            planes[:, 5:] = classes
        scores = _sigmoid(planes[:, 4]) * classes.max(1)
        found.append(_candidates(op, planes, anchors, x.shape[:0:-1], classes, scores))
    rows = _sorted(found)
    rows = rows[non_maximum_suppression(rows[:, 2:6], by_quotient(op.nms_threshold)), :6]
    return rows if len(rows) else first


@semantics(Yolov3DetectionOutputOp)
def yolov3_detection_output(op: Yolov3DetectionOutputOp, inputs: Inputs, weights: Weights) -> Array:
    anchors = np.array(op.biases, "f4").reshape(-1, 2)
    found = list[Array]()
    for i, (x, pixels) in enumerate(zip(inputs, op.anchors_scale, strict=False)):
        own = [int(index) for index in op.mask[i * op.num_box : (i + 1) * op.num_box]]
        planes = _planes(op, x)
        classes = np.fmax(planes[:, 5:], np.float32(-FLT_MAX))
        # fused multiply-add: rounded once
        product = exp(-planes[:, 4]) * (1 + exp(-classes.max(1))).astype("f8")
        scores = 1 / (1 + product).astype("f4")
        net = [int(np.float32(pixels) * np.float32(n)) for n in x.shape[:0:-1]]
        found.append(_candidates(op, planes, anchors[own], net, classes, scores))
    rows = _sorted(found)
    best = non_maximum_suppression(rows[:, 2:6], by_product(op.nms_threshold), rows[:, 6])
    return rows[best, :6]


def _planes(op: Yolo, x: Array) -> Array:
    """Return the planes of each box: x, y, w, h, score and class scores."""
    each = len(x) // op.num_box
    if each != 5 + op.num_class:
        raise ValueError(f"{op.label()}: {len(x)} channels for {op.num_box} boxes")
    return x[: op.num_box * each].reshape(op.num_box, each, *x.shape[1:])


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + exp(-x))


def _candidates(
    op: Yolo, planes: Array, anchors: Array, net: Sequence[int], classes: Array, scores: Array
) -> Array:
    """Return one row per box with a high enough score, followed by its area. Boxes of one anchor
    are consecutive, row-major. `net`: width and height in the units of the anchors."""
    h, w = planes.shape[2:]
    box, y, x = np.nonzero(scores >= np.float32(op.confidence_threshold))
    fields, labels = planes[box, :4, y, x], classes[box, :, y, x].argmax(1)
    places = np.stack([x, y], -1).astype("f4")
    centers = (places + _sigmoid(fields[:, :2])) / np.array([w, h], "f4")
    sizes = exp(fields[:, 2:]) * anchors[box] / np.array(net, "f4")
    boxes = np.concatenate([around(centers, sizes), sizes.prod(-1, keepdims=True)], -1)
    return _rows(labels + 1, scores[box, y, x], boxes)


def _sorted(found: Sequence[Array]) -> Array:
    """Return the rows of all boxes, best first."""
    rows = np.concatenate([np.zeros((0, 7), "f4"), *found])
    return rows[by_score(rows[:, 1])]
