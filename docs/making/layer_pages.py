"""The pages of layers, made of their declarations: parameters, weights, shapes, and the IR of a
layer of the round-trip tests."""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from ncnn_opt.dialects.ncnn import LAYERS
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.dialects.ncnn.params import DerivedParam, Param, ParamKind
from ncnn_opt.driver.errors import USER_ERRORS
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from ncnn_opt.targets.mlir.ir_printer import print_module
from ncnn_opt.targets.options import MlirOptions, WeightStyle

ROOT = Path(__file__).parents[2]
CASES = ROOT / "tests" / "differential" / "roundtrip.txt"
OWN_LINES = re.compile(r"^(Shapes|Parameters|Example|Source): ", re.MULTILINE)
_EXTENTS = {1: (0,), 2: (1, 0), 3: (2, 1, 0), 4: (2, 11, 1, 0)}
_KINDS = {
    ParamKind.INT: "int",
    ParamKind.FLOAT: "float",
    ParamKind.INTS: "ints",
    ParamKind.FLOATS: "floats",
    ParamKind.STR: "string",
}

AXES = {"w": "w, the width", "h": "h, the height", "d": "d, the depth"}
EXTENTS = ("w", "h", "d", "c")
"""The names whose meaning a layer's own description gives, if it gives one."""
BY_AXIS = {
    "kernel": "The extent of the window along {}.",
    "stride": "The distance between windows along {}.",
    "dilation": "The distance between a window's elements along {}.",
    "output": "The requested output extent along {}, for SAME pads; 0: none.",
    "out": "The requested output extent along {}.",
}
"""The meanings of names that end with an axis."""
BY_NAME = {
    "The padding on this side; -233 and -234: SAME, the odd element after or before.": (
        "pad_left pad_right pad_top pad_bottom pad_front pad_behind"
    ),
    "Extra output elements on this side.": ("output_pad_right output_pad_bottom output_pad_behind"),
    "The elements added on this side.": "top bottom left right front behind",
    "The number of channel groups.": "group",
    "The axis, counted from the outermost; negative: from the innermost.": "axis",
    "The axes, counted from the outermost; negative: from the innermost.": "axes",
    "`{}` in the formula above.": (
        "alpha beta scale shift base power slope threshold lambd bias coeff b gamma min max"
    ),
    "The extent along this axis; 0: unknown.": "w h c d",
    "Elements cut off before the box along this axis.": "woffset hoffset doffset coffset",
    "Elements cut off after the box along this axis.": "woffset2 hoffset2 doffset2 coffset2",
    "The largest extent of the box; -233: no limit.": "outw outh outd outc",
    "The first element of the box along each axis; negative: from the end.": "starts",
    "The element after the box along each axis; negative: from the end.": "ends",
    "A list of expressions on extents, in place of the parameter without `_expr`.": (
        "starts_expr ends_expr axes_expr"
    ),
    "The number of bins along this axis.": "pooled_width pooled_height",
    "The factor of both extents.": "stride upscale_factor",
    "The number of levels.": "pyramid_height",
    "Whether the values are output, too.": "out_max_val",
    "The number of values.": "topk",
    "The factor of each input; empty: 1.": "coeffs",
    "Whether all axes are reduced.": "reduce_all",
    "Whether reduced axes stay with the extent 1.": "keepdims",
    "Whether the second operand is the scalar `b`.": "with_scalar",
    "The value of the padding.": "value",
    "Whether the axis is dropped if its extent is 1.": "squeeze_w squeeze_h squeeze_c squeeze_d",
    "The order of the axes: the index of a permutation, in ncnn's order.": "order_type",
    "The sides of boxes, in pixels.": "min_sizes max_sizes",
    "The ratios of width and height of further boxes.": "aspect_ratios",
    "Whether each ratio is also used as its inverse.": "flip",
    "The extent of the image in pixels.": "image_width image_height",
    "The pixels per cell of the feature map.": "step_width step_height",
    "The factor of this extent.": "height_scale width_scale",
    "The output extent; 0: from the factor.": "output_height output_width",
    "Whether the operation is the inverse one.": "reverse",
    "The number of classes.": "num_class",
    "The number of output channels.": "output_dim",
    "The number of adjacent elements in memory.": "out_elempack",
    "Whether standard deviations follow the means.": "include_stddev",
    "Whether this matrix is a weight.": "constantA constantB constantC",
    "The extent of constants; 0: not known.": "constantM constantN constantK",
    "Whether the output is transposed.": "output_transpose",
    "The size of a tile; 0: chosen by the runtime.": (
        "constant_TILE_M constant_TILE_N constant_TILE_K"
    ),
    "The number of heads.": "num_heads",
    "Whether the tanh approximation is computed.": "fast_gelu",
    "The variance of an offset.": "variance_0 variance_1 variance_2 variance_3",
}
"""The meanings of names that several layers share."""


def layer_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the text of each page: an index by family, and a page for each layer."""
    families: dict[str, list[type[LayerOp]]] = {}
    for cls in LAYERS:
        families.setdefault(cls.__module__.rpartition(".")[2], []).append(cls)
    lines = ["# All layers", "", "The operations of the `ncnn` dialect, by family."]
    pages: dict[str, str] = {}
    for family, classes in sorted(families.items()):
        words = (sys.modules[classes[0].__module__].__doc__ or "").strip().split("\n\n")[0]
        lines += ["", f"## {family.capitalize()}", "", " ".join(words.split()), ""]
        lines += ["| layer | |", "| --- | --- |"]
        for cls in sorted(classes, key=lambda cls: cls.LAYER_TYPE):
            pages[f"layers/{cls.LAYER_TYPE}.md"] = layer_page(cls)
            first = parts_of(cls)[""].split("\n\n")[0]
            lines.append(f"| [{cls.LAYER_TYPE}]({cls.LAYER_TYPE}.md) | {_cell(first)} |")
    yield "layers/index.md", "\n".join(lines) + "\n"
    yield from pages.items()


def layer_page(cls: type[LayerOp]) -> str:
    """Return the page of a layer."""
    parts = parts_of(cls)
    text = [f"# {cls.LAYER_TYPE}", parts[""], f"Operation: `{cls.name}`."]
    sources = [f"src/layer/{cls.LAYER_TYPE.lower()}.cpp"]
    if "Source" in parts:
        sources += parts["Source"].rstrip(".").split(", ")
    text.append(f"Source: `{'`, `'.join(sources)}`.")
    text += ["## Shapes", shapes_of(cls)]
    text += ["## Parameters", *_table("id name kind default meaning".split(), parameter_rows(cls))]
    if cls.WEIGHTS:
        head = ["name", "in the `.bin`", "present", "meaning"]
        text += ["## Weights", "In the order of the `.bin`.", *_table(head, weight_rows(cls))]
    if (example := example_of(cls.LAYER_TYPE)) is not None:
        line, ir = example
        text += ["## Example", f"```text\n{line}\n```", "as IR:", f"```mlir\n{ir}\n```"]
    return "\n\n".join(text) + "\n"


def shapes_of(cls: type[LayerOp]) -> str:
    """Return the shapes of a layer, which its docstring has, or that of a base."""
    return next(parts["Shapes"] for parts in map(parts_of, cls.mro()) if "Shapes" in parts)


def parts_of(cls: type) -> Mapping[str, str]:
    """Return the labelled parts of a layer's docstring, and the part before them as ``."""
    doc = inspect.cleandoc(cls.__doc__ or "")
    pieces = OWN_LINES.split(doc)
    named = zip(pieces[1::2], pieces[2::2], strict=True)
    return {"": pieces[0].strip(), **{k: " ".join(v.split()) for k, v in named}}


def parameter_rows(cls: type[LayerOp]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table of parameters, by id; shared ones come last."""
    known, said = meanings(cls), parts_of(cls).get("Parameters", "")
    own = [(name, p) for name, p in cls.PARAMS.items() if p.id < 30]
    shared = [(name, p) for name, p in cls.PARAMS.items() if p.id >= 30]
    for name, param in sorted(own, key=lambda pair: pair[1].id) + sorted(
        shared, key=lambda pair: pair[1].id
    ):
        kind = _KINDS[param.kind] if isinstance(param, Param) else "int"
        yield (
            str(param.id),
            f"`{name}`",
            kind,
            default_words(param),
            meaning(name, param, known, said),
        )


def default_words(param: Param | DerivedParam) -> str:
    """Return the default of a parameter as text."""
    if isinstance(param, DerivedParam):
        return str(param.default)
    if not callable(param.default):
        value = param.default
        return f"{value:g}" if isinstance(value, int | float) else "empty"

    class Asked:
        name = "computed"

        def __getattr__(self, name: str) -> object:
            self.__class__.name = f"as `{name}`"
            raise LookupError

    try:
        param.default(Asked())
    except LookupError:
        inner = inspect.getclosurevars(param.default).nonlocals
        return Asked.name if "name" in inner else f"from {Asked.name.removeprefix('as ')}"
    return Asked.name


def meaning(name: str, param: Param | DerivedParam, known: Mapping[str, str], said: str) -> str:
    """Return the meaning of a parameter: its description, or its words in the list `said`, or its
    meaning in all layers; and the words of an enumeration."""
    own = _in_words(name, said) if name in EXTENTS else ""
    words = known.get(name) or own or shared_meaning(name) or _in_words(name, said)
    if isinstance(param, Param) and param.names:
        words = known.get(name, "")
        values = ", ".join(f"{i} {word}" for i, word in enumerate(param.names))
        words = f"{words} ({values})" if words else values
    return words


def _in_words(name: str, said: str) -> str:
    """Return the words in brackets after a name, or after a list of names with it."""
    match = re.search(rf"\b{name}\b(?:, [a-z](?=[,)])| and \w+|, [wdhc]\b)* \(([^()]*)\)", said)
    return "" if match is None else f"{match[1][0].upper()}{match[1][1:]}."


def shared_meaning(name: str) -> str:
    """Return the meaning that a name has in all layers; empty for other names."""
    stem, _, axis = name.rpartition("_")
    if axis in AXES and stem in BY_AXIS:
        return BY_AXIS[stem].format(AXES[axis])
    for words, names in BY_NAME.items():
        if name in names.split():
            return words.format(name)
    return ""


def meanings(cls: type[LayerOp]) -> dict[str, str]:
    """Return the descriptions of a layer's fields: the strings below their declarations, in the
    class and its bases, and the docstrings of derived parameters."""
    found: dict[str, str] = {}
    for base in reversed(cls.mro()):
        if base.__module__.startswith("ncnn_opt.dialects.ncnn"):
            found.update(_field_docs(base))
    for name, param in cls.PARAMS.items():
        if isinstance(param, DerivedParam) and param.fget is not None:
            found[name] = " ".join((param.fget.__doc__ or "").split())
    return found


@cache
def _field_docs(cls: type) -> Mapping[str, str]:
    body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    found: dict[str, str] = {}
    statements = body.body if isinstance(body, ast.ClassDef) else []
    for statement, below in zip(statements, statements[1:], strict=False):
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            targets = statement.targets if isinstance(statement, ast.Assign) else []
            for target in targets:
                if isinstance(target, ast.Name) and isinstance(below.value.value, str):
                    found[target.id] = " ".join(below.value.value.split())
    return found


def weight_rows(cls: type[LayerOp]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table of weights."""
    known = meanings(cls)
    for name, slot in cls.WEIGHTS.items():
        stored = "a tag, then float32, float16" if slot.tagged else "float32"
        if slot.quantized_by is not None and slot.quantized_by in cls.PARAMS:
            stored += f"; integers if `{slot.quantized_by}` is set"
        when = "depends on the parameters" if name in cls.OPTIONAL_WEIGHTS else "always"
        words = known.get(name, "positive" if slot.positive else "")
        yield f"`{name}`", stored, when, words


@cache
def _cases() -> Mapping[str, str]:
    """Return the first line of the round-trip tests for each layer type."""
    found: dict[str, str] = {}
    for line in CASES.read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            found.setdefault(line.split()[0], line)
    return found


def example_of(layer_type: str) -> tuple[str, str] | None:
    """Return a line of a `.param` and its IR."""
    if layer_type not in _cases():
        return None
    head, *rest = (part.strip() for part in _cases()[layer_type].split("|"))
    _, *shapes = head.split()
    outputs = int(rest[1]) if len(rest) > 1 else 1
    bottoms = [f"x{i}" if len(shapes) > 1 else "x" for i in range(len(shapes))]
    tops = [f"y{i}" if outputs > 1 else "y" for i in range(outputs)]
    lines = [_input(*pair) for pair in zip(bottoms, shapes, strict=True)]
    words = [layer_type, "layer", len(bottoms), len(tops), *bottoms, *tops, rest[0] if rest else ""]
    line = " ".join(map(str, words)).strip()
    text = "\n".join(["7767517", f"{len(lines) + 1} {len(bottoms) + len(tops)}", *lines, line, ""])
    try:
        module, _ = import_param(text.encode(), "example", ReadOptions(weights="random"))
    except USER_ERRORS:
        return None
    name = model_of(module).body.block.last_op
    ir = print_module(module, MlirOptions(WeightStyle.ELIDE)).splitlines()
    shown = [each.strip() for each in ir if re.search(r"= ncnn\.|^\s*ncnn\.", each)]
    return (line, "\n".join(shown)) if name is not None and shown else None


def _input(name: str, shape: str) -> str:
    extents = shape.split("x")
    given = zip(_EXTENTS[len(extents)], extents, strict=True)
    return f"Input {name} 0 1 {name} " + " ".join(f"{id}={n}" for id, n in given)


def _table(head: Iterable[str], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = [list(head), ["---"] * len(list(head)), *rows]
    return ["\n".join("| " + " | ".join(map(_cell, cells)) + " |" for cells in lines)]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
