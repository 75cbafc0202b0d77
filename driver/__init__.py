"""From file to file: reading models, running passes on them, writing them."""
