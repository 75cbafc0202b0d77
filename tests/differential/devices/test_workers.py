"""Devices beside workers of a scheduler of dask.distributed."""

from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.interpreters.errors import RunError
from ncnn_opt.runtime.devices.address import parse_address
from ncnn_opt.runtime.devices.measurements import MeasuringOptions
from ncnn_opt.runtime.devices.workers import measure_over

from .models import data, small

distributed: Any = pytest.importorskip("distributed")


def test_a_worker_measures_on_its_device(here: Path, tmp_path: Path) -> None:
    models, inputs, plan = (
        [small(tmp_path), small(tmp_path, "b", 2)],
        data(4, 16, 16),
        MeasuringOptions(16),
    )
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        dashboard_address=None,
        resources={"local": 1},
    ) as cluster:
        address: str = cluster.scheduler_address
        local = parse_address("local")
        one, two = measure_over(address, models, inputs, [local, local], plan)
        assert one.ratio is not None
        assert two.ratio is not None
        assert str(one.address) == "local"
        assert one.names == ["small", "b"]
        assert one.outputs[0]["out"].shape == (8, 16, 16)
        with pytest.raises(RunError) as error:
            measure_over(address, models, inputs, [parse_address("adb://X")], plan)
        assert str(error.value) == (
            f"adb://X: no worker of the scheduler '{address}' carries this label; start one "
            f"beside the device: dask worker {address} --resources adb://X=1"
        )
        models[0].param.write_text("7767517\n1 1\nNoLayer a 0 1 a\n")
        with pytest.raises(RunError, match="^local: load_param: -1"):
            measure_over(address, models[:1], inputs, [local], plan)
    assert sorted(path.suffix for path in here.iterdir())[:2] == ["", ".bin"]
