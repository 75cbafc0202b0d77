# pyright: basic, reportMissingImports=false, reportUntypedBaseClass=false
"""`export` writes a model only if it agrees with PyTorch, by the first route through PNNX that
leads to one. Needs PyTorch and PNNX."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pnnx = pytest.importorskip("pnnx", reason="PNNX is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

import ncnn_opt  # noqa: E402

nn: Any = torch.nn
torch.set_num_threads(1)


def small_net() -> Any:
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.SiLU(), nn.Conv2d(8, 4, 1))


def image() -> Any:
    torch.manual_seed(1)
    return torch.rand(1, 3, 16, 16)


class Branch(nn.Module):
    """A module whose Python code reads the values of its input."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)

    def forward(self, x: Any) -> Any:
        y = self.linear(x)
        return y * 2 if x[0, 0] > x[0, -1] else y + 1


class Reads(nn.Module):
    """A module that reads a value, with the same operators for all inputs, and writes into parts
    of a tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.cache = None

    def forward(self, x: Any) -> Any:
        if float(x.sum()) > 1e9:
            raise ValueError("too large")
        if self.cache is None:
            self.cache = torch.full((4,), 0.5)
        y = self.linear(x) * self.cache
        y[:, :2] *= 3
        return {"y": y, "z": y.exp()}


def test_the_steps_name_the_route_and_both_errors() -> None:
    result = ncnn_opt.export(small_net(), image(), "m.param")
    assert result
    assert result.problem == ""
    assert result.steps == [
        "converted with PNNX, traced",
        "optimized with -O: 3 -> 3 layers",
        "stored the weights as float16",
        "wrote m.param",
    ]
    assert result.agreement is not None
    assert result.agreement.unrounded["out0"] < 1e-5 < result.agreement.errors["out0"] < 2e-3
    assert "without the rounding of weights to float16" in str(result)


def test_the_storage_of_weights_is_the_requested_one() -> None:
    sizes: dict[bool, int] = {}
    for fp16 in (False, True):
        result = ncnn_opt.export(small_net(), image(), "m.param", fp16=fp16)
        sizes[fp16] = Path("m.bin").stat().st_size
        assert result.agreement is not None
        assert bool(result.agreement.unrounded) == fp16
    assert sizes[True] < 0.6 * sizes[False]


def test_a_model_that_differs_is_not_written() -> None:
    ncnn_opt.export(small_net(), image(), "m.param")
    before = Path("m.param").read_bytes(), Path("m.bin").read_bytes()
    x = torch.tensor([[1.0, -2.0, 3.0, 7.0]])
    with pytest.raises(ncnn_opt.NcnnOptError) as caught:
        ncnn_opt.export(Branch(), x, "m.param")
    message = str(caught.value)
    assert message.startswith(
        "the model differs from PyTorch, and m.param is not written (keep_going=True writes it): "
        "traced: output 'out0' differs in the ncnn runtime with the example inputs in reverse order"
    )
    assert "; torch.export: torch.export: " in message
    assert (Path("m.param").read_bytes(), Path("m.bin").read_bytes()) == before


def test_keep_going_writes_a_model_that_differs() -> None:
    x = torch.tensor([[1.0, -2.0, 3.0, 7.0]])
    result = ncnn_opt.export(Branch(), x, "m.param", keep_going=True)
    assert not result
    assert "in reverse order" in result.problem
    assert f"the model differs from PyTorch: {result.problem}" in result.steps
    assert Path("m.param").exists()


def test_the_operator_of_a_wrong_layer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A converter that shifts the window of a convolution."""
    from ncnn_opt.driver import pytorch_export

    read = pytorch_export.read_converted

    def wrong(*args: Any) -> Any:
        source = read(*args)
        op: Any
        for op in source.module.walk():
            if "convolution" in op.name.lower():
                op.set_params(pad_left=op.pad_left + 1, pad_right=op.pad_right - 1)
                break
        return source

    monkeypatch.setattr(pytorch_export, "read_converted", wrong)
    with pytest.raises(ncnn_opt.NcnnOptError) as caught:
        ncnn_opt.export(small_net(), image(), "m.param")
    assert "traced: the first difference: Convolution" in str(caught.value)
    assert "differs from aten." in str(caught.value)
    assert not Path("m.param").exists()


def test_a_module_that_reads_values_is_compared_and_keeps_its_state() -> None:
    module, x = Reads(), torch.randn(1, 4)
    expected = module(x)
    module.cache = None
    module.train()
    result = ncnn_opt.export(module, x, "m.param", fp16=False)
    assert result, result
    assert result.agreement is not None
    assert sorted(result.agreement.errors) == ["out0", "out1"]
    assert result.agreement.compared > 0
    assert module.training
    assert type(module.cache) is torch.Tensor
    assert torch.equal(module(x)["z"], expected["z"])


FAKES = {
    "crash": (
        "echo pass_level1; kill -SEGV $$",
        "PNNX crashed (SIGSEGV); its last line: pass_level1",
    ),
    "hang": (
        "echo level; exec sleep 60",
        "PNNX did not end within 1 seconds; its last line: level",
    ),
    "failure": ("exit 3", "PNNX failed with status 3; it printed nothing"),
}


@pytest.mark.parametrize("name", FAKES)
def test_a_program_that_fails_is_a_failed_route(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, reason = FAKES[name]
    program = folder / "pnnx"
    program.write_text(f"#!/bin/sh\n{text}\n")
    program.chmod(0o755)
    monkeypatch.setattr(pnnx, "EXEC_PATH", str(program))
    with pytest.raises(ncnn_opt.NcnnOptError) as caught:
        ncnn_opt.export(small_net(), image(), "m.param", timeout=1)
    assert str(caught.value) == (
        f"the module was not converted, and m.param is not written: traced: {reason}; "
        f"torch.export: {reason}"
    )
    assert not Path("m.param").exists()


def test_a_later_route_is_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that crashes once, as PNNX does on some traces."""
    program = folder / "pnnx"
    text = f'#!/bin/sh\n[ -e {folder}/ran ] && exec {pnnx.EXEC_PATH} "$@"\n'
    program.write_text(f"{text}touch {folder}/ran; echo pass_level1; kill -SEGV $$\n")
    program.chmod(0o755)
    monkeypatch.setattr(pnnx, "EXEC_PATH", str(program))
    result = ncnn_opt.export(small_net(), image(), "m.param")
    assert result
    assert result.steps[:2] == [
        "traced: PNNX crashed (SIGSEGV); its last line: pass_level1",
        "converted with PNNX, torch.export",
    ]


def test_attention_of_transformers_becomes_eager_for_a_while() -> None:
    from ncnn_opt.driver.export_routes import routes_of

    class Configuration:
        _attn_implementation = "sdpa"

    class Model(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.config, self.seen = Configuration(), []

        def forward(self, x: Any) -> Any:
            self.seen.append(self.config._attn_implementation)
            return x + 1

    model = Model()
    routes = {route.name: route for route in routes_of(model, [torch.rand(2)])}
    assert list(routes) == [
        "traced",
        "torch.export",
        "traced with eager attention",
        "torch.export with eager attention",
    ]
    routes["traced"].script()
    routes["traced with eager attention"].script()
    assert model.seen == ["sdpa", "eager"]
    assert model.config._attn_implementation == "sdpa"
    model.config._attn_implementation = "eager"
    assert len(list(routes_of(model, [torch.rand(2)]))) == 2


def test_the_runtime_computes_the_written_model() -> None:
    ncnn = pytest.importorskip("ncnn", reason="the ncnn runtime is not installed")
    module, x = small_net().eval(), image()
    ncnn_opt.export(module, x, "m.param", fp16=False)
    with ncnn.Net() as net:
        net.load_param("m.param")
        net.load_model("m.bin")
        with net.create_extractor() as extractor:
            extractor.input("in0", ncnn.Mat(x[0].numpy()).clone())
            made = np.array(extractor.extract("out0")[1])
    np.testing.assert_allclose(made, module(x)[0].detach().numpy(), atol=1e-5)


def test_a_module_that_does_not_run_is_named() -> None:
    with pytest.raises(ncnn_opt.NcnnOptError, match="Sequential: PyTorch cannot run the model on "):
        ncnn_opt.export(small_net(), torch.rand(1, 4, 16, 16), "m.param")
