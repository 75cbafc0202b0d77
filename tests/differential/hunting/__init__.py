"""Long runs of random nets, which go on after what they find: `make hunt`."""
