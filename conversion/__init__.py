"""Passes from one dialect to another, with a folder for each direction.

The dialects know nothing of each other. A conversion knows two of them, and is the only place where
facts of both meet.
"""

WEIGHT_STYLES = ("parameters", "args", "resources", "dense")
"""The places of weights in the module (`externalize-weights`), the default first."""

SCOPE = "model"
"""The scope of parameters."""
