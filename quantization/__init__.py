"""Models in integers of few bits: what is counted on samples, the scales that follow, and what they
cost."""
