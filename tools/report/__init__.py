"""What `ncnn-report` says about a model: as text, as JSON and as a page."""
