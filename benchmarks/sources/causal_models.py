# pyright: basic, reportMissingImports=false
"""Small causal language models of `transformers` with random weights of which each matters, and
the table of their bundles."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

SIZES: Mapping[str, Any] = {
    "vocab_size": 500,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}


def redrawn(model: Any) -> Any:
    """Draw the weights such that each sublayer contributes and tokens are not constant."""
    import torch

    torch.manual_seed(0)
    with torch.no_grad():
        for name, each in model.named_parameters():
            if any(word in name for word in ("embed", "wte", "wpe")):
                each.normal_(0, 0.3)  # or a head with the same weights repeats the last token
            elif each.dim() > 1:
                each.normal_(0, 1.5 * each[0].numel() ** -0.5)
            elif name.endswith("bias"):
                each.uniform_(-0.3, 0.3)
            else:
                each.uniform_(0.5, 1.5)
    return model.eval()


def made(model: str, config: str, **options: Any) -> Callable[[], Any]:
    """Return a function that makes a model."""

    def make() -> Any:
        import transformers

        configuration = getattr(transformers, config)(**options)
        return redrawn(getattr(transformers, model)(configuration))

    return make


def causal(name: str, **options: Any) -> Callable[[], Any]:
    """Return a function that makes a causal model with the usual names of its configuration."""
    return made(f"{name}ForCausalLM", f"{name}Config", **{**SIZES, **options})


TOKENS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
WINDOWS = ["sliding_attention", "full_attention", "sliding_attention"]

MODELS: Mapping[str, Callable[[], Any]] = {
    "Llama": causal("Llama"),
    "Qwen2": causal("Qwen2", tie_word_embeddings=True),
    "Qwen3": causal("Qwen3", head_dim=32, tie_word_embeddings=True),
    "Gemma3": made(
        "Gemma3ForCausalLM",
        "Gemma3TextConfig",
        **{**SIZES, "num_hidden_layers": 3},
        head_dim=16,
        sliding_window=8,
        layer_types=WINDOWS,
        tie_word_embeddings=False,  # as of GPT-2: a tied head repeats the last token
    ),
    "Phi3": causal("Phi3", pad_token_id=0),
    "GPT-2": made(
        "GPT2LMHeadModel",
        "GPT2Config",
        vocab_size=500,
        n_embd=64,
        n_layer=2,
        n_head=4,
        n_positions=128,
        tie_word_embeddings=False,
    ),
    "Mistral": causal("Mistral", sliding_window=16),
    "SmolLM3": causal("SmolLM3", num_hidden_layers=4, pad_token_id=0),
    "Olmo2": causal("Olmo2"),
    "Whisper's decoder": made(
        "WhisperForConditionalGeneration",
        "WhisperConfig",
        vocab_size=500,
        d_model=64,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=96,
        decoder_ffn_dim=96,
        max_source_positions=50,
        max_target_positions=100,
        decoder_start_token_id=1,
        **TOKENS,
    ),
}
"""Functions that make the models of the table in docs/decoders.md."""


def measure(names: Sequence[str] = ()) -> None:
    """Export bundles of all models, or of those with these names, and print the table of
    docs/decoders.md."""
    print("| model | error, prefill of 1 | 7 | 33 tokens | tokens | export |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, make in MODELS.items():
        if not names or name in names:
            print(f"| {name} | {' | '.join(_exported(make))} |", flush=True)


def _exported(make: Callable[[], Any]) -> list[str]:
    import ncnn_opt

    with tempfile.TemporaryDirectory() as folder:
        try:
            found = ncnn_opt.export_decoder(make(), f"{folder}/bundle", storage="fp32")
        except ncnn_opt.NcnnOptError as e:
            return ["", "", "", str(e).splitlines()[-1], ""]
    errors = [f"{each.error:.1e}" for each in found.comparisons]
    same = "equal" if all(each.same_tokens for each in found.comparisons) else "differ"
    return [*errors, same, f"{found.seconds:.0f} s"]
