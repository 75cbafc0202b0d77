"""Steps towards a smaller model that still fails: fewer layers, smaller extents, simpler weights
and parameters. Each step returns another module, or `None` if it does not apply."""
