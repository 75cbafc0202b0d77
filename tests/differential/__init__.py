"""Tests against the real ncnn runtime. (A package, so that its files can share helpers.)"""
