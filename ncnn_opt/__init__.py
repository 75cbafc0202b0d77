"""ncnn-opt: an optimizing compiler for ncnn models, built on xDSL.

    model = ncnn_opt.load("model.param")
    remarks = ncnn_opt.optimize(model)
    ncnn_opt.save(model, "fast.param")

Nothing of xDSL is imported before a model is loaded.
"""

from .api import Blob, Layer, Model, NcnnOptError, load, optimize, save

__all__ = ["Blob", "Layer", "Model", "NcnnOptError", "load", "optimize", "save"]
