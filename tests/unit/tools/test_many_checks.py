"""Checks of folders of models, their options in a file, and the last line of each check."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]
Refused = Callable[..., str]

VIOLATION = """7767517
2 2
Input in 0 1 in 0=4 1=4 2=4
Reshape r 1 1 in r 0=-1 1=-1
"""


@pytest.fixture
def zoo(models: Path) -> Path:
    """Two folders with the same two models."""
    for folder in ("zoo", "fast"):
        (models / folder / "sub").mkdir(parents=True)
        for name in ("a", "sub/b"):
            for ending in ("param", "bin"):
                copy = models / folder / f"{name}.{ending}"
                copy.write_bytes((models / f"a.{ending}").read_bytes())
    return models


def break_model(zoo: Path) -> None:
    (zoo / "zoo/bad.param").write_text(VIOLATION)
    (zoo / "zoo/bad.bin").write_bytes(b"")


def last_line(text: str) -> str:
    return text.splitlines()[-1]


@pytest.mark.parametrize("option", ["--audit", "--audit=run", "--check"])
def test_a_folder_is_checked(option: str, zoo: Path, command: Command) -> None:
    if option == "--check":
        pytest.importorskip("ncnn")
    before = sorted(zoo.rglob("*"))
    result = command([option, "zoo"])
    assert result.stderr == ""
    _, *rows, total, last = result.stdout.splitlines()
    found = [row.split()[:2] for row in rows]
    assert found == [["zoo/a.param", "PASSED"], ["zoo/sub/b.param", "PASSED"]]
    assert total.endswith("none failed")
    assert last == "PASSED: 2 models"
    assert sorted(zoo.rglob("*")) == before


def test_a_report_takes_the_options_of_others(zoo: Path, command: Command) -> None:
    (zoo / "models.toml").write_text('["*"]\nfor-ncnn = "20260526"\n')
    words = ["zoo", "fast", "--options", "models.toml", "--summary", "s.json"]
    command(words, tool="ncnn-report")
    for row in json.loads((zoo / "s.json").read_text())["models"]:
        assert row["status"] == "done"
        assert "output" not in row  # it is in a folder that is gone


RAW = """7767517
3 3
Input data 0 1 data 0=8 1=8 2=2
Convolution conv 1 1 data y 0=4 1=3 4=1 6=72
ReLU relu 1 1 y out
"""


def test_a_report_has_one_shape_of_models_that_are_specialized(zoo: Path, command: Command) -> None:
    """The folder of optimized models has another input shape in its files."""
    for name in ("a", "sub/b"):
        (zoo / f"zoo/{name}.param").write_text(RAW)
        (zoo / f"zoo/{name}.bin").write_bytes(bytes(4 + 4 * 72))
    table = zoo / "models.toml"
    table.write_text('["a.param"]\nfix-shapes = "data=2,16,16"\n')
    command(["zoo", "-O", "--options", "models.toml", "--output-dir", "fast", "-q"])
    words = ["zoo", "fast", "--summary", "s.json", "--output-dir", "pages", "--output-kind", "html"]

    def macs(*more: str) -> tuple[dict[str, object], str]:
        command([*words, *more], tool="ncnn-report")
        row = json.loads((zoo / "s.json").read_text())["models"][0]
        return row, (zoo / "pages/index.html").read_text()

    row, page = macs("--options", "models.toml")
    assert row["multiply-adds"] == {"before": 4 * 2 * 9 * 256, "after": 4 * 2 * 9 * 256}
    assert "different inputs" not in row
    assert "different inputs" not in page
    row, page = macs()
    assert row["multiply-adds"] == {"before": 4 * 2 * 9 * 64, "after": 4 * 2 * 9 * 256}
    assert row["different inputs"] == "data 2x8x8 -> 2x16x16"
    assert "<td>data 2x8x8 → 2x16x16</td>" in page
    table.write_text('["*"]\ninput-shape = ["data=2,16,16"]\nfix-shapes = "data=2,4,4"\n')
    row, _ = macs("--options", "models.toml")  # its own option decides
    assert row["multiply-adds"] == {"before": 4 * 2 * 9 * 256, "after": 4 * 2 * 9 * 256}


def test_a_report_guesses_shapes_and_says_so(zoo: Path, command: Command) -> None:
    (zoo / "zoo/a.param").write_text(RAW.replace(" 0=8 1=8 2=2", ""))
    (zoo / "zoo/a.bin").write_bytes(bytes(4 + 4 * 72))
    one = command(["zoo/a.param"], tool="ncnn-report").stdout
    assert "note: figures for data=2,224,224 (a guess; --input-shape says better)" in one
    assert f"MACs:        {4 * 2 * 9 * 224 * 224:,}" in one
    given = ["zoo/a.param", "--input-shape", "data=2,?,4"]
    assert "guess" not in command(given, tool="ncnn-report").stdout
    both = command(["zoo/a.param", "zoo/a.param"], tool="ncnn-report").stdout
    assert both.count("a guess") == 1
    command(["zoo", "--summary", "s.json"], tool="ncnn-report")
    rows = json.loads((zoo / "s.json").read_text())["models"]
    assert [row.get("guessed shapes") for row in rows] == ["data=2,224,224", None]


def test_a_pattern_without_a_model_is_named(zoo: Path, command: Command) -> None:
    (zoo / "models.toml").write_text('["*"]\nmin-snr = 30\n["typo/*.param"]\nmin-snr = 40\n')
    run = ["zoo", "-O", "--options", "models.toml", "--output-dir", "out"]
    result = command(run)
    note = 'ncnn-opt: models.toml: ["typo/*.param"] is the name of no model here'
    assert note in result.stderr.splitlines()
    assert '["*"]' not in result.stderr


@pytest.mark.parametrize(
    ("pattern", "hint"),
    [
        ("b", "; did you mean 'b.param'?"),
        ("large_model.parm", "; did you mean 'large_model.param'?"),
        ("sub/b", ""),
        ("other", ""),
    ],
)
def test_a_nearby_name_of_a_model(pattern: str, hint: str, zoo: Path, command: Command) -> None:
    for ending in ("param", "bin"):
        (zoo / f"zoo/a.{ending}").rename(zoo / f"zoo/large_model.{ending}")
    (zoo / "models.toml").write_text(f'["{pattern}"]\nmin-snr = 40\n')
    result = command(["zoo", "-O", "--options", "models.toml", "--output-dir", "out"])
    note = f'ncnn-opt: models.toml: ["{pattern}"] is the name of no model here{hint}'
    assert note in result.stderr.splitlines()


def test_an_audit_skips_options_of_other_commands(
    zoo: Path, command: Command, refused: Refused
) -> None:
    """A file of options serves all commands; on the command line, such an option is an error."""
    (zoo / "models.toml").write_text('["*"]\nfor-ncnn = "20260526"\nmin-snr = 30\n')
    for words in (["zoo"], ["zoo/a.param"]):
        result = command(["--audit", "--options", "models.toml", *words])
        assert last_line(result.stdout).startswith("PASSED")
    assert "takes no --for-ncnn" in refused(["--audit", "zoo/a.param", "--for-ncnn", "20260526"])


@pytest.mark.parametrize("option", ["--audit", "--check"])
def test_the_model_that_fails_is_named(option: str, zoo: Path, command: Command) -> None:
    if option == "--check":
        pytest.importorskip("ncnn")
    break_model(zoo)
    result = command([option, "zoo", "--output-dir", "checks"], check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("ncnn-opt: error: zoo/bad.param:4: Reshape 'r'")
    assert last_line(result.stdout) == "FAILED: 1 of 3 models"
    assert last_line((zoo / "checks/bad.txt").read_text()).startswith("FAILED: zoo/bad.param")
    assert last_line((zoo / "checks/sub/b.txt").read_text()) == "PASSED: zoo/sub/b.param"


def test_a_command_that_also_writes_models_needs_a_folder(zoo: Path, refused: Refused) -> None:
    assert "--output-dir DIR takes its models" in refused(["zoo", "--check", "-O"])


def test_folders_are_compared(zoo: Path, command: Command) -> None:
    def compared() -> list[str]:
        """Returns the models that are compared again."""
        words = ["zoo", "--compare", "fast", "--output-dir", "out", "--resume"]
        result = command(words, tool="ncnn-run", check=False)
        rows = result.stdout.splitlines()[1:-2]
        assert result.returncode == any("failed" in row.lower() for row in rows)
        return [row.split()[0] for row in rows if "up to date" not in row]

    assert compared() == ["zoo/a.param", "zoo/sub/b.param"]
    assert last_line((zoo / "out/a.txt").read_text()) == "PASSED: zoo/a.param"
    assert compared() == []
    weights = zoo / "fast/sub/b.bin"
    weights.write_bytes(weights.read_bytes()[:-4] + b"\0\0\x80\x44")
    assert compared() == ["zoo/sub/b.param"]
    assert "FAILED: zoo/sub/b.param: it differs" in (zoo / "out/sub/b.txt").read_text()
    (zoo / "fast/a.param").unlink()
    assert compared() == ["zoo/a.param", "zoo/sub/b.param"]
    assert "fast/a.param" in (zoo / "out/a.txt").read_text()


def test_folders_are_reported_side_by_side(zoo: Path, command: Command) -> None:
    command(["-O", "zoo", "--output-dir", "fast", "-q"])
    result = command(["zoo", "fast"], tool="ncnn-report")
    assert result.stdout.splitlines()[1].split()[:4] == ["zoo/a.param", "3", "->", "2"]


def test_equal_runs_write_equal_manifests(zoo: Path, command: Command) -> None:
    found: list[bytes] = []
    for jobs in ("1", "2", "2"):
        command(["-O", "zoo", "--output-dir", "out", "-q", "-j", jobs])
        found.append((zoo / "out/.ncnn-opt-manifest").read_bytes())
        (zoo / "out/.ncnn-opt-manifest").unlink()
    assert found[0] == found[1] == found[2]


# -- the file of options


def test_options_of_each_model(zoo: Path, command: Command) -> None:
    table = zoo / "models.toml"
    table.write_text('["*"]\nfor-ncnn = "20260526"\n["sub/*.param"]\nfor-ncnn = "20240102"\n')
    run = ["zoo", "-O", "--options", "models.toml", "--output-dir", "out", "--resume"]
    assert "up to date" not in command(run).stdout
    assert "2 up to date" in last_line(command(run).stdout)
    table.write_text(table.read_text().replace("20240102", "20250428"))
    again = command(run).stdout.splitlines()
    assert ["up to date" in line for line in again[1:3]] == [True, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '["*"]\nfor-ncn = "x"',
            "models.toml: [\"*\"]: no command has an option 'for-ncn'; did you mean 'for-ncnn'?",
        ),
        ('for-ncnn = "20260526"', "models.toml: 'for-ncnn' belongs to no model"),
        ('["*"]\nfor-ncnn = {}', "models.toml: the value of 'for-ncnn' is no text"),
        ('["*"]\nfor-ncnn = "1"', "1"),
        ('["*"\n', "models.toml: "),
        (None, "models.toml: No such file"),
    ],
)
def test_bad_options(text: str | None, message: str, zoo: Path, refused: Refused) -> None:
    if text is not None:
        (zoo / "models.toml").write_text(text)
    words = ["zoo", "-O", "--options", "models.toml", "--output-dir", "out"]
    assert message in refused(words)


def test_contradicting_options_fail_only_their_model(zoo: Path, command: Command) -> None:
    """A file of options gives one shape to ncnn-opt and to ncnn-report."""
    equal = 'fix-shapes = "data=3"\ninput-shape = ["data=3"]\n'
    table = zoo / "models.toml"
    table.write_text(f'["*"]\n{equal}["sub/*.param"]\ninput-shape = ["data=5"]\n')
    run = ["zoo", "-O", "--options", "models.toml", "--output-dir", "out", "--summary", "s.json"]
    result = command(run, check=False)
    words = "--fix-shapes and --input-shape both give the shape of 'data', and differ; omit one"
    assert result.returncode == 1
    assert result.stderr.splitlines()[0] == f"ncnn-opt: error: zoo/sub/b.param: {words}"
    models = json.loads((zoo / "s.json").read_text())["models"]
    assert [row["status"] for row in models] == ["done", "failed"]
    assert not (zoo / "out/sub/b.param").exists()
    table.write_text(f'["*"]\n{equal}')
    command([*run, "--resume"])


@pytest.mark.parametrize(
    ("pattern", "more"), [("sub/*.param", ["--no-keep-going"]), ("*.param", [])]
)
def test_contradictions_end_the_batch_before_the_first_model(
    pattern: str, more: list[str], zoo: Path, refused: Refused
) -> None:
    text = f'["{pattern}"]\nfix-shapes = "data=3"\ninput-shape = ["data=5"]\n'
    (zoo / "models.toml").write_text(text)
    words = ["zoo", "-O", "--options", "models.toml", "--output-dir", "out", *more]
    first = "zoo/a.param" if pattern == "*.param" else "zoo/sub/b.param"
    assert f"{first}: --fix-shapes and --input-shape" in refused(words)
    assert not (zoo / "out").exists()


def test_options_of_other_commands_are_skipped(zoo: Path, command: Command) -> None:
    pytest.importorskip("ncnn")
    (zoo / "models.toml").write_text('["*"]\nmin-snr = 30\nseed = 3\n')
    command(["zoo/a.param", "--options", "models.toml", "--check"])
    (zoo / "zoo/a.toml").write_text('input-shape = ["nowhere=3"]')
    result = command(["zoo/a.param", "--options", "beside", "--check"], check=False)
    assert "nowhere" in result.stderr
    command(["zoo/sub/b.param", "--options", "beside", "--check"])  # there is no such file


# -- the last line


def test_samples_in_a_file_are_for_fp16_safe_if_it_is_given(zoo: Path, command: Command) -> None:
    """Without it, they are for ncnn-quantize."""
    (zoo / "o.toml").write_text('["*"]\ndata = "nowhere.npy"\nmin-snr = 30\n')
    words = ["-O", "zoo/a.param", "-o", "x.param", "--options", "o.toml"]
    command(words)
    assert "nowhere.npy" in command([*words, "--fp16-safe"], check=False).stderr
    (zoo / "o.toml").write_text('["*"]\ndata = "nowhere.npy"\nfp16-safe = true\n')
    assert "nowhere.npy" in command(words, check=False).stderr
    batch = ["-O", "zoo/", "--output-dir", "out/", "--options", "o.toml"]
    assert "nowhere.npy" in command(batch, check=False).stderr
    (zoo / "o.toml").write_text('["*"]\ndata = "nowhere.npy"\n')
    command(batch)


def test_each_check_ends_with_a_verdict(zoo: Path, command: Command) -> None:
    break_model(zoo)
    assert last_line(command(["zoo/a.param", "--audit"]).stdout).startswith("PASSED: zoo/a")
    bad = command(["zoo/bad.param", "--audit"], check=False)
    assert last_line(bad.stdout).startswith("FAILED: ")
    good = command(
        ["zoo/a.param", "--verify-rewrites", "--verify-roundtrip", "-O", "-o", "o.param"]
    )
    assert last_line(good.stderr) == "ncnn-opt: PASSED: --verify-rewrites, --verify-roundtrip"
    assert "PASSED" not in command(["zoo/a.param", "-O", "-o", "o.param"]).stderr
    run = command(["zoo/a.param", "--compare", "fast/a.param"], tool="ncnn-run")
    assert last_line(run.stdout).startswith("PASSED: largest error of an output: 0 at ")
