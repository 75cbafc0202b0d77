"""What `ncnn-run` is made of."""
