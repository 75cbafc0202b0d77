"""Options that report, limit and check the work of passes."""

import argparse

from ..driver.errors import UsageError
from ..driver.requests import TOLERANCE
from .parsers import add_options, check_used, count, positive, tolerance

OPTIONS = f"""
what the passes did:
  --remarks  a line on standard error for each rewrite
  --remarks=json  the same, each line a JSON object
  --remarks=missed  print a line for each scale, shift or activation that is not fused into a linear
      layer, with the failed condition
  --stop-after STAGE|N  omit the passes after this stage of -O, or after this pass; with a number,
      apply at most N rewrites of patterns: bisect N to find a wrong rewrite
  --verify-equivalence  run the original model in the ncnn runtime, and the model after each pass;
      if an output differs, exit with status 1 and write nothing
  --check  load and run the result in the ncnn runtime, on random inputs; if that fails, print the
      reason, exit with status 1 and write nothing
  --device  with --check: also print the layers that do not run on a Vulkan device
  --verify-rewrites  prove each rewrite while passes run, for all inputs and weights at small
      extents; if one is wrong, print a counterexample, exit with status 1 and write nothing
  --certificate FILE  the same, and write each rewrite with its proof, and hashes of the model
      before and after it, to this JSON file
  --counterexample DIR  write both models and the inputs of a counterexample into this folder
  --check-certificate CERTIFICATE INPUT OUTPUT  repeat the run of a certificate on INPUT, prove each
      rewrite, and compare the result with OUTPUT
  --prove-pdl FILE  prove the patterns of a PDL file, and exit
  --seed N  the seed of random inputs (0)
  --samples N  the number of random inputs (1)
  --tolerance X  largest error, relative to an output's largest value ({TOLERANCE:g})
"""


def add_trust_options(parser: argparse.ArgumentParser) -> None:
    """Add the options to a parser."""
    remarks = {"dest": "remarks", "action": "store_const"}
    add_options(
        parser,
        OPTIONS,
        remarks={**remarks, "const": "text"},
        stop_after=_last,
        device=("vulkan",),
        seed=count,
        samples=positive,
        tolerance=tolerance,
        **{"remarks=json": {**remarks, "const": "json"}, "remarks=missed": {"dest": "missed"}},
    )


def check_proof_options(args: argparse.Namespace) -> None:
    """Raises `UsageError` for options of proofs that contradict others."""
    if args.counterexample is not None and not (args.verify_rewrites or args.certificate):
        raise UsageError("--counterexample is for --verify-rewrites and --certificate")
    if args.certificate is None:
        return
    if not (args.output_file or "").endswith((".param", ".param.bin")):
        raise UsageError("--certificate needs -o OUTPUT.param")
    for option, given in (
        ("--pnnx", args.pnnx),
        ("--other-export", args.like),
        ("-f", args.frontend),
        ("-t", args.target),
        ("--output-weights", args.output_weights),
        ("--split-input-file", args.split_input_file or None),
        ("--disable-verify", args.disable_verify or None),
        # The changes of these are no rewrites, or cannot be repeated without the device.
        ("--fp16-safe", args.fp16_safe or None),
        ("--on-device", args.on or None),
    ):
        if given is not None:
            raise UsageError(f"--certificate does not go together with {option}")


def check_trust_options(args: argparse.Namespace) -> None:
    """Raises `UsageError` for options without effect."""
    verified = args.verify_equivalence
    check_used(args, verified or args.check, "--verify-equivalence and --check", "seed")
    check_used(args, verified, "--verify-equivalence", "samples")
    check_used(args, args.check, "--check", "device")
    check_used(args, verified, "--verify-equivalence", "tolerance")
    check_used(args, False, "--audit", "audit_limit")  # that command line is parsed elsewhere
    check_proof_options(args)


def _last(text: str) -> int | str:
    return int(text) if text.isdecimal() else text
