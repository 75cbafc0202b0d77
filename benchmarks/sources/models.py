"""All architectures by name, in lists."""

from collections.abc import Callable, Mapping
from typing import Any

from . import audio, language, upscalers, vision

LISTS: Mapping[str, Mapping[str, Callable[[], tuple[Any, Any]]]] = {
    "transformers, first list": {**language.FIRST, **vision.FIRST, **audio.FIRST},
    "transformers, other architectures": {**language.OTHERS, **vision.OTHERS, **audio.OTHERS},
    "spandrel": upscalers.MODELS,
}
MODELS = {name: make for found in LISTS.values() for name, make in found.items()}
"""The architectures by name."""
