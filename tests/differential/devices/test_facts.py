"""The text about the facts of a device."""

from ncnn_opt.runtime.devices.probe import DeviceFacts


def test_a_device_of_which_much_is_known() -> None:
    facts = DeviceFacts(
        processor="4 Cortex-A76 + 2 Cortex-A55",
        arch="aarch64",
        features=["neon", "asimddp"],
        ncnn="1.0.20260113",
        runner="python",
        precision="float16",
        board="Raspberry Pi 5",
        clusters=[
            {"cpus": [0, 1, 2, 3], "max_mhz": 2400.0, "governor": "ondemand"},
            {"cpus": [4, 6], "max_mhz": 0.0, "governor": ""},
        ],
        memory_mb=8062,
        temperature={"cpu-thermal": 51.6, "gpu": 48.0},
        gpus=["V3D 7.1"],
    )
    assert facts.family == "arm"
    assert facts.identity == {
        "processor": "4 Cortex-A76 + 2 Cortex-A55",
        "arch": "aarch64",
        "cores": "4+2",
        "features": "neon asimddp",
        "ncnn": "1.0.20260113",
    }
    assert facts.lines() == [
        "processor         4 Cortex-A76 + 2 Cortex-A55",
        "board             Raspberry Pi 5",
        "instruction sets  aarch64: neon asimddp",
        "clusters          processors 0-3, at most 2400 MHz, governor ondemand; "
        "processors 4, 6, frequency unknown",
        "memory            8062 MiB",
        "temperature       cpu-thermal 52 °C, gpu 48 °C",
        "ncnn              1.0.20260113 (python runner), blobs in float16",
        "GPU               V3D 7.1",
    ]


def test_a_device_of_which_little_is_known() -> None:
    facts = DeviceFacts("riscv64", "riscv64", [], "1.0.20260113", "program", "float32")
    assert facts.family is None
    assert facts.lines() == [
        "processor         riscv64",
        "instruction sets  riscv64: none known",
        "memory            0 MiB",
        "temperature       not readable",
        "ncnn              1.0.20260113 (program runner), blobs in float32",
        "GPU               none that this ncnn supports",
    ]
