"""Proofs of rewrites, on the models of the lit tests."""
