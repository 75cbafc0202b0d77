"""Models in the ncnn runtime: running them, and comparing what comes out."""
