"""Results in an interactive session: `repr` is a short table, and a notebook has HTML."""

from collections.abc import Sequence
from dataclasses import dataclass

from ncnn_opt.driver.bundles.bundle_export import DecodingComparison, ExportedDecoder
from ncnn_opt.driver.pytorch_export import Exported
from ncnn_opt.formats.displays import MOST, Displayed
from ncnn_opt.runtime.agreement import Agreement
from ncnn_opt.runtime.blob_comparison import BlobDifference
from ncnn_opt.runtime.layerwise.comparison import SourceAgreement


@dataclass(repr=False)
class Result(Displayed):
    rows: int

    def heading(self) -> str:
        return "PASSED: \x1b[1m <b>"

    def table_rows(self) -> Sequence[Sequence[str]]:
        return [("name", "error"), *((f"<{i}>", str(i)) for i in range(self.rows))]


def html_of(result: Displayed) -> str:
    return result._repr_html_()  # pyright: ignore[reportPrivateUsage]


def test_names_do_not_become_markup_or_control_a_terminal() -> None:
    assert repr(Result(1)) == "PASSED: \\x1b[1m <b>\nname  error\n<0>       0"
    html = html_of(Result(1))
    assert "<b>PASSED: \\x1b[1m &lt;b&gt;</b>" in html
    assert "<td>&lt;0&gt;</td><td>0</td>" in html


def test_a_long_table_is_short() -> None:
    assert len(repr(Result(MOST)).splitlines()) == MOST + 2
    assert repr(Result(MOST + 3)).splitlines()[-1] == "and 3 more: see print()"
    assert html_of(Result(MOST + 3)).count("<tr>") == MOST + 1
    assert "and 3 more" in html_of(Result(MOST + 3))


def test_print_has_all_rows() -> None:
    """Also of a result without a text of its own, as `Quantization`."""
    heading, heads, *rows = str(Result(MOST + 3)).splitlines()
    assert heading == "PASSED: \\x1b[1m <b>"
    assert heads.split() == ["name", "error"]
    assert [row.split() for row in rows] == [[f"<{i}>", str(i)] for i in range(MOST + 3)]
    assert str(Result(0)) == repr(Result(0))


def test_no_rows_are_no_table() -> None:
    assert repr(Result(0)) == "PASSED: \\x1b[1m <b>"
    assert "<table" not in html_of(Result(0))


def test_an_agreement_has_the_worst_output_first() -> None:
    rows = [
        BlobDifference("a", "Conv 'a'", "3x4", 1.0, 0.0, 1e-6),
        BlobDifference("inner", "Conv 'i'", "3", 1.0, 1.0, 1.0),
        BlobDifference("b", "Conv 'b'", "5", 1.0, 0.1, 0.1),
        BlobDifference("cache", "SDPA 's'", "6", 1.0, 0.1, None),
    ]
    found = Agreement(rows, ["a", "b", "cache"], 1e-4)
    assert repr(found).splitlines() == [
        "FAILED: largest error of an output: 0.1 at 'b', limit 0.0001",
        "output  shape  error",
        "b           5    0.1",
        "a         3x4  1e-06",
        "cache       6",
    ]
    assert str(found).endswith(found.heading())
    assert "inner" in str(found)


def test_a_comparison_with_the_source_and_an_export() -> None:
    found = SourceAgreement("m.param", "m.pt", 1e-3, errors={"out0": 1e-6, "out1": 1e-5})
    assert repr(found).splitlines() == [
        "PASSED: no operator differs; largest error of an output: 1e-05",
        "output  error",
        "out1    1e-05",
        "out0    1e-06",
    ]
    assert repr(Exported("m.param", agreement=found)) == f"m.param: {found!r}"
    assert repr(Exported("m.param")) == "m.param: not compared"
    failed = Exported("m.param", agreement=found, problem="output 'out0' differs")
    assert repr(failed).startswith("m.param: FAILED: output 'out0' differs\n")


def test_a_comparison_of_decoding_is_a_row() -> None:
    found = DecodingComparison(7, 1.25e-5, False, 12)
    heading, *rows = repr(found).splitlines()
    assert heading.startswith("prefill of 7 tokens and 20 steps: largest error 1.25e-05, other")
    assert rows == [
        "weights   prefill  steps     error  same tokens  different tokens",
        "compared        7     20  1.25e-05           no                12",
    ]
    assert "<td>1.25e-05</td><td>no</td><td>12</td>" in html_of(found)
    assert str(found) == found.heading()


def test_an_exported_decoder_has_the_worst_comparison_first() -> None:
    found = ExportedDecoder("bundle", ["wrote <bundle>"])
    assert repr(found) == "bundle: not compared"
    found.comparisons = [
        DecodingComparison(1, 1e-6, True, 9),
        DecodingComparison(7, 2e-6, True, 11),
    ]
    found.stored = [DecodingComparison(1, 3e-3, True, 9)]
    assert repr(found).splitlines() == [
        "bundle: PASSED: largest error of decoding: 2e-06, limit 0.001",
        "weights    prefill  steps  error  same tokens  different tokens",
        "as stored        1     20  0.003          yes                 9",
        "float32          7     20  2e-06          yes                11",
        "float32          1     20  1e-06          yes                 9",
    ]
    html = html_of(found)
    assert html.count("<tr>") == 4
    assert html.index("as stored") < html.index("float32")
    assert str(found).splitlines()[0] == "wrote <bundle>"  # `print` has the steps
    # A token that differs is a failure, and so is a large error; exactly the limit is none.
    found.comparisons[0] = DecodingComparison(1, 1e-6, False, 9)
    assert "FAILED: other tokens than PyTorch's; largest error" in found.heading()
    found.comparisons = [DecodingComparison(1, 1e-3, True, 9)]
    assert ": PASSED: " in found.heading()
    found.comparisons = [DecodingComparison(1, 1.1e-3, True, 9)]
    assert found.heading() == "bundle: FAILED: largest error of decoding: 0.0011, limit 0.001"
