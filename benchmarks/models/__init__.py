"""Generated models as converters write them: not fused, with random weights. No other files are
needed."""

from collections.abc import Callable, Mapping
from pathlib import Path

from .classifiers import mobilenet_v2, mobilenet_v3, resnet50, shufflenet_v2, squeezenet, vgg16
from .sequences import crnn, keywords
from .synthetic import chain, wide_concat, wide_split
from .transformers import decoder, vision_transformer
from .vision import detector, unet

__all__ = ["CLASSIC", "LARGE", "chain", "decoder", "squeezenet", "wide_concat", "wide_split"]

Maker = Callable[[Path], Path]

CLASSIC: Mapping[str, Maker] = {
    "squeezenet": squeezenet,
    "mobilenet_v2": mobilenet_v2,
    "mobilenet_v3": mobilenet_v3,
    "shufflenet_v2": shufflenet_v2,
    "resnet50": resnet50,
    "vision_transformer": vision_transformer,
    "detector": detector,
    "unet": unet,
    "crnn": crnn,
    "keywords": keywords,
}
"""The models that are small enough to run."""

LARGE: Mapping[str, Maker] = {"resnet50": resnet50, "vgg16": vgg16, "decoder": decoder}
