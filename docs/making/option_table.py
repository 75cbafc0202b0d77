"""The table of options in docs/options.md, from the parsers of the commands:

python docs/making/option_table.py
"""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ncnn_opt.tools import (
    arguments,
    ncnn_compile_main,
    ncnn_device_main,
    ncnn_export_main,
    ncnn_reduce_main,
    ncnn_report_main,
    ncnn_run_main,
)
from ncnn_opt.tools.proof_options import pdl_parser
from ncnn_opt.tools.quantize.command_parsers import PARSERS
from ncnn_opt.tools.spellings import OLD

PAGE = Path(__file__).parents[1] / "options.md"

MEANINGS = {
    "--audit=run": "the same; a model whose run cannot be audited fails",
    "--certificate": "prove each rewrite, and write the proofs, with hashes of both models",
    "--help-all": "show the help with all options",
    "--remarks=json": "print a JSON object for each rewrite",
    "--stop-after": "omit the passes after this one, or all rewrites after so many",
    "-O": "run the passes of `ncnn-opt -O`",
    "--data": "the samples, as arrays",
    "--device": "the kind of processor that the runtime uses, or whose layers are listed: `vulkan`",
    "--for-ncnn": "the release of ncnn that the result must run on, or that is asked about",
    "--help": "show the help",
    "--html": "write the result also as a page",
    "--input": "the values of an input",
    "--input-shape": "the shape of an input, outermost extent first",
    "--jobs": "the number of parallel processes",
    "--keep-going": "go on after an error: with the other models, or to write what was found wrong",
    "--method": "the method that chooses the integers: of scales, or of weights in blocks",
    "--min-snr": "the least signal-to-noise ratio of an output, in dB",
    "--on-device": "measure on this device (`ssh://`, `adb://`, `local`), by its address",
    "--output": "the file for the result",
    "--output-file": "the file for the result",
    "--output-kind": "the kind of files in the folder of `--output-dir`",
    "--output-table": "also write the scales as a table",
    "--output-weights": "the file for the weights of the result",
    "--passes": "a pipeline: `pass,pass{key=value}`",
    "--pnnx": "the `.pnnx.param` of the model, from which layers that ncnn lacks are rebuilt",
    "--print-pipeline": "print the passes in the syntax of `-p`, and exit",
    "--prove-pdl": "prove the patterns of a PDL file, and exit",
    "--python": "a Python interpreter in whose environment the runtime is",
    "--remarks": "print a line for each decision",
    "--repeat": "the number of timed runs",
    "--report": "write a report of the run",
    "--samples": "the number of samples",
    "--scheduler": "work over a dask.distributed scheduler",
    "--seed": "the seed of random inputs",
    "--storage": "the type of float weights in the result",
    "--table": "the table of scales to read",
    "--tolerance": (
        "the largest error of a blob, relative to its largest value; the default depends on "
        "what is compared"
    ),
    "--trace": "write the times as a trace, for Perfetto",
    "--weight-method": "the method that chooses the scales of weights",
    "--weights": "the weights of the model that is read",
}
"""The meanings of options whose commands describe them in different words."""


class Option(NamedTuple):
    """An option of a command."""

    command: str
    spellings: tuple[str, ...]
    takes_value: bool
    help: str


def parsers() -> Iterator[argparse.ArgumentParser]:
    """Yield the parsers of all commands, with those of subcommands."""
    yield arguments.make_parser()
    yield pdl_parser()
    for module in (
        *(ncnn_compile_main, ncnn_device_main, ncnn_export_main),
        *(ncnn_reduce_main, ncnn_report_main, ncnn_run_main),
    ):
        yield module.make_parser()
    for make in PARSERS.values():
        yield make()


def options() -> dict[str, list[Option]]:
    """Return the uses of each option, by its long spelling."""
    found: dict[str, list[Option]] = {}
    for parser in parsers():
        command = parser.prog.split()[0]
        for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
            spellings = tuple(s for s in action.option_strings if not s.startswith("--no-keep"))
            if spellings:
                text = " ".join((action.help or "").split()).replace("%%", "%")
                use = Option(command, spellings, action.nargs != 0, text)
                found.setdefault(spellings[-1], []).append(use)
    return found


def meaning(name: str, uses: list[Option]) -> str:
    """Return the meaning of an option: the words that all its commands have, or ours."""
    if name in MEANINGS:
        return MEANINGS[name]
    words = {use.help for use in uses}
    if len(words) > 1:
        raise ValueError(f"{name} is described in different words: {sorted(words)}")
    text = words.pop()
    text = re.split(r"(?:; | \(may be given|\. | \(%\()", text)[0]
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").rstrip(".:")


def rows() -> list[str]:
    """Return the lines of the table of options."""
    lines = ["| option | meaning | commands |", "| --- | --- | --- |"]
    for name, uses in sorted(options().items(), key=lambda item: item[0].lower()):
        commands = list(dict.fromkeys(use.command for use in uses))
        everywhere = len(commands) == len({p.prog.split()[0] for p in parsers()})
        short = dict.fromkeys(s for use in uses for s in use.spellings[:-1])
        spelled = ", ".join(f"`{s}`" for s in [*short, name])
        where = "all" if everywhere else ", ".join(f"`{c}`" for c in sorted(commands))
        lines.append(f"| {spelled} | {meaning(name, uses)} | {where} |")
    return lines


def old_rows() -> list[str]:
    """Return the lines of the table of former spellings."""
    lines = ["| command | old | now |", "| --- | --- | --- |"]
    for command, names in OLD.items():
        lines += [f"| `{command}` | `{old}` | `{new}` |" for old, new in names.items()]
    return lines


def replaced(page: str) -> str:
    """Return the page with the present tables."""
    for name, lines in (("options", rows()), ("old spellings", old_rows())):
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        text = "\n".join([begin, *lines, "", end])
        pattern = re.escape(begin) + ".*" + re.escape(end)
        page = re.sub(pattern, lambda _, text=text: text, page, flags=re.DOTALL)
    return page


if __name__ == "__main__":
    PAGE.write_text(replaced(PAGE.read_text()))
