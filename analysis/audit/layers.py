"""Rules for layer types, for inputs of static shapes: conditions that the runtime assumes.

Each rule is a generator of (field, problem) pairs for an operation and the shapes of its inputs.
The facts come from the layer's `forward` in src/layer/*.cpp.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

from xdsl.ir import BlockArgument, SSAValue

from ...dialects.ncnn.cropping import CopyToOp
from ...dialects.ncnn.extents import ABSENT
from ...dialects.ncnn.spatial import axes_of
from ...dialects.ncnn.structure import InputOp, SplitOp
from ...dialects.ncnn.weight_specs import Shape, pattern_text
from ...dialects.shapes.windows import span_of

Problems = Iterator[tuple[str, str]]
Rule = Callable[[Any, Sequence[Shape]], Problems]

RULES: dict[str, Rule] = {}
"""The rules by layer type."""

REFLECT = 2
"""The type of a padding that reflects the blob."""

MOST_SAMPLES = 64
"""The largest number of samples along an axis of a bin of ROIAlign."""


def rule(*types: str) -> Callable[[Rule], Rule]:
    """Register the rule of layer types."""

    def register(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(types, function))
        return function

    return register


@rule("DetectionOutput")
def detection_output(op: Any, shapes: Sequence[Shape]) -> Problems:
    """Offsets and scores cover the prior boxes."""
    location, confidence, prior = shapes
    mxnet = op.num_class == ABSENT
    if not mxnet and op.num_class < 1:
        yield "num_class", f"{op.num_class} is not positive"
    if len(prior) < 2 or (not mxnet and prior[-2] < 2):
        yield "input 2", f"prior boxes of {pattern_text(prior)} lack the row of variances"
        return
    boxes = prior[-2] if mxnet else prior[-1] // 4
    classes = (confidence[-2] if len(confidence) > 1 else 1) if mxnet else op.num_class
    if mxnet and prior[-1] < 4:
        yield "input 2", f"prior boxes of {pattern_text(prior)} have fewer than 4 columns"
    if prod(location) < 4 * boxes:
        yield "input 0", f"{prod(location)} offsets are too few for {boxes} boxes"
    if prod(confidence) < classes * boxes:
        yield "input 1", f"{prod(confidence)} scores are too few for {boxes} boxes"
    for name in ("nms_top_k", "keep_top_k"):
        if getattr(op, name) < 0:
            yield name, f"{getattr(op, name)} is negative"


@rule("Proposal")
def proposal(op: Any, shapes: Sequence[Shape]) -> Problems:
    """Scores that are not numbers crash the runtime: its sort then reads beyond their ends. The
    image info has 3 elements."""
    yield "input 0", "the sort of the scores leaves its memory if a score is NaN"
    if shapes[2][-1] < 3:
        yield "input 2", f"{pattern_text(shapes[2])} lacks height, width and scale"
    if op.after_nms_topN < 0:
        yield "after_nms_topN", f"{op.after_nms_topN} is negative"


@rule("YoloDetectionOutput", "Yolov3DetectionOutput")
def yolo(op: Any, shapes: Sequence[Shape]) -> Problems:
    """Each input has 3 dims and all channels of its boxes."""
    needed = op.num_box * (5 + op.num_class)
    for i, shape in enumerate(shapes):
        if len(shape) != 3 or shape[0] < needed:
            yield f"input {i}", f"{pattern_text(shape)} has fewer than {needed} channels"


def source_of(value: SSAValue) -> SSAValue:
    """Return the value that Splits and the position of an Input forward."""
    while isinstance(value.owner, SplitOp | InputOp):
        value = value.owner.operands[0]
    return value


@rule("ROIPooling", "ROIAlign", "PSROIPooling")
def region(op: Any, shapes: Sequence[Shape]) -> Problems:
    """The region has 4 coordinates."""
    if shapes[1][-1] < 4:
        yield "input 1", f"a region of {pattern_text(shapes[1])} has fewer than 4 coordinates"
    if op.LAYER_TYPE == "ROIAlign" and not isinstance(source_of(op.inputs[1]), BlockArgument):
        yield "input 1", "the model computes the region, and a large or infinite one crashes"
    if op.LAYER_TYPE == "ROIAlign" and not 0 < op.sampling_ratio <= MOST_SAMPLES:
        words = f"{op.sampling_ratio} lets values determine the samples, which memory holds"
        yield "sampling_ratio", words if op.sampling_ratio <= 0 else f"more than {MOST_SAMPLES}"
    if op.LAYER_TYPE == "PSROIPooling":
        needed = op.output_dim * op.pooled_width * op.pooled_height
        if op.output_dim < 1 or shapes[0][0] != needed:
            yield "output_dim", f"it needs {needed} channels, and the input has {shapes[0][0]}"


@rule("SDPA")
def sdpa(op: Any, shapes: Sequence[Shape]) -> Problems:
    """Groups divide the heads; mask and past fit."""
    (heads, steps, size), (groups, keys, _), (_, _, features) = shapes[:3]
    if groups > heads or heads % groups:
        yield "input 1", f"{groups} groups do not divide {heads} heads"
    past = op.past(shapes)
    before = past[0][1] if past and len(past[0]) == 3 else 0
    for i, (blob, width) in enumerate(zip(past, (size, features), strict=False)):
        if blob != (groups, before, width):
            yield "kv_cache", f"past {'value' if i else 'key'} of {pattern_text(blob)} does not fit"
    if op.attn_mask:
        yield from mask(shapes[3], heads, steps, before + keys)


def mask(shape: Shape, heads: int, steps: int, keys: int) -> Problems:
    """Find a mask that does not fit the scores."""
    if shape not in ((steps, keys), (1, steps, keys), (heads, steps, keys)):
        wanted = pattern_text((heads, steps, keys))
        yield "attn_mask", f"a mask of {pattern_text(shape)} does not fit scores of {wanted}"


@rule("MultiHeadAttention")
def multi_head_attention(op: Any, shapes: Sequence[Shape]) -> Problems:
    """Sequences, mask and past fit."""
    given = op.sequences(shapes)
    key = given[min(1, len(given) - 1)]
    value = given[-1]
    qdim = op.expected_input_shapes()[0][1]
    for name, shape, width in (("query", given[0], qdim), ("key", key, op.kdim)):
        if len(shape) != 2 or shape[1] != width:
            yield name, f"{pattern_text(shape)} has not {width} columns"
    if len(value) != 2 or value != (key[0], op.vdim):
        yield "value", f"{pattern_text(value)} is not {pattern_text((key[0], op.vdim))}"
    keys, size = key[0], op.embed_dim // op.num_heads
    past = op.past(shapes)
    if past:
        before = past[0][1] if len(past[0]) == 3 else 0
        if any(blob != (op.num_heads, before, size) for blob in past):
            yield "kv_cache", f"past keys of {pattern_text(past[0])} do not fit"
        keys = before + keys if len(given) == 1 else before
    if op.attn_mask:
        yield from mask(shapes[len(given)], op.num_heads, given[0][0], keys)


@rule("RotaryEmbed")
def rotary_embed(op: Any, shapes: Sequence[Shape]) -> Problems:
    """The tables cover half of the features."""
    size = shapes[0][2]
    if shapes[1][1] < size // 2 or size % 2:
        yield "input 1", f"{shapes[1][1]} angles for {size} features"


@rule("DeformableConv2D")
def deformable(op: Any, shapes: Sequence[Shape]) -> Problems:
    """Offsets and mask have the extents of the output."""
    kernel, *_ = (op.kernel_w * op.kernel_h,)
    axes = ("h", shapes[0][1], "top", "bottom"), ("w", shapes[0][2], "left", "right")
    places: list[int] = []
    for axis, extent, before, after in axes:
        pads = getattr(op, f"pad_{before}") + getattr(op, f"pad_{after}")
        span = span_of(getattr(op, f"kernel_{axis}"), getattr(op, f"dilation_{axis}"))
        places.append((extent + pads - span) // getattr(op, f"stride_{axis}") + 1)
    for i, (shape, channels) in enumerate(zip(shapes[1:], (2 * kernel, kernel), strict=False), 1):
        if shape != (channels, *places):
            wanted = pattern_text((channels, *places))
            yield f"input {i}", f"{pattern_text(shape)} is not {wanted}"


@rule("GridSample")
def grid_sample(op: Any, shapes: Sequence[Shape]) -> Problems:
    """The grid has a coordinate for each axis, and room for the offsets."""
    shape, grid = shapes[:2]
    axes = len(shape) - 1
    if axes not in (2, 3) or len(grid) != len(shape):
        yield "input 1", f"a grid of {pattern_text(grid)} for a blob of {pattern_text(shape)}"
        return
    if grid[0 if op.permute_fusion else -1] != axes:
        yield "input 1", f"a grid of {pattern_text(grid)} has not {axes} coordinates"
    if grid[0] < axes:  # the offsets have as many channels as the grid
        yield "input 1", f"a grid of {grid[0]} channels; the runtime writes {axes}"


@rule("Spectrogram")
def spectrogram(op: Any, shapes: Sequence[Shape]) -> Problems:
    """A reflection is within the samples."""
    if op.center == 1 and op.pad_type == REFLECT and op.n_fft // 2 >= shapes[0][0]:
        yield "n_fft", f"{shapes[0][0]} samples are too few to reflect {op.n_fft // 2}"


@rule("InverseSpectrogram")
def inverse_spectrogram(op: Any, shapes: Sequence[Shape]) -> Problems:
    """The frequencies are all, or half of them."""
    if shapes[0][0] not in (op.n_fft, op.n_fft // 2 + 1):
        yield "n_fft", f"{op.n_fft} does not fit {shapes[0][0]} frequencies"


@rule("CopyTo")
def copy_to(op: CopyToOp, shapes: Sequence[Shape]) -> Problems:
    """The box is within the first blob."""
    shape, box = shapes[:2]
    if len(shape) != len(box):
        yield "input 1", f"a box of {pattern_text(box)} in a blob of {pattern_text(shape)}"
        return
    offsets = [op.offsets()[axis] for axis in ("w", "hw", "chw", "cdhw")[len(shape) - 1]]
    if op.starts:
        if len(op.starts) < (len(op.axes) or len(shape)):
            yield "starts", f"{len(op.starts)} starts for {len(op.axes) or len(shape)} axes"
            return
        axes = [axis % len(shape) for axis in op.axes or range(len(op.starts))]
        if any(not -len(shape) <= axis < len(shape) for axis in op.axes) or len(axes) > len(shape):
            yield "axes", f"{op.axes} for a blob of {pattern_text(shape)}"
            return
        offsets = [0] * len(shape)
        for axis, start in zip(axes, op.starts, strict=False):
            start = 0 if start == ABSENT else start
            offsets[axis] = start if start >= 0 else shape[axis] + start
    if any(not 0 <= o <= n - m for o, m, n in zip(offsets, box, shape, strict=True)):
        words = f"a box of {pattern_text(box)} at {tuple(offsets)}"
        yield "offset", f"{words} leaves a blob of {pattern_text(shape)}"


@rule("Fold")
def fold(op: Any, shapes: Sequence[Shape]) -> Problems:
    """The columns are the windows on the output."""
    kernel = op.kernel_w * op.kernel_h
    places = 1
    for axis, wanted, before, after in (
        ("w", op.output_w, op.pad_left, op.pad_right),
        ("h", op.output_h, op.pad_top, op.pad_bottom),
    ):
        span = span_of(getattr(op, f"kernel_{axis}"), getattr(op, f"dilation_{axis}"))
        rest = wanted + before + after - span
        places *= rest // getattr(op, f"stride_{axis}") + 1 if rest >= 0 else 0
    if shapes[0][0] % kernel or shapes[0][1] != places or not places:
        yield "output", f"{pattern_text(shapes[0])} is not {kernel} rows each by {places} windows"


@rule("RNN", "LSTM", "GRU")
def recurrent(op: Any, shapes: Sequence[Shape]) -> Problems:
    """The states have the extents of the layer."""
    directions = 2 if op.direction == 2 else 1
    states = list(zip(shapes[1:], op.state_sizes(), strict=False))
    if shapes[1:] and len(shapes) - 1 != len(op.state_sizes()):
        yield "inputs", f"{len(shapes) - 1} states, and the layer has {len(op.state_sizes())}"
    for i, (shape, size) in enumerate(states, 1):
        if shape != (directions, size) and not (directions == 1 and shape == (size,)):
            yield f"input {i}", f"{pattern_text(shape)} is not {pattern_text((directions, size))}"


@rule("Eltwise")
def eltwise(op: Any, shapes: Sequence[Shape]) -> Problems:
    """There is a coefficient for each input."""
    if op.op_type == 1 and 0 < len(op.coeffs) < len(shapes):
        yield "coeffs", f"{len(op.coeffs)} coefficients for {len(shapes)} inputs"


@rule("Quantize", "Dequantize", "Requantize")
def quantize(op: Any, shapes: Sequence[Shape]) -> Problems:
    """There is one scale, or one for each channel."""
    channels = 1 if len(shapes[0]) == 1 else shapes[0][0]
    for name, size in op.weight_sizes().items():
        if size not in (1, channels):
            yield name, f"{size} values for {channels} channels"


@rule("Padding")
def padding(op: Any, shapes: Sequence[Shape]) -> Problems:
    """Reflections are within the blob; there is a value for each channel."""
    shape = shapes[0]
    outer = "front", "behind"
    sides = {-1: ("left", "right"), -2: ("top", "bottom"), -3: outer}
    for axis, names in list(sides.items())[: len(shape)]:
        for name in names:
            pad = getattr(op, name)
            if pad < 0:
                yield name, f"{pad} is negative"
            elif op.type == REFLECT and pad >= shape[axis]:
                yield name, f"{shape[axis]} elements are too few to reflect {pad}"
    channels = shape[0] + (op.front + op.behind if len(shape) == 3 else 0)
    if len(shape) > 2 and 0 < op.per_channel_pad_data_size < channels:
        yield "per_channel_pad", f"{op.per_channel_pad_data_size} values for {channels} channels"


@rule("PixelShuffle")
def pixel_shuffle(op: Any, shapes: Sequence[Shape]) -> Problems:
    """The factor divides the channels."""
    each = op.upscale_factor**2
    if len(shapes[0]) == 3 and shapes[0][0] % each:
        yield "upscale_factor", f"{each} does not divide {shapes[0][0]} channels"


@rule("ShuffleChannel")
def shuffle_channel(op: Any, shapes: Sequence[Shape]) -> Problems:
    """The groups divide the channels."""
    if shapes[0][0] % op.group:
        yield "group", f"{op.group} groups do not divide {shapes[0][0]} channels"


@rule("Scale")
def scale(op: Any, shapes: Sequence[Shape]) -> Problems:
    """A scale blob has a value for each channel."""
    if len(shapes) > 1 and prod(shapes[1]) < shapes[0][0]:
        yield "input 1", f"{prod(shapes[1])} scales for {shapes[0][0]} channels"


@rule("Normalize")
def normalize(op: Any, shapes: Sequence[Shape]) -> Problems:
    """There is a scale for each channel, or one for all."""
    size, channels = op.weight_sizes().get("scale", 0), shapes[0][0]
    if size < (1 if op.channel_shared else channels):
        yield "scale", f"{size} values for {channels} channels"


@rule("Packing", "Gemm")
def packing(op: Any, shapes: Sequence[Shape]) -> Problems:
    """Elements are not packed: a runtime without packing does not unpack them."""
    name = "out_elempack" if op.LAYER_TYPE == "Packing" else "output_elempack"
    if getattr(op, name) > 1:
        yield name, f"a blob of packs of {getattr(op, name)}, which only some layers read"


@rule("Embed")
def embed(op: Any, shapes: Sequence[Shape]) -> Problems:
    """There is a row to clamp indices to."""
    if op.input_dim < 1:
        yield "input_dim", f"{op.input_dim} is not positive"


@rule(
    "Convolution",
    "ConvolutionDepthWise",
    "Convolution1D",
    "ConvolutionDepthWise1D",
    "Deconvolution",
    "DeconvolutionDepthWise",
    "Deconvolution1D",
    "DeconvolutionDepthWise1D",
)
def dynamic_weight(op: Any, shapes: Sequence[Shape]) -> Problems:
    """A weight blob fits the input, and a bias blob the weight."""
    if not op.weights_are_dynamic():
        return
    blob, weight = shapes[:2]
    if len(weight) != len(axes_of(op)) + 2 or len(blob) != len(axes_of(op)) + 1:
        yield "input 1", f"a weight of {pattern_text(weight)} for a blob of {pattern_text(blob)}"
        return
    first, second, group = weight[0], weight[1], op.group_count()
    transposed = op.LAYER_TYPE.startswith("Deconvolution")
    inputs, outputs = (first, second * group) if transposed else (second * group, first)
    if inputs != blob[0] or first % group:
        yield "input 1", f"a weight of {pattern_text(weight)} for {blob[0]} channels"
    if len(shapes) > 2 and prod(shapes[2]) != outputs:
        yield "input 2", f"a bias of {pattern_text(shapes[2])} for {outputs} outputs"


def problems(op: Any, shapes: Sequence[Shape], rules: Mapping[str, Rule] = RULES) -> Problems:
    """Yield the problems of a layer with inputs of these shapes."""
    if (found := rules.get(op.LAYER_TYPE)) is not None:
        yield from found(op, shapes)
