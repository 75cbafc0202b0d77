"""`ncnn-opt`: the command. The compiler is imported after the command line is checked."""

import os
import sys
from collections.abc import Sequence

from ..driver.messages import print_note, print_notes, print_result, quiet, shows_text
from ..formats.verdicts import verdict
from .process import Command, expect_a_model, print_version, running, set_up
from .spellings import in_new_spelling

PROOFS = ("--check-certificate", "--prove-pdl")
"""The options that prove something instead of writing a model."""

OTHER_WORK = frozenset({"--output-dir", "--options", "--check", "--audit", *PROOFS})
"""The options that may ask for other work than a run on one model with the words of the command
line: many models, an audit, a proof, a file of options."""


def proof_mode(arguments: Sequence[str]) -> str | None:
    """Return the first option of `PROOFS` that is given."""
    return next((a.partition("=")[0] for a in arguments if a.partition("=")[0] in PROOFS), None)


def answer(arguments: Sequence[str]) -> str:
    """Return the text for `--help`, `--help PASS`, `--list-passes` or `--show-dialects`."""
    from ..driver.help_page import PAGE, wants_page

    if wants_page(arguments):
        return PAGE
    from ..driver.pass_help import answer

    return answer(arguments) or PAGE


def other_work(arguments: Sequence[str], process: Command) -> Sequence[str] | None:
    """Do the work of options in `OTHER_WORK`. Return the words of a run on one model if they ask
    for one after all, with those of a file of options; else `None`. Exits with the status of many
    models and of an audit. Raises one of `USER_ERRORS`."""
    from .arguments import make_parser
    from .audit_option import TAKEN, Auditing, is_audit
    from .batch import is_batch, run_many, with_options

    if not {"--check", "--audit", "--audit=run"}.isdisjoint(arguments):
        from .checking_many import check_of_many

        parser = make_parser()
        if (check := check_of_many(parser, arguments)) is not None:
            sys.exit(run_many(parser, arguments, check))
    if is_batch(arguments):
        from .optimizing_many import OPTIMIZE_ONE

        sys.exit(run_many(make_parser(), arguments, OPTIMIZE_ONE))
    taken = TAKEN if is_audit(arguments) else None
    arguments = with_options(make_parser, arguments, taken)
    if is_audit(arguments):
        audit = Auditing.of(arguments)
        process.input = audit.path
        sys.exit(not audit.passes(audit.run()))
    if (mode := proof_mode(arguments)) is not None:
        from .proof_options import run_check, run_pdl

        run_check(arguments) if mode == "--check-certificate" else run_pdl(arguments)
        return None
    return arguments


def main(arguments: Sequence[str] | None = None) -> None:
    """The command. Exits with status 1 after one message for a user's mistake."""
    arguments = sys.argv[1:] if arguments is None else arguments
    set_up()
    if "-v" in arguments or "--version" in arguments:
        print_version("ncnn-opt")
        return
    expect_a_model()
    with running("ncnn-opt", arguments) as process:
        if not arguments and sys.stdin.isatty():
            arguments = ["--help"]
        if not {"-h", "--help", "--list-passes", "--show-dialects"}.isdisjoint(arguments):
            print_result(answer(arguments))
            return
        arguments = in_new_spelling("ncnn-opt", arguments)
        if not OTHER_WORK.isdisjoint(word.partition("=")[0] for word in arguments):
            if (arguments := other_work(arguments, process)) is None:
                return
        from .command_line import CommandLine

        command = CommandLine.of(arguments)
        request = command.request
        if command.print_pipeline:
            from ..driver.pipelines import pipeline_text

            print_result(pipeline_text(request.passes))
            return
        if request.input_file is not None:
            os.stat(request.input_file)  # a missing file is reported without further imports

        from ..driver.optimizer import Optimizer

        process.input = request.input_file or "stdin"
        process.checks = request.checks()
        with quiet(command.quiet):
            table = request.optimize and sys.stderr.isatty() and shows_text()
            change = Optimizer(request).optimize()
            print_notes("ncnn-opt", change.lines(table), change.figures())
            if process.checks:
                print_note(f"ncnn-opt: {verdict(True, process.checks)}")
