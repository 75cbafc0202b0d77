"""All layers for xDSL's interpreter."""

from ...dialects.ncnn import LAYERS
from ...dialects.ncnn.custom import CustomOp
from ..implementations import functions_of
from .layer_evaluation import evaluate

NcnnFunctions = functions_of("NcnnFunctions", (*LAYERS, CustomOp), evaluate)
"""The layers for xDSL's `Interpreter`. Values are NumPy arrays (see `semantics.Array`)."""
