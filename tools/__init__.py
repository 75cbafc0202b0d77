"""The command lines of ncnn-opt."""
