"""The families of layer types, which have one colour each."""

FAMILY_OF_MODULE = {
    "convolution": "convolution",
    "deconvolution": "convolution",
    "innerproduct": "matrix",
    "matmul": "matrix",
    "attention": "matrix",
    "recurrent": "matrix",
    "embedding": "matrix",
    "normalization": "normalization",
    "activation": "activation",
    "elementwise": "arithmetic",
    "reduction": "arithmetic",
    "pooling": "pooling",
    "resampling": "pooling",
    "reshaping": "data",
    "joining": "data",
    "cropping": "data",
    "structure": "data",
    "conversion": "data",
    "constant": "data",
    "audio": "other",
    "detection": "other",
    "quantization": "other",
    "unary": "other",
}
"""The family of layers by the module in `dialects/ncnn` that defines them."""

FAMILIES = {
    "convolution": "Convolution",
    "matrix": "Matrix product, attention, recurrence",
    "normalization": "Normalization",
    "activation": "Activation",
    "arithmetic": "Arithmetic, reduction",
    "pooling": "Pooling, resampling",
    "data": "Input, constant, shape",
    "other": "Other",
}
"""The title of each family."""
