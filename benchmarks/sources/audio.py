"""Models of sound of transformers."""

# Options of all types are handed on as keywords.
# pyright: reportArgumentType=false

from .building import LAST, SIZES, WORDS, Maker, build, numbers, words
from .language import PAIR

WHISPER = {
    **PAIR,
    "vocab_size": WORDS,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 1,
    "max_source_positions": 200,
}
WAVES = {
    "conv_dim": [32] * 7,
    "num_conv_pos_embeddings": 16,
    "num_conv_pos_embedding_groups": 4,
    "vocab_size": 32,
    **SIZES,
}

FIRST: dict[str, Maker] = {
    "Whisper encoder": build(
        "WhisperModel", numbers((1, 80, 400)), LAST, part="get_encoder", **WHISPER
    ),
    "Whisper decoder": build(
        "WhisperModel", words(8, (1, 200, 128)), LAST, part="get_decoder", **WHISPER,
        keys=("input_ids", "encoder_hidden_states"), call={"use_cache": False},
    ),
    "VITS decoder": build(
        "VitsModel", numbers((1, 32, 20)), part="decoder", vocab_size=40, hidden_size=32,
        num_hidden_layers=1, upsample_initial_channel=64, flow_size=32,
    ),
    "SpeechT5 HiFi-GAN": build(
        "SpeechT5HifiGan", numbers((1, 20, 80)), upsample_initial_channel=64
    ),
    "EnCodec decoder": build(
        "EncodecModel", numbers((1, 32, 20)), part="decoder", num_filters=8, hidden_size=32,
        codebook_dim=32,
    ),
    "Wav2Vec2": build("Wav2Vec2Model", numbers((1, 4000)), LAST, **WAVES),
}  # fmt: skip
"""The models of sound of the first list."""

OTHERS: dict[str, Maker] = {
    "HuBERT": build("HubertModel", numbers((1, 4000)), LAST, **WAVES),
    "WavLM": build("WavLMModel", numbers((1, 4000)), LAST, **WAVES),
    "AST": build(
        "ASTModel", numbers((1, 64, 32)), LAST, **SIZES, max_length=64, num_mel_bins=32
    ),
    "Data2Vec audio": build(
        "Data2VecAudioModel", numbers((1, 4000)), LAST, **{**WAVES, "num_conv_pos_embeddings": 2}
    ),
    "DAC decoder": build(
        "DacModel", numbers((1, 32, 10)), part="decoder", encoder_hidden_size=8,
        decoder_hidden_size=64, hidden_size=32,
    ),
    "EnCodec encoder": build(
        "EncodecModel", numbers((1, 1, 640)), part="encoder", num_filters=8, hidden_size=32,
        codebook_dim=32,
    ),
    "Speech2Text encoder": build(
        "Speech2TextModel", numbers((1, 64, 80)), LAST, part="get_encoder", vocab_size=WORDS, **PAIR
    ),
}  # fmt: skip
"""Other models of sound."""
