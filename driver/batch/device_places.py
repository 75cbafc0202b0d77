"""The places of tasks in a batch over a scheduler: any worker, or the workers beside devices.

The models of a batch are spread over the devices. Each model is measured on one device, by a worker
that carries the device's address as a resource. If several workers carry the same address, each has
a device of its own: `local` on the boards of a rack.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ...runtime.devices.address import parse_address
from ...runtime.devices.workers import Resources, carried_resources, check_carried
from ...runtime.scheduler import asking

OPTION = "--on-device"
SECONDS = 2.0
"""The time between two looks at the workers."""
GRACE = 60.0
"""The seconds in which a worker beside a device may return, if all of them are lost."""
_STEP = 0.1


class Place(NamedTuple):
    """The place of a task."""

    worker: str = ""
    """The only worker that may run the task; empty: any."""
    device: str = ""
    """The device on which the task measures; empty: none."""
    keywords: Mapping[str, Any] = {}
    """The arguments of `Client.submit`."""

    @property
    def options(self) -> Sequence[str]:
        """The options of the command for this place."""
        return [OPTION, self.device] if self.device else []


def split_devices(options: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the devices of a command line, each once, and the other options. Raise `DeviceError`
    for a text that is no address."""
    devices: list[str] = []
    others: list[str] = []
    words = iter(options)
    for word in words:
        name, equals, value = word.partition("=")
        if name != OPTION:
            others.append(word)
            continue
        device = str(parse_address(value if equals else next(words, "")))
        if device not in devices:
            devices.append(device)
    return devices, others


class Anywhere:
    """Any worker: two tasks for each thread."""

    are_gone, reason = False, ""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._most = 2 * sum(client.ncores().values())

    def free(self, taken: Sequence[Place], without: Sequence[str]) -> Place | None:
        """Return a place for one more task, on other workers than `without` if there are any;
        `None` if all are taken."""
        if len(taken) >= self._most:
            return None
        others = [w for w in self._client.ncores() if w not in without] if without else []
        keywords = {"workers": others, "allow_other_workers": True} if others else {}
        return Place(keywords=keywords)

    def wait(self, running: Any, has_tasks: bool) -> bool:
        """Whether a task may end."""
        return has_tasks

    def look(self) -> None:
        """Look which workers are there: not needed."""

    def has_lost(self, place: Place) -> bool:
        """Whether a place is no more: the scheduler moves such tasks by itself."""
        return False


class DevicePlaces:
    """The workers beside devices. A device has one task at a time, for each unit of its label."""

    def __init__(self, client: Any, scheduler: str, devices: Sequence[str]) -> None:
        """Raise `RunError` if no worker carries the label of a device."""
        self._client = client
        self._scheduler = scheduler
        self._devices = devices
        self._threads: Mapping[str, int] = {}
        self._resources: dict[str, Resources] = {}
        self._gone_since: float | None = None
        self.reason = (
            f"the scheduler '{scheduler}' has lost all workers beside {', '.join(devices)}; start "
            f"one again: dask worker {scheduler} --resources {devices[0]}=1"
        )
        self.look()
        check_carried(scheduler, map(parse_address, devices), self._resources.values())

    def free(self, taken: Sequence[Place], without: Sequence[str]) -> Place | None:
        """Return a place for one more task, on another worker than `without` if one beside a device
        is there, even if it is taken now; `None` if all are taken."""
        beside = [worker for worker in self._resources if self._carries(worker)]
        others = [worker for worker in beside if worker not in without] or beside
        for device in sorted(self._devices, key=lambda d: sum(p.device == d for p in taken)):
            for worker in others:
                used = [place for place in taken if place.worker == worker]
                amount = int(self._resources[worker].get(device, 0))
                if (
                    len(used) < self._threads[worker]
                    and sum(place.device == device for place in used) < amount
                ):
                    keywords = {"workers": [worker], "resources": {device: 1}}
                    return Place(worker, device, keywords)
        return None

    def wait(self, running: Any, has_tasks: bool) -> bool:
        """Wait for the end of a task. Return whether one has ended; if not, the workers may have
        changed."""
        deadline = time.monotonic() + SECONDS
        while not running.has_ready():
            if time.monotonic() >= deadline:
                self.look()
                return False
            time.sleep(_STEP)
        return True

    def has_lost(self, place: Place) -> bool:
        """Whether the worker of a place is no more."""
        return place.worker not in self._resources

    @property
    def are_gone(self) -> bool:
        """Whether no worker beside a device has been there for some time."""
        return self._gone_since is not None and time.monotonic() - self._gone_since > GRACE

    def _carries(self, worker: str) -> bool:
        return any(self._resources[worker].get(device, 0) >= 1 for device in self._devices)

    def look(self) -> None:
        """Look which workers are there, and ask new ones for their resources. Raise `RunError`."""
        with asking(self._scheduler):
            self._threads = self._client.ncores()
        new = [worker for worker in self._threads if worker not in self._resources]
        found: Mapping[str, Resources] = {}
        if new:
            with suppress(OSError, ValueError):  # one of them is lost just now
                found = self._client.run(carried_resources, workers=new, on_error="ignore")
        known = {**self._resources, **found}
        self._resources = {w: known[w] for w in self._threads if w in known}
        if any(map(self._carries, self._resources)):
            self._gone_since = None
        elif self._gone_since is None:
            self._gone_since = time.monotonic()
