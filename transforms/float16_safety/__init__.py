"""Feature masks and rescaled weights with which a model stays exact in float16."""
