"""Models of one size made models of any size."""
