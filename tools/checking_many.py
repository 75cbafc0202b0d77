"""`ncnn-opt --check` and `ncnn-opt --audit` with many models.

Both only read models. So they take several models without `--output-dir`, unlike a batch that
rewrites models.
"""

from collections.abc import Sequence

from ..driver.batch.jobs import Job
from ..driver.errors import UsageError
from ..driver.messages import print_notes
from ..driver.optimizer import Optimizer
from .arguments import split_passes
from .audit_option import TAKEN, Auditing, is_audit
from .batch import Figures, OneModel, is_batch, names_many
from .command_line import CommandLine
from .optimizing_many import parse
from .parsers import Parser
from .spellings import translated

_CHECKING = frozenset(
    {"check", "device", "seed", "for_ncnn", "pnnx", "input_shape", "quiet"}
    | {"weights", "custom_weights", "allow_trailing_weights", "summary", "resume", "options"}
    | {"output_dir", "jobs", "keep_going", "scheduler"}
)
"""The options of a command line that only checks."""


def check_of_many(parser: Parser, arguments: Sequence[str]) -> OneModel | None:
    """Return the check of one of many models, if a command line only checks several models:
    `--audit`, or `--check` without a pass or an edit."""
    options = parser._option_string_actions  # pyright: ignore[reportPrivateUsage]
    parts, rest = split_passes(translated(arguments), options)
    if not names_many(parser, rest, 2) and not is_batch(rest):
        return None
    if is_audit(arguments):
        return AUDIT_ONE
    if "--check" not in rest or parts:
        return None
    words = [word.partition("=")[0] for word in rest if word.startswith("-")]
    given = {options[word].dest for word in words if word in options}
    return CHECK_ONE if given <= _CHECKING else None


def _check(command: CommandLine) -> Figures:
    """Check one model. Raises one of `USER_ERRORS`."""
    change = Optimizer(command.request).optimize()
    print_notes("ncnn-opt", change.lines(), change.figures())
    return {"verdict": "PASSED"}


def _audit(auditing: Auditing) -> Figures:
    """Audit one model. Raises `UsageError` for a violated bound."""
    audit = auditing.run()
    if not auditing.passes(audit):
        raise UsageError("; ".join(map(str, audit.findings or audit.gaps)))
    return {"verdict": "PASSED"}


def _words(job: Job) -> list[str]:
    return ["--", job.path]


CHECK_ONE = OneModel(_check, parse, ("txt",), scheduled=False, checks=True, words=_words)
AUDIT_ONE = OneModel(
    _audit, Auditing.of, ("txt",), scheduled=False, checks=True, taken=TAKEN, words=_words
)
