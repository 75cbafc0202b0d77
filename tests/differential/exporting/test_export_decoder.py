# pyright: basic, reportMissingImports=false
"""`export_decoder` writes bundles that decode as PyTorch computes the whole sequence. Needs
PyTorch, PNNX and transformers."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("pnnx", reason="PNNX is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

from ncnn_opt.driver.bundles import bundle_export  # noqa: E402
from ncnn_opt.driver.bundles.manifest import BundleManifest  # noqa: E402
from ncnn_opt.tools.ncnn_run_main import main as run  # noqa: E402

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
    manifest = BundleManifest.read(folder / "bundle")
    assert manifest.layers >= 2


def test_tied_weights_are_stored_once(folder: Path) -> None:
    ncnn_opt.export_decoder(MODELS["Qwen3"](), folder / "bundle", storage="bf16", compare=False)
    manifest = BundleManifest.read(folder / "bundle")
    assert manifest.files["embed_token"][1] == manifest.files["proj_out"][1]
    assert not (folder / "bundle" / "proj_out.ncnn.bin").exists()


# The errors of rounded weights, relative to the largest logit: 11 bits, 8 bits, and blocks of 64
# weights in 8 and 4 bits.
@pytest.mark.parametrize(
    ("stored", "least", "most"),
    [
        ({"storage": "fp16"}, 1e-6, 4e-3),
        ({"storage": "bf16"}, 1e-4, 3e-2),
        ({"storage": "fp32", "bits": 8}, 1e-3, 0.1),
        ({"storage": "fp16", "bits": 4}, 0.05, 1),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else "",
)
def test_stored_weights(
    stored: Any, least: float, most: float, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = ncnn_opt.export_decoder(MODELS["Qwen3"](), folder / "bundle", **stored)
    assert [each.prefill for each in result.stored] == [1, 7, 33]
    errors = [each.error for each in result.stored]
    assert least < max(errors) < most
    assert sum(line.startswith("stored: prefill of ") for line in result.steps) == 3
    run([str(folder / "bundle"), "--decode", "3+5", "--compare", "full", "--tolerance", "1e-3"])
    assert "PASSED" in capsys.readouterr().out


def test_a_tokenizer(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    model = MODELS["Qwen3"]()
    words = model.config.vocab_size
    bytelike = tokenizers.pre_tokenizers.ByteLevel
    backend = tokenizers.Tokenizer(tokenizers.models.BPE())
    backend.pre_tokenizer, backend.decoder = bytelike(), tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=words, initial_alphabet=bytelike.alphabet()[: words - 8]
    )
    backend.train_from_iterator(["a cat, a mat, a hat"], trainer)
    assert backend.get_vocab_size() <= words
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=backend)
    ncnn_opt.export_decoder(model, folder / "bundle", compare=False, tokenizer=fast)
    described = BundleManifest.read(folder / "bundle").tokenizer
    assert described is not None
    assert described["type"] == "bbpe"
    run([str(folder / "bundle"), "--decode", "4", "--prompt", "a cat"])
    prompt = ",".join(map(str, backend.encode("a cat").ids))
    text = capsys.readouterr().out
    run([str(folder / "bundle"), "--decode", "4", "--tokens", prompt])
    tokens = capsys.readouterr().out.splitlines()[0]
    assert text.splitlines()[0] == tokens
    ids = [int(word) for word in tokens.removeprefix("tokens: ").split()]
    assert text.splitlines()[1] == f"text: {backend.decode(ids)!r}"


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


def test_a_configuration_has_random_weights(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count(1000)
    monkeypatch.setattr(bundle_export, "monotonic", lambda: next(clock))
    config = MODELS["Qwen3"]().config
    result = ncnn_opt.export_decoder(config, folder / "bundle", storage="bf16", compare=False)
    assert result.seconds == 2, "exporting and storing"
    assert BundleManifest.read(folder / "bundle").layers == config.num_hidden_layers


def test_angles_that_are_no_multiples_are_refused(folder: Path) -> None:
    """The length of the rotated features changes with the position."""
    model: Any = MODELS["Llama"]()
    forward = model.model.rotary_emb.forward

    def longer(x: Any, positions: Any) -> Any:
        return [turn * (1 + 1e-4 * positions[..., None]) for turn in forward(x, positions)]

    model.model.rotary_emb.forward = longer
    with pytest.raises(ncnn_opt.NcnnOptError, match="are no multiples of the position"):
        ncnn_opt.export_decoder(model, folder / "bundle")
