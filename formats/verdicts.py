"""The last line of a check, equal in all commands, so that scripts can search for it."""


def verdict(passed: bool, reason: str) -> str:
    """Return `PASSED` or `FAILED` with the reason, the last line of each check and comparison."""
    return f"{'PASSED' if passed else 'FAILED'}: {reason}"
