"""The command line of `ncnn-opt`, parsed and checked. This module imports no dialect and no
pattern, so that help and error messages are fast."""

import os
import sys
from argparse import Namespace
from collections.abc import Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from xdsl.passes import ModulePass

from ..dialects.xdsl_extras.spelling import nearest
from ..driver.errors import UsageError
from ..driver.pipelines import (
    known_release,
    limited,
    named_passes,
    optimizing,
    parse_input_shapes,
    passes_in,
    stopped_after,
)
from ..driver.requests import TOLERANCE, Request, check_output, writes_text
from ..formats.file_names import companion_of, weights_beside
from ..targets import targets
from ..targets.atomic_files import check_writable
from ..targets.options import MlirOptions, WeightStyle
from ..targets.output_checks import check_unread
from ..transforms import OPTIMIZE, REPAIR
from .arguments import MEASURE, OPTIMIZATION, make_parser, split_passes, unknown_option
from .parsers import check_single, check_used, names, reading_options
from .pass_options import (
    expanded,
    float16_request,
    interpolated,
    names_with_shapes,
    with_model_options,
)
from .spellings import translated


class CommandLine(NamedTuple):
    """A checked command line."""

    request: Request
    quiet: bool
    print_pipeline: bool

    @staticmethod
    def of(arguments: Sequence[str]) -> "CommandLine":
        """Parse a command line. Raises `UsageError` and `OutputError`; exits after `--help`."""
        parser = make_parser()
        options = parser._option_string_actions  # pyright: ignore[reportPrivateUsage]
        parts, rest = split_passes(translated(arguments), options)
        args, unknown = parser.parse_known_args(rest)
        further = take_joined(args, unknown)
        further += [path for path, _ in interpolated(args)]
        further += [path for _, path in expanded(args)]
        check_further(further, args)
        args.further_inputs = further
        args.splits = bool(args.split_at or args.split_size or args.split)
        unknown = [word for word in unknown if args.join is None or word.startswith("-")]
        if unknown and not unknown[0].startswith("-"):
            raise UsageError(too_many(unknown[0]))
        if unknown:
            raise unknown_option(unknown[0], parser)
        pipeline: list[ModulePass] = []
        named: set[str] = set()
        for part in parts:
            if part == OPTIMIZATION:
                pipeline += optimizing(args.for_ncnn)
            else:
                pipeline += (passes := passes_in(part))
                named |= {each.name for each in passes}
        if (args.tune == MEASURE) != bool(args.on):
            raise UsageError(f"--tune {MEASURE} and --on-device ADDRESS belong together: give both")
        args.for_ncnn = None if args.for_ncnn is None else known_release(args.for_ncnn)
        wants = args.optimize or args.check or args.dynamic or args.fix_shapes
        wants = wants and args.certificate is None  # which depends on the named files only
        args.pnnx, found = companion_of(args.input_file if wants else None, args.pnnx)
        pipeline = complete(pipeline, args)
        check_output(args.output_file, args.target)
        check_beside(args)
        if args.weights == "none" and args.output_weights is not None:
            raise UsageError("--weights none leaves no weights for --output-weights")
        check_trust_options(args)
        if args.share_weights is not None:
            os.stat(args.share_weights)
            if writes_text(args.output_file) or args.splits:
                raise UsageError("--share-weights needs -o NAME.param, and no parts")
        check_single(args, keeps_going=True)
        if args.input_file is not None and os.path.isdir(args.input_file):
            raise UsageError(f"'{args.input_file}' is a folder: --output-dir DIR takes its models")
        if args.input_file is None and not args.print_pipeline and sys.stdin.isatty():
            raise UsageError("there is no INPUT; - reads IR from the terminal")
        named -= {*OPTIMIZE} if args.optimize else set()
        request = make_request(args, pipeline, named, found)
        return CommandLine(request, args.quiet, args.print_pipeline)


def take_joined(args: Namespace, words: Sequence[str]) -> list[str]:
    """Return the models that are joined behind the input, among words that no option took. Raises
    `UsageError`, and `OSError` for a missing manifest or model."""
    args.joined_inputs = ()
    if args.join is None:
        return []
    models = [] if args.input_file is None else [args.input_file]
    models += [text for text in args.join if text and "=" not in text]  # `--join b.param`
    args.join = [text for text in args.join if "=" in text]
    models += [word for word in words if not word.startswith("-")]
    from ..driver.parts import parts_in

    parts = parts_in(models)
    if len(parts.files) < 2:
        raise UsageError("--join takes two models or more: a.param b.param --join -o ab.param")
    os.stat(parts.files[0])
    args.joined_inputs = parts.inputs
    args.input_file = parts.files[0]
    return list(parts.files[1:])


def check_further(models: Sequence[str], args: Namespace) -> None:
    """Raises `OSError` for a missing model, and `OutputError` if the result would replace one."""
    for path in models:
        os.stat(path)
    read = [file for path in models for file in (path, weights_beside(path))]
    for path in filter(None, (args.output_file, args.output_weights)):
        check_unread(path, read)


def check_beside(args: Namespace) -> None:
    """Raises `UsageError`, `OutputError` and `OSError` for files that cannot be written beside the
    model."""
    read = [path for path in (args.input_file, args.weights, args.pnnx, args.like) if path]
    for path in filter(None, (args.trace, args.crash_reproducer)):
        check_unread(path, [*read, *filter(None, [args.output_file])])
        check_writable(path)


def check_trust_options(args: Namespace) -> None:
    """Raises `UsageError` for options without effect."""
    verified = args.verify_equivalence
    check_used(args, verified or args.check, "--verify-equivalence and --check", "seed")
    check_used(args, verified, "--verify-equivalence", "samples")
    check_used(args, args.check, "--check", "device")
    check_used(args, verified, "--verify-equivalence", "tolerance")
    check_used(args, False, "--audit", "audit_limit")  # that command line is parsed elsewhere
    if args.certificate is not None or args.counterexample is not None:
        check_proof_options(args)


def check_proof_options(args: Namespace) -> None:
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


def complete(pipeline: list[ModulePass], args: Namespace) -> list[ModulePass]:
    """Return the pipeline with the passes of options. Raises `UsageError`."""
    if args.optimize:
        pipeline = limited(pipeline, args.storage)
    repairs = named_passes(REPAIR if args.pnnx is not None else ())
    pipeline = [*repairs, *with_model_options(pipeline, args)]
    stop: int | str | None = args.stop_after
    return stopped_after(pipeline, stop) if isinstance(stop, str) else pipeline


def make_request(
    args: Namespace, pipeline: Sequence[ModulePass], named: Set[str], found: bool
) -> Request:
    """Return the request of parsed options. `named` are the passes that the user named; `found`:
    whether PNNX's IR was found beside the model. Raises `UsageError`."""
    reading = replace(
        reading_options(args, args.weights),
        implicit_module=not args.no_implicit_module,
        allow_unregistered=args.allow_unregistered_dialect,
        verify=not args.disable_verify,
    )
    return Request(
        input_file=None if args.input_file == "-" else args.input_file,
        output_file=args.output_file,
        passes=pipeline,
        reading=reading,
        to_text=writes_text(args.output_file),
        output_weights=args.output_weights,
        frontend=args.frontend,
        target=args.target,
        printing=printing_options(args),
        optimize=args.optimize,
        named_passes=named,
        pnnx=args.pnnx,
        like=args.like,
        like_shapes=parse_input_shapes(args.like_shape, "--other-shape"),
        dynamic=bool(args.dynamic),
        for_ncnn=args.for_ncnn,
        on=args.on,
        max_rewrites=args.stop_after if isinstance(args.stop_after, int) else None,
        verification="never" if args.disable_verify else "each" if args.verify_each else "end",
        fold_limit=args.fold_limit,
        remarks=args.remarks,
        time_passes=args.time_passes,
        statistics=args.statistics,
        print_after_rewrite=names(args.print_after_rewrite),
        print_between_passes=args.print_between_passes,
        print_after_change=args.print_after_change,
        print_after=printed_after(args.print_after, pipeline),
        print_to_dir=args.print_to_dir,
        trace=args.trace,
        verify_equivalence=args.verify_equivalence,
        seed=args.seed or 0,
        samples=args.samples or 1,
        tolerance=TOLERANCE if args.tolerance is None else args.tolerance,
        missed=args.missed,
        check=args.check,
        device=args.device,
        verify_rewrites=args.verify_rewrites,
        certificate=args.certificate,
        counterexample=args.counterexample,
        split_input_file=args.split_input_file,
        parsing_diagnostics=args.parsing_diagnostics,
        verify_diagnostics=args.verify_diagnostics,
        float16=float16_request(args),
        verify_roundtrip=args.verify_roundtrip,
        crash_reproducer=args.crash_reproducer,
        pnnx_found=found,
        keep_going=bool(args.keep_going),
        given_shapes=names_with_shapes(args),
        further_inputs=args.further_inputs,
        splits=args.splits,
        share_weights=args.share_weights,
        takes_shapes=bool(args.check or args.fix_shapes) and args.pnnx is not None,
    )


def printed_after(values: Sequence[str], pipeline: Sequence[ModulePass]) -> list[str]:
    """Return the passes of `--print-after`. Raises `UsageError` for one that does not run."""
    found, run = names(values), list(dict.fromkeys(each.name for each in pipeline))
    for name in found:
        if name not in run:
            hint = nearest(name, run)
            raise UsageError(f"--print-after: the pipeline has no pass '{name}'{hint}")
    return found


def printing_options(args: Namespace) -> MlirOptions:
    """Return the options of printing IR. Large weights are not printed on a terminal."""
    to_terminal = args.output_file is None and sys.stdout.isatty()
    style = WeightStyle.ELIDE if args.elide_weights or to_terminal else WeightStyle.REFERENCE
    return MlirOptions(
        WeightStyle.INLINE if args.inline_weights else style,
        args.print_op_generic,
        args.print_no_properties,
        args.print_debuginfo,
        args.syntax_highlight,
    )


def too_many(path: str) -> str:
    """Return the message for a second input."""
    if any(path.endswith(f".{kind}") for kind in targets()):
        return f"'{path}' is one input too many: -o writes it, and --output-dir takes several"
    return f"'{path}' is one input too many; several need --output-dir"
