# pyright: basic, reportMissingImports=false
"""`export_decoder` writes bundles that decode as PyTorch computes the whole sequence. Needs
PyTorch, PNNX and transformers."""

from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("pnnx", reason="PNNX is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

from ncnn_opt.driver.bundles.manifest import Manifest  # noqa: E402

import ncnn_opt  # noqa: E402

from ..test_benchmark_models import of_benchmarks  # noqa: E402

MODELS: Any = of_benchmarks("sources.causal_models").MODELS

torch.set_num_threads(1)


@pytest.mark.parametrize("name", MODELS)
def test_decodes_like_pytorch(name: str, folder: Path) -> None:
    result = ncnn_opt.export_decoder(MODELS[name](), folder / "bundle", storage="fp32")
    assert result, str(result)
    assert [each.prefill for each in result.comparisons] == [1, 7, 33]
    assert all(each.distinct > 1 for each in result.comparisons)  # tokens are not constant
    manifest = Manifest.read(folder / "bundle")
    assert manifest.layers >= 2


def test_tied_weights_are_stored_once(folder: Path) -> None:
    ncnn_opt.export_decoder(MODELS["Qwen3"](), folder / "bundle", storage="bf16", compare=False)
    manifest = Manifest.read(folder / "bundle")
    assert manifest.files["embed_token"][1] == manifest.files["proj_out"][1]
    assert not (folder / "bundle" / "proj_out.ncnn.bin").exists()


def test_a_model_that_differs_is_not_written(folder: Path) -> None:
    model: Any = MODELS["Llama"]()
    forward = model.lm_head.forward
    model.lm_head.forward = lambda x: forward(x) * 1.5
    with pytest.raises(ncnn_opt.NcnnOptError, match="differs from PyTorch"):
        ncnn_opt.export_decoder(model, folder / "bundle", storage="fp32")
    assert not (folder / "bundle").exists()


def test_other_models_are_refused(folder: Path) -> None:
    for other in (torch.nn.Linear(2, 2), 3):
        with pytest.raises(ncnn_opt.NcnnOptError, match="causal language model"):
            ncnn_opt.export_decoder(other, folder / "bundle")
    encoder = transformers.BertModel(
        transformers.BertConfig(
            vocab_size=50,
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
        )
    )
    with pytest.raises(ncnn_opt.NcnnOptError, match="no head"):
        ncnn_opt.export_decoder(encoder, folder / "bundle")
