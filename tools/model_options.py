"""Options of the command line that say what the written model is to be: which part, which outputs,
which storage. Each is a pass, at the place in the pipeline where it belongs."""

import argparse
from collections.abc import Iterable

from ..transforms.convert_storage import STORAGES


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options to a parser."""
    group = parser.add_argument_group("the model that is written")
    group.add_argument(
        "--cut-from",
        metavar="LAYER",
        help="only what depends on this layer; what that reads from outside becomes an input",
    )
    group.add_argument(
        "--cut-to", metavar="LAYER", help="only what this layer needs; its blobs become outputs"
    )
    group.add_argument(
        "--keep-blob",
        metavar="BLOB[,BLOB…]",
        action="append",
        default=[],
        help="an output as well, under its own name (may be given several times)",
    )
    group.add_argument(
        "--storage",
        choices=STORAGES,
        help="how float weights are stored, after all passes; keep: as they are",
    )


def with_model_passes(pipeline: str, args: argparse.Namespace) -> str:
    """The pipeline with the passes of these options: cutting and keeping come before all others,
    storage after them."""
    before: list[str] = []
    bounds = {"from": args.cut_from, "to": args.cut_to}
    if any(name is not None for name in bounds.values()):
        given = [f"{key}={quoted(name)}" for key, name in bounds.items() if name is not None]
        before.append(f"cut-model{{{' '.join(given)}}}")
    blobs = [name for names in args.keep_blob for name in _names(names)]
    if blobs:
        before.append(f"keep-blobs{{names={','.join(map(quoted, blobs))}}}")
    after = [] if args.storage is None else [f"convert-storage{{storage={args.storage}}}"]
    return ",".join([*before, *([pipeline] if pipeline else []), *after])


def quoted(name: str) -> str:
    """A name as the value of an option in a pipeline."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _names(value: str) -> Iterable[str]:
    """The names in `a,b`."""
    return [name for name in value.split(",") if name]
