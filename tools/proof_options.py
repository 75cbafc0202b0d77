"""`ncnn-opt --check-certificate` and `ncnn-opt --prove-pdl`.

Neither optimizes a model, so each has a parser of its own. `ncnn_opt_main.py` imports this module
only for these two options.
"""

import sys
from collections.abc import Sequence

from ..driver.errors import UsageError
from ..driver.messages import print_result, quiet
from ..formats.verdicts import verdict
from .parsers import Parser, add_options

PDL = """
  --prove-pdl FILE  a file with patterns in MLIR's PDL
  --layers-of MODEL...  prove at the layers of this model, too (may be given several times)
"""


def run_check(arguments: Sequence[str]) -> None:
    """Check a certificate, and print a summary. Raises one of `USER_ERRORS`."""
    parser = Parser("ncnn-opt", "Check the certificate of a run.")
    names = ("CERTIFICATE", "INPUT", "OUTPUT")
    parser.add_argument("--check-certificate", nargs=3, metavar=names, required=True)
    parser.add_argument("--weights", metavar="FILE", help="the weights of INPUT")
    args, unknown = parser.parse_known_args(arguments)
    if unknown:
        raise UsageError(f"--check-certificate does not take '{unknown[0]}'")
    from ..driver.certificates import check_certificate

    path, model, result = args.check_certificate
    with quiet():
        summary = check_certificate(path, model, result, args.weights)
    print_result(verdict(True, f"{path}: valid; {summary}"))


def pdl_parser() -> Parser:
    """Return the parser of `--prove-pdl`."""
    parser = Parser("ncnn-opt", "Prove patterns in MLIR's PDL.")
    add_options(parser, PDL, prove_pdl={"required": True})
    return parser


def run_pdl(arguments: Sequence[str]) -> None:
    """Prove the patterns of a PDL file, and print a line for each. Exit with status 1 unless each
    is proven. Raises one of `USER_ERRORS`."""
    args, unknown = pdl_parser().parse_known_args(arguments)
    if unknown:
        raise UsageError(f"--prove-pdl does not take '{unknown[0]}'")
    from ..driver.pdl_proofs import prove_file

    results = prove_file(args.prove_pdl, args.layers_of)
    for result in results:
        print_result(str(result))
    count = sum(result.is_proven for result in results)
    proven = count == len(results)
    print_result(verdict(proven, f"{count} of {len(results)} patterns are proven"))
    if not proven:
        sys.exit(1)
