"""Measurements on other machines, over ssh or adb: transports, sessions with a runner there, paired
comparison."""
