"""The smallest model that still fails: delta debugging over layers, extents, weights and
parameters."""
