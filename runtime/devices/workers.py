"""Measurements by dask.distributed workers beside the devices.

A worker that reaches a device carries the device's address as a resource: one session at a time. So
the devices of one run work at the same time, and a device behind a cable needs only its worker.
"""

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...interpreters.errors import RunError
from ..scheduler import asking, connected
from .address import Address, parse_address
from .measurements import DeviceMeasurement, DeviceModel, MeasuringOptions, measure, with_session
from .session import Array

PackedModels = Sequence[tuple[str, bytes, bytes, Sequence[tuple[str, str]]]]
"""Models: the name, the content of the two files, and the layers to time."""

Resources = Mapping[str, float]
"""The amounts of the resources of a worker."""


def measure_over(
    scheduler: str,
    models: Sequence[DeviceModel],
    inputs: Mapping[str, Array],
    addresses: Sequence[Address],
    plan: MeasuringOptions,
) -> list[DeviceMeasurement]:
    """Measure models on each device at the same time, by the workers of a scheduler. Raise
    `RunError`, also if no worker carries the address of a device."""
    files = [(m.name, m.param.read_bytes(), m.weights.read_bytes(), m.layers) for m in models]
    with connected(scheduler) as client, asking(scheduler):
        check_carried(scheduler, addresses, client.run(carried_resources).values())
        futures = [
            client.submit(
                measure_files,
                str(address),
                files,
                dict(inputs),
                plan,
                resources={str(address): 1},
                pure=False,
            )
            for address in addresses
        ]
        return client.gather(futures)


def check_carried(
    scheduler: str, addresses: Iterable[Address], resources: Iterable[Resources]
) -> None:
    """Raise `RunError` if no worker has the address of a device among its resources."""
    labels = {label for carried in resources for label in carried}
    for address in addresses:
        if str(address) not in labels:
            raise RunError(
                f"{address}: no worker of the scheduler '{scheduler}' carries this label; start "
                f"one beside the device: dask worker {scheduler} --resources {address}=1"
            )


def carried_resources(dask_worker: Any) -> Resources:
    """Return the amounts of the resources of the worker that calls this."""
    return dict(dask_worker.state.total_resources)


def measure_files(
    address: str, files: PackedModels, inputs: Mapping[str, Array], plan: MeasuringOptions
) -> DeviceMeasurement:
    """Measure models, given as the content of their files, on a device. Raise `DeviceError`."""
    with tempfile.TemporaryDirectory(prefix="ncnn-device-") as folder:
        models: list[DeviceModel] = []
        for i, (name, param, weights, layers) in enumerate(files):
            model = DeviceModel(name, Path(folder, f"{i}.param"), Path(folder, f"{i}.bin"), layers)
            model.param.write_bytes(param)
            model.weights.write_bytes(weights)
            models.append(model)
        return with_session(parse_address(address), lambda s: measure(s, models, inputs, plan))
