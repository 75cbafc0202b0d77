"""Quantization of models: calibration on samples, scales, changes of weights, and evaluation."""
