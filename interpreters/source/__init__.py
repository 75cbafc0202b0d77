"""Source models in PyTorch as programs of steps: PNNX's IR, TorchScript, and callables.

PyTorch is an extra (`pip install 'ncnn-opt[export]'`) and is imported inside functions.
"""
