"""Former spellings of options: they work for one release, with a note on standard error."""

from collections.abc import Mapping, Sequence

from ..driver.messages import print_note

_DEVICES = {"--on": "--on-device"}

OLD: Mapping[str, Mapping[str, str]] = {
    "ncnn-opt": {**_DEVICES, "--like": "--other-export", "--like-shape": "--other-shape"},
    "ncnn-opt --prove-pdl": {"--on": "--layers-of"},
    "ncnn-compile": {
        "--target": "--target-device",
        "--tune": "--autotune",
        "--tune-seconds": "--autotune-seconds",
        "--tune-cache": "--autotune-cache",
    },
    "ncnn-quantize": {
        **_DEVICES,
        "--tune": "--keep-slower",
        "--max-error": "--max-nsr",
        "--measured": "--eval-samples",
        "--held-back": "--holdout",
    },
    "ncnn-report": {**_DEVICES, "--json": "--print-json"},
    "ncnn-run": _DEVICES,
}
"""The present spelling of each former one, by command. An option of another command may have the
former spelling as its present one: `--tune` of `ncnn-opt`."""


def in_new_spelling(command: str, arguments: Sequence[str]) -> list[str]:
    """Return a command line in the present spelling, with one note for each former one."""
    words = list(arguments)
    end = words.index("--") if "--" in words else len(words)
    old = OLD.get(_mode(command, words[:end]), {})
    notes: dict[str, str] = {}
    for i, word in enumerate(words[:end]):
        name, equals, value = word.partition("=")
        if (new := old.get(name)) is not None:
            words[i] = f"{new}{equals}{value}"
            notes[name] = new
    if not {"-q", "--quiet"} & set(words[:end]):
        for name, new in notes.items():
            print_note(f"{command}: note: {_note(name, new)}")
    return words


def present_name(command: str, name: str, place: str) -> str:
    """Return the present name of an option in a file, without dashes; `place` is for the note."""
    new = OLD.get(command, {}).get(f"--{name}")
    if new is None:
        return name
    print_note(f"{command}: note: {place}: {_note(f'--{name}', new)}")
    return new.removeprefix("--")


def _mode(command: str, words: Sequence[str]) -> str:
    """Return the command whose options the words are: `ncnn-opt --prove-pdl` has its own."""
    proves = any(word.partition("=")[0] == "--prove-pdl" for word in words)
    return f"{command} --prove-pdl" if proves and command == "ncnn-opt" else command


def _note(name: str, new: str) -> str:
    return f"{name} is now {new}; the old spelling works until the next release"
