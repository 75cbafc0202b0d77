"""Passes from one dialect to another."""

WEIGHT_STYLES = ("parameters", "args", "resources", "dense")
"""The places of weights in the module (`externalize-weights`), the default first."""

SCOPE = "model"
"""The scope of parameters."""
