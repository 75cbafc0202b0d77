"""Samples of calibration and evaluation: images, arrays, and lists of both."""
