"""What the tools cost, and what users gain: `make bench`."""
