"""The observers of a run of `ncnn-opt`, one a file. `of_request.py` has the list."""
