"""Mutation testing: count the small changes of the source that no test notices."""
