"""Language models of transformers."""

# Options of all types are handed on as keywords.
# pyright: reportArgumentType=false

from typing import Any

from .building import LAST, SIZES, WORDS, Maker, build, words

TEXT: dict[str, Any] = {"vocab_size": WORDS, "pad_token_id": 0}
CAUSAL: dict[str, Any] = {"call": {"use_cache": False}, "keys": ("input_ids",)}
SHARED = {"num_key_value_heads": 2}
"""Heads that share keys and values."""
PAIR = {
    "d_model": 128,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 256,
    "decoder_ffn_dim": 256,
}
"""The sizes of an encoder with a decoder."""


def causal(name: str, **params: Any) -> Maker:
    """Return the maker of a causal language model."""
    return build(name, words(), "logits", **CAUSAL, **{**TEXT, **SIZES, **params})


def encoder(name: str, **params: Any) -> Maker:
    """Return the maker of an encoder."""
    return build(name, words(), LAST, **{**TEXT, **SIZES, **params})


FIRST: dict[str, Maker] = {
    "Bert": encoder("BertModel"),
    "ModernBert": encoder("ModernBertModel"),
    "DistilBert": build(
        "DistilBertModel", words(), LAST, vocab_size=WORDS, dim=128, n_layers=2, n_heads=4
    ),
    "T5 encoder": build(
        "T5EncoderModel", words(), LAST, vocab_size=WORDS, d_model=128, d_kv=32, d_ff=256,
        num_layers=2, num_heads=4,
    ),
    "CLIP text": encoder("CLIPTextModel", eos_token_id=2),
    "Llama": causal("LlamaForCausalLM", **SHARED),
    "GPT-2": build(
        "GPT2LMHeadModel", words(), "logits", **CAUSAL, vocab_size=WORDS, n_embd=128, n_layer=2,
        n_head=4,
    ),
    "Gemma 3": causal(
        "Gemma3ForCausalLM", config="Gemma3TextConfig", head_dim=32, sliding_window=8, **SHARED
    ),
    "Phi-3": causal("Phi3ForCausalLM", **SHARED),
    "Mamba": build(
        "MambaModel", words(8), LAST, **CAUSAL, vocab_size=WORDS, hidden_size=64,
        num_hidden_layers=1, state_size=8,
    ),
}  # fmt: skip
"""The language models of the first list."""

OTHERS: dict[str, Maker] = {
    "Roberta": encoder("RobertaModel"),
    "Electra": encoder("ElectraModel", embedding_size=64),
    "Albert": encoder("AlbertModel", embedding_size=64),
    "MPNet": encoder("MPNetModel"),
    "DeBERTa v2": encoder("DebertaV2Model", relative_attention=True, position_buckets=8),
    "RoFormer": encoder("RoFormerModel", embedding_size=128),
    "ConvBert": encoder("ConvBertModel", embedding_size=128),
    "SqueezeBert": encoder("SqueezeBertModel", embedding_size=128),
    "MobileBert": encoder(
        "MobileBertModel", embedding_size=64, intra_bottleneck_size=64, num_feedforward_networks=2
    ),
    "FNet": encoder("FNetModel"),
    "Bart": build("BartModel", words(), LAST, call={"use_cache": False}, **TEXT, **PAIR),
    "Bart encoder": build("BartModel", words(), LAST, part="get_encoder", **TEXT, **PAIR),
    "OPT": causal("OPTForCausalLM", ffn_dim=256, word_embed_proj_dim=128),
    "Qwen 2": causal("Qwen2ForCausalLM", **SHARED),
    "Qwen 3": causal("Qwen3ForCausalLM", head_dim=32, **SHARED),
    "Mistral": causal("MistralForCausalLM", sliding_window=8, **SHARED),
    "Gemma": causal("GemmaForCausalLM", head_dim=32, **SHARED),
    "Gemma 2": causal("Gemma2ForCausalLM", head_dim=32, sliding_window=8, **SHARED),
    "Falcon": causal("FalconForCausalLM"),
    "GPT-NeoX": causal("GPTNeoXForCausalLM"),
    "GPT-Neo": causal(
        "GPTNeoForCausalLM", num_layers=2, num_heads=4, attention_types=[[["global", "local"], 1]],
        window_size=8,
    ),
    "Bloom": causal("BloomForCausalLM", n_layer=2, n_head=4),
    "OLMo 2": causal("Olmo2ForCausalLM", **SHARED),
    "Cohere": causal("CohereForCausalLM", **SHARED),
    "StableLM": causal("StableLmForCausalLM", **SHARED),
    "Mixtral": causal("MixtralForCausalLM", num_local_experts=2, num_experts_per_tok=1, **SHARED),
}  # fmt: skip
"""Other language models."""
