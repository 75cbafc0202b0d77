"""Many models in one command: planning, running, resuming and summaries."""
