"""Passes on models in PNNX's own IR, and on ncnn models with what that IR says of them."""
