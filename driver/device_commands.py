"""The work of `ncnn-device`: facts about a device, and its preparation.

The command imports this file only to do its work, so that `--help` needs no code for devices.
"""

from pathlib import Path

from ..runtime.devices.address import parse_address
from ..runtime.devices.measurements import with_session
from ..runtime.devices.probe import probe
from ..runtime.devices.session import Say, prepare


def probe_device(text: str, say: Say) -> list[str]:
    """Return the facts about the device at an address as lines of text. Raise `DeviceError`."""
    address = parse_address(text)
    facts = with_session(address, lambda session: probe(session, gpus=True), say)
    return facts.lines()


def prepare_device(text: str, runner: str | None, python: str | None, say: Say) -> str:
    """Copy a runner to the device at an address, or select a Python there, and start it. Return a
    summary. Raise `DeviceError` and `OSError`."""
    address = parse_address(text)
    path = None if runner is None else Path(runner)
    if path is not None:
        path.stat()
    with prepare(address, path, python, say) as session:
        return (
            f"{address}: the {session.runner} runner with ncnn {session.ncnn} is ready in "
            f"{session.remote.folder}"
        )
