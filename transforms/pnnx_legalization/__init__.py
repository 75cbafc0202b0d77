"""Passes on models in PNNX's own IR, and on ncnn models with information from that IR."""
