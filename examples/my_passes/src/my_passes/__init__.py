"""Passes of mine for ncnn-opt."""
