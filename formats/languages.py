"""The languages of programs that `--snippet` prints, in a module of their own: a parser needs the
names without `driver/snippets.py`, which writes the programs."""

LANGUAGES = ("cpp", "kotlin", "swift", "python")
