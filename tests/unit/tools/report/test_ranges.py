"""`ncnn-report --ranges` and `--device vulkan`."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.analysis.float16.ranges import LayerRange
from ncnn_opt.report.ranges import cells, length

Report = Callable[..., str]

SUM = """7767517
3 3
Input x 0 1 x 0=4
Reduction sum 1 1 x y 0=0 1=1 5=1
Exp e 1 1 y z 1=0.0001
"""
CONVOLUTION = """7767517
2 2
Input x 0 1 x
Convolution c 1 1 x c 0=4 1=3 6=108
"""


@pytest.fixture
def model(folder: Path) -> str:
    (folder / "m.param").write_text(SUM)
    (folder / "m.bin").touch()
    np.save("good.npy", np.array([[6e4, 6e4, -5, 1], [1, 2, 3, 4]], "f4"))
    np.save("bad.npy", np.array([[1, 2, 3, 4], [3e38] * 4], "f4"))
    np.save("worse.npy", np.array([[3e38] * 4], "f4"))
    return "m.param"


def test_the_columns(report: Report, model: str) -> None:
    lines = [line.split() for line in report(model, "--ranges", "--data", "good.npy").splitlines()]
    assert lines[0][-5:] == ["smallest", "largest", "inside", "of", "float16"]
    assert lines[1][-5:] == ["-5", "6e+04", "6e+04", "92", "%"]
    assert lines[2][-4:] == ["10", "1.2e+05", "1.2e+05", "overflow"]
    assert "note: ranges of 2 samples".split() in lines
    assert lines[-1] == "note: first overflow: Reduction 'sum'".split()


def test_the_first_overflow_is_that_of_a_layer_in_float16(report: Report, model: str) -> None:
    words = ("--ranges", "--data", "good.npy")
    text = Path(model).read_text()
    Path(model).write_text(text.replace("0=0 1=1 5=1", "0=0 1=1 5=1 31=1"))
    assert "first overflow: Exp 'e'\n" in report(model, *words)  # the sum is float32 by its mask
    np.save("small.npy", np.array([[1, 2, 3, 4]], "f4"))
    Path(model).write_text(text)
    assert "first overflow" not in report(model, "--ranges", "--data", "small.npy")


def test_json_and_page(report: Report, model: str) -> None:
    found = json.loads(report(model, "--ranges", "--data", "good.npy", "--print-json"))["layers"][1]
    assert found["range"] == {"smallest": 10, "largest": 119996, "inside": 119996}
    report(model, "--ranges", "--data", "good.npy", "--html", "r.html")
    page = Path("r.html").read_text()
    assert "of float16" in page
    assert 'data-v="1000" style="--bar:100%"' in page
    assert "range" not in json.loads(report(model, "--print-json"))["layers"][1]


def costs(text: str) -> tuple[str, list[str]]:
    """Return the MACs in a report, and the notes on the shapes that the costs are for."""
    lines = text.splitlines()
    (macs,) = (line.split()[1] for line in lines if line.startswith("MACs:"))
    return macs, [line for line in lines if "figures for" in line]


def test_costs_are_for_the_shape_of_the_samples(report: Report, folder: Path) -> None:
    np.save("x.npy", np.ones((2, 3, 6, 8), "f4"))
    path = folder / "c.param"
    path.write_text(CONVOLUTION)
    words = ("c.param", "--weights", "random", "--ranges", "--data", "x.npy")
    note = "note: figures for x=3,6,8 (the shape of the samples)"
    assert costs(report(*words)) == ("2,592", [note])
    assert costs(report(*words, "--input-shape", "x=3,4,4")) == ("432", [])
    path.write_text(CONVOLUTION.replace("x\nConv", "x 0=4 1=4 2=3\nConv"))  # a hint
    assert costs(report(*words)) == ("2,592", [note])
    path.write_text(CONVOLUTION.replace("x\nConv", "x 0=8 1=6 2=3\nConv"))
    assert costs(report(*words)) == ("2,592", [])


def test_samples_are_read_once(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    from ncnn_opt.tools.ncnn_report_main import main

    Path(model).write_text(SUM.replace("0=4", "0=5"))
    main([model, "--ranges", "--data", "good.npy", "--repeat", "1"])
    out, err = capsys.readouterr()
    assert err.count("is declared as 5, the samples are 4") == 1
    assert "measured with x=4\n" in out


def test_samples_that_are_not_finite(
    folder: Path, model: str, refused: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    from ncnn_opt.tools.ncnn_report_main import main

    main([model, "--ranges", "--data", "bad.npy"])
    out, err = capsys.readouterr()
    assert "bad.npy[1] is not used: its float32 outputs are not finite" in err
    assert "note: ranges of 1 sample\n" in out


def test_no_finite_sample(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    from ncnn_opt.tools.ncnn_report_main import main

    with pytest.raises(SystemExit):
        main([model, "--ranges", "--data", "worse.npy"])
    message = "ncnn-report: error: worse.npy: no sample has finite float32 outputs"
    assert message in capsys.readouterr().err


def test_wrong_options(refused: Report, model: str) -> None:
    needs = "--ranges needs samples: --ranges --data FILE"
    assert refused(model, "--ranges") == needs
    assert refused(model, "--data", "good.npy") == needs
    two = refused(model, "before.param", "--ranges", "--data", "good.npy")
    assert two == "--ranges is for one model"


def test_the_bar_is_logarithmic() -> None:
    ranges = {
        n: LayerRange(0, x, x) for n, x in (("a", 0.0), ("b", 255.0), ("c", 65504.0), ("d", 1e9))
    }
    assert [round(length(ranges, n), 2) for n in "abcdx"] == [0, 0.5, 1, 1, 0]
    assert [cells(ranges, n)[-1] for n in "bcd"] == ["0.39 %", "1e+02 %", "overflow"]
    assert cells(ranges, "x") == ("",) * 4


def test_masks_are_shown() -> None:
    def shown(value: float, mask: int) -> str:
        return cells({"a": LayerRange(0, value, value, mask)}, "a")[-1]

    assert shown(1e9, 0) == "overflow"
    assert shown(1e9, 19) == "float32 (mask 19)"
    assert shown(1e9, 64) == "overflow (mask 64)"
    assert shown(65504.0, 17) == "1e+02 % (mask 17)"


def test_a_mask_of_the_file_is_shown(report: Report, model: str) -> None:
    Path(model).write_text(SUM.replace("5=1\n", "5=1 31=17\n"))
    lines = report(model, "--ranges", "--data", "good.npy").splitlines()
    assert lines[2].split()[-3:] == ["float32", "(mask", "17)"]
    assert "mask" not in lines[1] + lines[3]
