"""The languages of programs that `--snippet` prints (`driver/snippets.py` writes them)."""

LANGUAGES = ("cpp", "kotlin", "swift", "python")
