"""Addresses of devices, as users write them.

A host becomes a word of a command line, so an address that looks like an option is refused.
"""

import re
import sys
from dataclasses import dataclass
from typing import Literal

from ...interpreters.errors import RunError

FORMS = "ssh://[USER@]HOST[:PORT], adb://SERIAL or local"

# A host must not look like an option of ssh.
_HOST = re.compile(r"(?:\w[\w.-]*@)?\w[\w.-]*")
_SERIAL = re.compile(r"[\w.:-]+")


class DeviceError(RunError):
    """A device cannot be reached or cannot do its work."""


class ConnectionLost(DeviceError):
    """The connection to a device ended during the work, which can be repeated."""


@dataclass(frozen=True)
class Address:
    """The address of a device."""

    scheme: Literal["ssh", "adb", "local"]
    host: str = ""
    """The host with an optional user, or the serial number."""
    port: int | None = None

    def __str__(self) -> str:
        if self.scheme == "local":
            return "local"
        port = "" if self.port is None else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}"

    @property
    def python(self) -> str:
        """The default Python of the device: on this machine the one that runs this program."""
        return sys.executable if self.scheme == "local" else "python3"


def parse_address(text: str) -> Address:
    """Return the address that a text specifies. Raise `DeviceError`."""
    if text in ("local", "local:"):
        return Address("local")
    scheme, separator, rest = text.partition("://")
    if separator and scheme == "adb" and _SERIAL.fullmatch(rest):
        return Address("adb", rest)
    if separator and scheme == "ssh":
        host, colon, port = rest.partition(":")
        named = _HOST.fullmatch(host)
        if named and not colon:
            return Address("ssh", host)
        if named and port.isdecimal() and 0 < int(port) < 65536:
            return Address("ssh", host, int(port))
    raise DeviceError(f"'{text}' is no address of a device: give {FORMS}")
