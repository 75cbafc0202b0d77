"""What all tests share."""

from hypothesis import settings

# How long one example may take depends on what else the machine does.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
