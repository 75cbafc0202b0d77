"""Lines about the releases of ncnn that run a model."""

from ..driver.releases import Releases, describe_newer, describe_raised
from .messages import say


def say_releases(releases: Releases, command: str = "") -> None:
    """Print the release that the result requires if an older one ran the model, and the releases
    that would allow more rewrites."""
    if (raised := releases.raised()) is not None:
        say(f"{command}{describe_raised(raised)}")
    if newer := releases.newer():
        say(f"{command}{describe_newer(newer)}")
