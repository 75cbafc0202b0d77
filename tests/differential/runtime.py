"""The real ncnn runtime: the oracle of these tests."""

from ncnn_opt.runtime.process import Array, Blobs, Failure, Runtime

__all__ = ["Array", "Blobs", "Failure", "Runtime"]
