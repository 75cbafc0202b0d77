"""ncnn-opt: an optimizing compiler for ncnn models, built on xDSL."""
