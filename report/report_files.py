"""Reports as files, and a short report for notebooks."""

import json
from collections.abc import Mapping, Sequence
from typing import Literal

from xdsl.dialects.builtin import ModuleOp

from ..analysis.shape_inference import infer, set_input_shapes
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape
from ..formats.file_names import weights_beside
from ..formats.markup import Markup, element
from ..targets.atomic_files import write_file
from ..targets.output_checks import check_unread, weights_beside_mlir
from .model import ModelFacts, collect
from .model_comparison import ModelComparison
from .shared_texts import summary
from .structured import comparison_json, model_json
from .text import comparison_text, model_text

ReportKind = Literal["page", "json", "text"]

MOST_LAYERS = 200
"""The largest number of layers that a notebook lists."""
MOST_DRAWN = 1000
"""The largest number of layers whose graph a notebook shows."""
_FRAME = "width:100%;height:520px;border:1px solid #8888"


def facts_of(
    module: ModuleOp,
    path: str,
    notes: Sequence[str] = (),
    shapes: Mapping[str, Shape] | None = None,
    look: bool = False,
) -> ModelFacts:
    """Return the facts of a model without changing it. Infer shapes from `shapes` or from the
    shapes of its inputs. With `look`, include statistics of the weights' values. Raise
    `PassFailedException` for an unknown input name, and `WeightError` for unreadable weights."""
    func = model_of(module.clone())
    infer(func)
    if shapes:
        set_input_shapes(func, shapes)
    return collect(func, path, notes, look)


def save_report(path: str, result: ModelFacts | ModelComparison) -> None:
    """Write a report: a page (`.html`), JSON (`.json`) or text, by the file's suffix. Raise
    `OutputError` if it would replace a model, and `OSError`."""
    models = [result] if isinstance(result, ModelFacts) else [result.before, result.after]
    read = [f(m.path) for m in models for f in (str, weights_beside, weights_beside_mlir)]
    check_unread(path, read)
    text = rendered(kind_of(path), result)
    write_file(path, text.encode(errors="replace").decode())


def is_page(path: str) -> bool:
    """Whether a report with this file name is a page, which shows statistics of weights."""
    return path.lower().endswith((".html", ".htm"))


def kind_of(path: str) -> ReportKind:
    """Return the kind of a report file by its name."""
    return "page" if is_page(path) else "json" if path.lower().endswith(".json") else "text"


def rendered(
    kind: ReportKind, result: ModelFacts | ModelComparison, width: int | None = None
) -> str:
    """Return a report as a page, JSON or text. `width` limits the lines of text."""
    one = isinstance(result, ModelFacts)
    if kind == "page":
        from .page import comparison_page, model_page  # not needed for text

        return model_page(result) if one else comparison_page(result)
    if kind == "json":
        return json.dumps(model_json(result) if one else comparison_json(result), indent=1) + "\n"
    return model_text(result, width) if one else comparison_text(result, width)


def short_html(facts: ModelFacts) -> str:
    """Return the totals of a model, the page of its report (graph and costs) in a frame, and its
    layers in a collapsed section."""
    from .page import model_page  # only notebooks need it

    sums = [
        element("tr", element("th", name), element("td", text)) for name, text in summary(facts)
    ]
    heads = element("tr", *(element("th", head) for head in ("type", "name", "output")))
    rows = [
        element("tr", *(element("td", cell) for cell in (row.type, row.name, _extents(row.shape))))
        for row in facts.rows[:MOST_LAYERS]
    ]
    left = len(facts.rows) - len(rows)
    more = [element("p", f"and {left:,} more")] if left else []
    folded = element("summary", f"{len(facts.rows):,} layers")
    layers = element("details", folded, element("table", heads, *rows), *more)
    page: list[Markup] = []
    if len(facts.rows) <= MOST_DRAWN:
        frame = element("iframe", srcdoc=model_page(facts), style=_FRAME, title="graph and costs")
        page = [element("details", element("summary", "graph and costs"), frame, open="")]
    return element("div", element("b", facts.name), element("table", *sums), *page, layers)


def _extents(shape: Sequence[int | None] | None) -> Markup | str:
    return "?" if shape is None else "×".join("?" if n is None else str(n) for n in shape)
