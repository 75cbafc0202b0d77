"""Bundles: the embedding, the decoder and the head of a language model as models of ncnn, and a
`model.json` that describes them."""
