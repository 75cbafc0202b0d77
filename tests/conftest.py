"""What all tests share."""

import signal

from hypothesis import settings

# How long one example may take depends on what else the machine does.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# A shell lets what it runs in the background ignore Ctrl-C, and the commands would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
