"""Single operators of PNNX's graphs as layers, compared with values of PyTorch."""
