"""The cache of decisions that were measured on devices.

There is one file per processor and release of ncnn, and one file with the facts of each address, so
that decisions are found without the device.
"""

import os
from collections.abc import Mapping

from ...paired_times.ratio import Ratio
from ...targets.cache import Cache, default_folder
from .address import Address
from .probe import DeviceFacts

ADDRESSES = "devices.json"
_KIND = {"kind": "addresses of devices"}


def cache_of(identity: Mapping[str, str]) -> Cache:
    """Return the cache of a kind of device."""
    return Cache.of({"cpu": identity["processor"], **identity})


def known_identity(address: Address) -> Mapping[str, str] | None:
    """Return the facts that timings on this device depend on, from the last session; `None` for a
    new device."""
    entry = _addresses().get(str(address))
    return None if entry is None else {name: str(value) for name, value in entry.items()}


def remember(address: Address, facts: DeviceFacts) -> None:
    """Store the facts about a device. Raise `OSError`."""
    addresses = _addresses()
    addresses.put(str(address), {**facts.identity, "family": facts.family or ""})
    addresses.save()


def find_ratio(cache: Cache, key: str) -> Ratio | None:
    """Return the measured ratio of a change; `None` if it was not measured."""
    entry = cache.get(key)
    try:
        if entry is None:
            return None
        return Ratio(float(entry["ratio"]), float(entry["low"]), float(entry["high"]))
    except (KeyError, TypeError, ValueError):
        return None


def store_ratio(cache: Cache, key: str, ratio: Ratio, description: str) -> None:
    """Add a measured ratio. Raise `OSError`."""
    values = {"ratio": ratio.value, "low": ratio.low, "high": ratio.high}
    cache.put(key, {"change": description, **values})
    cache.save()


def _addresses() -> Cache:
    return Cache(os.path.join(default_folder(), ADDRESSES), _KIND)
