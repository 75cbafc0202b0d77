"""The cost of the tools, and the gain for users: `make bench`."""
