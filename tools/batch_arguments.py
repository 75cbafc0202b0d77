"""The command line for many models: models, output folder and common options."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..driver.errors import UsageError
from ..frontends import names_weights
from .arguments import make_parser

OUTPUT_DIR = "--output-dir"
JOBS = ("-j", "--jobs")


def is_batch(arguments: Sequence[str]) -> bool:
    """Whether a command line is for many models."""
    words = [a for a in arguments if a.partition("=")[0] == OUTPUT_DIR]
    return bool(words) and not {"-h", "--help"} & set(arguments)


@dataclass(frozen=True)
class BatchArguments:
    """The parts of a command line with `--output-dir`."""

    inputs: list[str]
    folder: str
    jobs: int
    common: list[str]
    """The options for each model."""

    @staticmethod
    def of(arguments: Sequence[str]) -> "BatchArguments":
        """Parse a command line. Raises `UsageError` for options that need a single model."""
        parser = make_parser()
        with_value = {
            option: action.nargs != 0
            for action in parser._actions  # pyright: ignore[reportPrivateUsage]
            for option in action.option_strings
        }
        inputs: list[str] = []
        common: list[str] = []
        ours: dict[str, str] = {}
        pending = iter(arguments)
        for word in pending:
            option, equals, value = word.partition("=")
            if word == "--":
                inputs += pending
            elif option in (OUTPUT_DIR, *JOBS):
                ours[option] = value if equals else next(pending, "")
            elif word.startswith(JOBS[0]) and word[2:].isdecimal():  # as in make -j4
                ours[JOBS[0]] = word[2:]
            elif not word.startswith("-") or word == "-":
                inputs.append(word)
            elif with_value.get(word):
                common += [word, *([v] if (v := next(pending, None)) is not None else [])]
            else:
                common.append(word)
        args, _ = parser.parse_known_args(common)
        for option, given in (
            ("-o", args.output_file),
            ("--output-weights", args.output_weights),
            ("--certificate", args.certificate),
        ):
            if given is not None:
                raise UsageError(f"{option} names one file; {OUTPUT_DIR} keeps their names")
        if len(inputs) > 1 and names_weights(args.weights):
            raise UsageError(f"--weights {args.weights} cannot be the weights of several models")
        if args.pnnx is not None and len(inputs) > 1:
            raise UsageError(f"--pnnx {args.pnnx} cannot be of several models")
        if "-" in inputs:
            raise UsageError(f"with {OUTPUT_DIR} models are files, not standard input")
        folder = ours.get(OUTPUT_DIR, "")
        if not folder:
            raise UsageError(f"{OUTPUT_DIR} needs the name of a folder")
        jobs = next((ours[option] for option in JOBS if option in ours), "1")
        if not jobs.isdecimal() or int(jobs) == 0:
            raise UsageError(f"--jobs takes a number from 1 on, not '{jobs}'")
        return BatchArguments(inputs, folder, int(jobs), common)
