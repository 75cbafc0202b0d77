"""Times of functions that take turns: the clock, and the ratio of two of them."""
