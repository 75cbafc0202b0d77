"""The table of Vulkan implementations agrees with the ncnn runtime for all cases of layers, where
there is a Vulkan device."""

from pathlib import Path

import pytest
from ncnn_opt.analysis.target_info.releases import releases
from ncnn_opt.analysis.vulkan import placement
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.frontends import ReadOptions

from .layer_cases import Case, read_cases

ncnn = pytest.importorskip("ncnn", reason="no ncnn runtime (the extra verify)")

FOLDER = Path(__file__).parent

BLOCKS = "Gemm 3x8 | 3=1 5=1 6=1 8=8 9=8 10=-1 18=401"


def net(case: Case) -> str:
    """The layer of a case without its weights."""
    inputs = [f"in{i}" for i in range(len(case.inputs))]
    outputs = [f"out{i}" for i in range(case.outputs)]
    blobs, layers = len(inputs) + len(outputs), len(inputs) + 1
    lines = [f"Input {name} 0 1 {name}" for name in inputs]
    line = (
        f"{case.type} x {len(inputs)} {len(outputs)} {' '.join([*inputs, *outputs])} {case.params}"
    )
    return "\n".join(["7767517", f"{layers} {blobs}", *lines, line, ""])


def test_layers_run_where_the_table_says(tmp_path: Path) -> None:
    if not ncnn.get_gpu_count():
        pytest.skip("needs a Vulkan device (Debian: mesa-vulkan-drivers)")
    cases = [case for some in read_cases(FOLDER / "roundtrip.txt").values() for case in some]
    checked = 0
    for case in [*cases, Case.parse(BLOCKS)]:
        path = tmp_path / "m.param"
        path.write_text(net(case))
        loaded = ncnn.Net()
        loaded.opt.use_vulkan_compute = True
        if loaded.load_param(str(path)):
            continue
        model = read_model(str(path), ReadOptions(structure_only=True)).module
        found = placement(model_of(model), releases()[-1])
        runtime = {layer.name: layer.support_vulkan for layer in loaded.layers()}
        for op in found.layers:
            if op.layer_name is not None and op.layer_name.data in runtime:
                on_device = op not in found.on_cpu
                assert on_device == runtime[op.layer_name.data], f"{case}: {found.on_cpu.get(op)}"
                checked += 1
    assert checked > 100
