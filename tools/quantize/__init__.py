"""What `ncnn-quantize` is made of: a module for each thing that it does."""
