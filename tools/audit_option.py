"""`ncnn-opt --audit`: its options, and the report.

An audit checks a file from a stranger and writes no model. So it takes few of the options of
`ncnn-opt`, and has a command line of its own.
"""

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..driver.errors import UsageError
from ..driver.messages import print_result
from .parsers import add_options

if TYPE_CHECKING:
    from ..driver.file_audit import Audit

OPTIONS = ("--audit", "--audit=run")
DEFAULT_LIMIT = "2G"
_UNITS = {"": 0, "K": 10, "M": 20, "G": 30}
TAKEN = frozenset(
    {"input_file", "log", "audit", "audit_limit", "quiet", "input_shape", "weights"}
) | {
    "custom_weights",
    "allow_trailing_weights",
}
"""The destinations of the options that an audit takes."""

TABLE = f"""
files from strangers:
  --audit  check a .param and its .bin against the bounds that the runtime does not check, and write
      nothing; exit with status 1 if a bound is violated
  --audit=run  the same; also exit with status 1 if a run cannot be audited, because the shape of an
      input is not known
  --audit-limit BYTES  the largest allocation, as 512M or 4G ({DEFAULT_LIMIT})
"""


def add_audit_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    add_options(
        parser,
        TABLE,
        audit={"action": "store_const", "const": "load"},
        audit_limit=size,
        **{"audit=run": {"dest": "audit", "action": "store_const", "const": "run"}},
    )


def size(text: str) -> int:
    """Return a number of bytes: `4096`, `512M`."""
    match = re.fullmatch(r"([0-9]{1,12})([KMG]?)", text)
    if match is None or int(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"a number of bytes, as 512M or 4G, not '{text}'")
    return int(match[1]) << _UNITS[match[2]]


def is_audit(arguments: Sequence[str]) -> bool:
    """Whether a command line asks for an audit."""
    return not {*OPTIONS}.isdisjoint(arguments) and not {"-h", "--help"} & {*arguments}


class Auditing(NamedTuple):
    """An audit of a file, as a command line asks for it."""

    args: argparse.Namespace

    @staticmethod
    def of(arguments: Sequence[str]) -> "Auditing":
        """Parse a command line. Raises `UsageError`."""
        from .arguments import make_parser, split_passes, unknown_option

        parser = make_parser()
        parts, rest = split_passes(arguments)
        args, unknown = parser.parse_known_args(rest)
        if unknown:
            raise unknown_option(unknown[0], parser)
        other = [n for n, v in vars(parser.parse_args([])).items() if getattr(args, n) != v]
        if extra := sorted({*other} - TAKEN):
            raise UsageError(f"--audit writes nothing and takes no --{extra[0].replace('_', '-')}")
        if parts or args.input_file is None:
            raise UsageError("--audit takes one INPUT and no passes")
        return Auditing(args)

    @property
    def path(self) -> str:
        """The file."""
        return self.args.input_file

    @property
    def quiet(self) -> bool:
        """Whether only errors are printed."""
        return self.args.quiet

    def run(self) -> "Audit":
        """Audit the file, print the report, and return it. Raises one of `USER_ERRORS`."""
        from ..driver.file_audit import audit_file
        from ..driver.pipelines import parse_input_shapes
        from .parsers import reading_options

        args, of_run = self.args, self.args.audit == "run"
        audit = audit_file(
            self.path,
            reading_options(args, args.weights),
            size(DEFAULT_LIMIT) if args.audit_limit is None else args.audit_limit,
            parse_input_shapes(args.input_shape),
        )
        print_result("\n".join(audit.lines(self.path, of_run)))
        return audit

    def passes(self, audit: "Audit") -> bool:
        """Whether a file passes the audit that the command line asks for."""
        return audit.passes(self.args.audit == "run")
