"""Many models in one command: the options, and the display of a running batch.

Each command provides a `OneModel`: how one model is parsed and processed. The rest is equal for all
commands, and stands here.
"""

import argparse
import os
import sys
from collections.abc import Callable, Generator, Mapping, Sequence, Set
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import partial
from io import StringIO
from shutil import get_terminal_size
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from ..driver.errors import USER_ERRORS, UsageError, describe
from ..driver.messages import print_note, print_result, quiet
from ..driver.progress import ProgressBar
from ..formats.verdicts import verdict
from ..frontends import is_weight_path
from ..targets.atomic_files import write_file
from .model_options import nearby_name, options_of, unmatched
from .parsers import OPTIONS, OUTPUT_DIR, Parser, add_options, positive

if TYPE_CHECKING:
    from ..driver.batch.jobs import Job

BATCH = f"""
many models:
  {OUTPUT_DIR} DIR  process all models, also in folders, and write below this folder, names kept
  --options FILE|beside  options of each model, in TOML; beside: in MODEL.toml beside each model
      (docs/batch.md)
  --resume  skip models whose outputs are up to date: same model, options and version
  --keep-going  process the other models after an error (the default); ncnn-opt --pnnx also writes
      a model with layers that ncnn lacks, with one model as well
  --summary FILE  write a summary: .json, .csv, .html, or .xml for JUnit
"""

JOBS = """
  -j, --jobs N  the number of parallel processes, one per model (1)
"""

SCHEDULER = """
  --scheduler ADDRESS  process the models over a dask.distributed scheduler, for example
      tcp://10.0.0.1:8786 (pip install 'ncnn-opt[dask]')
"""

ONE_FILE = (
    *("output_file", "output", "output_weights", "html", "json", "output_table", "errors"),
    *("certificate", "counterexample", "trace", "print_to_dir"),
)
"""Options of single models that name a file to write or to read, by destination."""

Figures = Mapping[str, int | str | tuple[int, int]]
"""The figures of a model in the summary."""


class OneModel(NamedTuple):
    """The processing of one of many models."""

    run: Callable[[Any], Figures]
    """Processes one model. Raises one of `USER_ERRORS`."""
    parse: Callable[[list[str]], Any]
    """Returns the options of one model. Raises `UsageError`."""
    kinds: Sequence[str] = ()
    """The kinds of output, the default first; none: the model's kind."""
    parallel: bool = True
    """Whether models are processed in parallel."""
    scheduled: bool = True
    """Whether models are also processed over a scheduler."""
    keeps_going: bool = False
    """Whether `--keep-going` is an option of one model, too."""
    checks: bool = False
    """Whether it only checks: then its output is the text that it prints, and `--output-dir` is
    needed only to keep these texts."""
    taken: Set[str] | None = None
    """The destinations of the options that it takes, `None` for all of the command."""
    counterparts: "Callable[[ManyModels], str | None]" = lambda many: None
    """Returns the folder of the models that the models are compared with, and takes it from the
    command line."""
    words: "Callable[[Job], list[str]]" = lambda job: [
        "-o",
        job.output,
        "--",
        job.path,
        *job.others,
    ]
    """Returns the words that name the files of a job."""


def add_batch_options(
    parser: argparse.ArgumentParser,
    kinds: Sequence[str] = (),
    parallel: bool = True,
    scheduled: bool = True,
) -> None:
    """Add the options for many models. `kinds` are the kinds of output, the default first;
    `parallel`: whether models are processed in parallel; `scheduled`: also over a scheduler."""
    of_kind = f"  --output-kind  the kind of outputs in DIR ({kinds[0]})" if kinds else ""
    spread = (JOBS if parallel else "") + (SCHEDULER if parallel and scheduled else "")
    table = "\n".join([BATCH, of_kind, spread])
    going = {"action": argparse.BooleanOptionalAction, "default": None}
    add_options(parser, table, keep_going=going, output_kind=kinds, jobs=_jobs)
    # Elsewhere, an option of this name is for a single model.
    parser.set_defaults(schedules_many=parallel and scheduled)


def _jobs(text: str) -> int:
    try:
        return positive(text)
    except argparse.ArgumentTypeError:
        message = f"--jobs takes a number from 1 on, not '{text}'"
        raise UsageError(message) from None


def is_batch(arguments: Sequence[str]) -> bool:
    """Whether a command line is for many models."""
    words = [a for a in arguments if a.partition("=")[0] == OUTPUT_DIR]
    return bool(words) and not _asks_for_help(arguments)


def names_many(parser: Parser, arguments: Sequence[str], least: int | None = None) -> bool:
    """Whether a command line names a folder, or at least so many models."""
    if _asks_for_help(arguments):
        return False
    inputs, _ = _split(parser, arguments)
    return any(map(os.path.isdir, inputs)) or (least is not None and len(inputs) >= least)


def _asks_for_help(arguments: Sequence[str]) -> bool:
    return not {"-h", "--help", "--help-all"}.isdisjoint(arguments)


def with_options(
    make_parser: Callable[[], Parser], arguments: Sequence[str], taken: Set[str] | None = None
) -> list[str]:
    """Return the words of a command line for one model, with those that `--options` has for it
    first. `taken` are the destinations of the options that the command takes, `None` for all.
    Raises `UsageError`."""
    if not any(word.partition("=")[0] == OPTIONS for word in arguments):
        return list(arguments)
    parser = make_parser()
    ours = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    ours.error = parser.error  # pyright: ignore[reportAttributeAccessIssue]
    ours.add_argument(OPTIONS)
    found, rest = ours.parse_known_args(arguments)
    inputs, _ = _split(parser, rest)
    if not inputs:
        raise UsageError(f"{OPTIONS} {found.options} is for a model, and there is none")
    return [*options_of(found.options, parser, inputs[0], taken, rest), *rest]


class ManyModels(NamedTuple):
    """A command line for many models."""

    inputs: list[str]
    common: list[str]
    """The options for each model."""
    args: argparse.Namespace
    """The options of the batch."""
    parsed: argparse.Namespace
    """The options for each model."""

    @staticmethod
    def of(parser: Parser, arguments: Sequence[str], one: OneModel) -> "ManyModels":
        """Parse a command line. Raises `UsageError` for options that need a single model."""
        words, after = list(arguments), list[str]()
        if "--" in words:
            at = words.index("--")
            words, after = words[:at], words[at + 1 :]
        ours = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
        ours.error = parser.error  # pyright: ignore[reportAttributeAccessIssue]
        add_batch_options(ours, one.kinds, one.parallel, one.scheduled)
        namespace, rest = ours.parse_known_args(words)
        inputs, common = _split(parser, rest)
        inputs += after
        args, _ = parser.parse_known_args(common)
        for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
            if action.dest in ONE_FILE and isinstance(getattr(args, action.dest), str):
                flag = action.option_strings[0]
                raise UsageError(f"{flag} names one file; {_many_files(one.kinds)}")
        several = len(inputs) > 1 or any(map(os.path.isdir, inputs))
        weights: str | list[str] | None = args.weights
        listed = weights if isinstance(weights, list) else [weights]
        for each in filter(is_weight_path, listed if several else ()):
            raise UsageError(f"--weights {each} cannot be the weights of several models")
        if args.pnnx is not None and several:
            raise UsageError(f"--pnnx {args.pnnx} cannot be of several models")
        if "-" in inputs:
            raise UsageError(f"with {OUTPUT_DIR} models are files, not standard input")
        if is_batch(arguments) and not namespace.output_dir:
            raise UsageError(f"{OUTPUT_DIR} needs the name of a folder")
        if namespace.resume and not namespace.output_dir:
            raise UsageError(f"--resume needs {OUTPUT_DIR}, whose files tell what is up to date")
        if not inputs:
            raise UsageError(f"{OUTPUT_DIR} needs models to optimize")
        namespace.quiet = args.quiet
        if one.keeps_going and namespace.keep_going:
            common.append("--keep-going")
        return ManyModels(inputs, common, namespace, args)


def _many_files(kinds: Sequence[str]) -> str:
    """Return the remedy for an option that names one file."""
    if "html" not in kinds:
        return f"{OUTPUT_DIR} keeps their names"
    return (
        f"{OUTPUT_DIR} DIR --output-kind html writes a page for each model and DIR/index.html; "
        "--summary FILE.csv one table"
    )


def _split(parser: Parser, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the models and the options among words."""
    counts = {
        option: action.nargs
        for action in parser._actions  # pyright: ignore[reportPrivateUsage]
        for option in action.option_strings
    }
    inputs, common = list[str](), list[str]()
    pending = list(reversed(words))
    while pending:
        word = pending.pop()
        if not word.startswith("-") or word == "-":
            inputs.append(word)
            continue
        common.append(word)
        nargs = counts.get(word, 0)
        while nargs != 0 and pending and (nargs is None or not pending[-1].startswith("-")):
            common.append(pending.pop())
            if nargs is None:
                break
    return inputs, common


def run_many(parser: Parser, arguments: Sequence[str], one: OneModel) -> int:
    """Run a command line for many models. Return the exit status: 1 if a model failed. Raises
    `UsageError` before the first model."""
    many = ManyModels.of(parser, arguments, one)
    if many.args.output_dir:
        return _run_in(parser, many, one, many.args.output_dir)
    with TemporaryDirectory(prefix="ncnn-opt-") as folder:
        return _run_in(parser, many, one, folder)


def _run_in(parser: Parser, many: ManyModels, one: OneModel, folder: str) -> int:
    """Run a command line with outputs below a folder."""
    from ..driver.batch.batch_run import Batch, run_batch
    from ..driver.batch.jobs import plan, with_counterparts
    from ..driver.bundles.carrying import bundles_of

    args = many.args
    kind = args.output_kind or one.kinds[0] if one.kinds else None
    counterparts = one.counterparts(many)
    jobs = plan(many.inputs, folder, kind)
    if counterparts is not None:
        jobs = with_counterparts(jobs, counterparts)
    own = [options_of(args.options, parser, job.path, one.taken, many.common) for job in jobs]
    jobs = [replace(job, options=each) for job, each in zip(jobs, own, strict=True)]
    for pattern in unmatched(args.options, [job.path for job in jobs]):
        hint = nearby_name(pattern, [job.path for job in jobs])
        note = f'["{pattern}"] is the name of no model here{hint}'
        print_note(f"{parser.prog.split()[0]}: {args.options}: {note}")
    bundles = bundles_of(many.inputs, folder)
    for bundle in bundles:
        jobs = [_with_weights(job, bundle.weights(job.path)) for job in jobs]
    refused = _refused(many, one, jobs)
    command = parser.prog.split()[0]
    batch = Batch(
        command,
        jobs,
        folder,
        many.common,
        getattr(args, "jobs", None) or 1,
        args.resume,
        args.keep_going is not False,
        args.summary,
        kind,
        getattr(args, "scheduler", None),
        bool(args.output_dir),
        refused,
    )
    batch.check()
    with ProgressBar(command, len(jobs), wanted=not args.quiet) as bar:
        summary = run_batch(batch, partial(_run_one, one, many), bar)
    if batch.index is not None and not args.quiet:
        print_note(f"{command}: wrote {batch.index}")
    failed = sum(outcome.failed for outcome in summary.outcomes.values())
    for bundle in bundles if not failed and not one.kinds else ():
        bundle.finish()
    if not args.quiet:
        print_result(summary.table(get_terminal_size().columns if sys.stdout.isatty() else None))
        if one.checks:
            count = f"{failed} of {len(jobs)}" if failed else f"{len(jobs)}"
            print_result(verdict(not failed, f"{count} models"))
    return int(failed > 0)


def _refused(many: ManyModels, one: OneModel, jobs: "Sequence[Job]") -> "dict[Job, str]":
    """Return the models whose own options are mistakes, with the reasons. Raises `UsageError` if no
    model is left, or if the first mistake ends the batch."""
    found: dict[Job, str] = {}
    for job in jobs if many.args.options else jobs[:1]:
        try:
            one.parse([*job.options, *many.common, *one.words(job)])
        except UsageError as e:
            found[job] = str(e)
    if found and (
        many.args.keep_going is False or not many.args.options or len(found) == len(jobs)
    ):
        job, reason = next(iter(found.items()))
        about = f"{job.path}: " if job.options and job.path not in reason else ""
        raise UsageError(f"{about}{reason}")
    return found


def _with_weights(job: "Job", weights: str | None) -> "Job":
    return job if weights is None else replace(job, options=(*job.options, "--weights", weights))


def _run_one(one: OneModel, many: ManyModels, job: "Job") -> Figures:
    args = one.parse([*job.options, *many.common, *one.words(job)])
    with quiet(args.quiet):
        if not one.checks:
            return one.run(args)
        with recording(job.output, many.args.output_dir is None):
            figures = one.run(args)
            print(verdict(True, job.path))
            return figures


@contextmanager
def recording(path: str, print_failure: bool) -> Generator[None]:
    """Write what the block prints to a file; if it raises, print it, too, if wanted."""
    text = StringIO()
    try:
        with redirect_stdout(text), redirect_stderr(text):
            yield
    except USER_ERRORS as e:
        if print_failure:
            sys.stdout.write(text.getvalue())
        text.write(f"{verdict(False, describe(e, ''))}\n")
        raise
    finally:
        write_file(path, text.getvalue())
