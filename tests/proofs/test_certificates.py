"""Certificates of runs: valid ones are accepted, changed ones are refused with one message."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ncnn_opt.tools.ncnn_opt_main import main

VALID = "valid; 12 rewrites: 12 proven; 12 repeated in the ncnn runtime"

MODEL = Path(__file__).parents[2] / "examples" / "small_cnn.param"


def run(*arguments: str | Path) -> None:
    """Run `ncnn-opt`."""
    main([str(each) for each in arguments])


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model, its result, and the certificate."""
    folder = tmp_path_factory.mktemp("certified")
    for ending in (".param", ".bin"):
        shutil.copy(MODEL.with_suffix(ending), folder / f"m{ending}")
    run(
        "-q", "-O", folder / "m.param", "-o", folder / "n.param", "--certificate", folder / "n.json"
    )
    return folder


@pytest.fixture
def folder(certified: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, as the working directory."""
    shutil.copytree(certified, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy"


def check() -> None:
    """Check the certificate of the working directory."""
    run("--check-certificate", "n.json", "m.param", "n.param")


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the message of a command that fails."""
    with pytest.raises(SystemExit) as exit_:
        run(*arguments) if arguments else check()
    assert exit_.value.code == 1
    output = capsys.readouterr()
    assert not output.out
    assert output.err.startswith("ncnn-opt: error: ")
    return output.err.removeprefix("ncnn-opt: error: ").rstrip("\n")


def change(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    """Edit the certificate."""
    path = folder / "n.json"
    data = json.loads(path.read_text())
    edit(data)
    path.write_text(json.dumps(data))


def test_a_certificate_has_each_rewrite(folder: Path) -> None:
    data = json.loads((folder / "n.json").read_text())
    assert data["summary"] == {"steps": 12, "proven": 12}
    steps = data["steps"]
    assert [a["after"] for a in steps[:-1]] == [b["before"] for b in steps[1:]]
    first = next(step for step in steps if step["pattern"] == "FuseAffine")
    assert first["pass"] == "canonicalize"
    assert first["removed"] == ["Convolution 'conv1'", "BatchNorm 'bn1'"]
    assert first["created"] == ["Convolution 'conv1'"]
    assert first["status"] == "proven"
    assert first["extents"][:2] == [["3x5x4"], ["3x3x5"]]
    assert first["method"].startswith("comparisons as functions; random points modulo 2^61 - 1")
    assert first["method"].endswith("an error is less likely than degree / 2^40")


def test_a_valid_certificate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check()
    output = capsys.readouterr()
    assert output.out == f"PASSED: n.json: {VALID}\n"
    assert not output.err


def test_the_commands_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (MODEL.parents[1] / "docs" / "proofs.md").read_text()
    commands = re.findall(r"^ncnn-opt (.*(?:--certificate|--check-certificate).*)$", page, re.M)
    assert len(commands) == 2
    (tmp_path / "examples").symlink_to(MODEL.parent)
    monkeypatch.chdir(tmp_path)
    for command in commands:
        run(*command.split())
    assert capsys.readouterr().out == f"PASSED: fast.json: {VALID}\n"


def first_hash(data: dict[str, Any]) -> str:
    """Return the hash after the third step."""
    return data["steps"][2]["after"]


EDITS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a step is missing": (
        lambda data: data["steps"].pop(1),
        "step 2 of the certificate fails: canonicalize, FuseAffine: Convolution 'conv1', "
        "BatchNorm 'bn1' -> Convolution 'conv1' has removed [\"Convolution 'conv1'\", "
        "\"BatchNorm 'bn1'\"], not [\"Convolution 'conv1'\", \"Scale 'scale1'\"]",
    ),
    "the last step is missing": (
        lambda data: data["steps"].pop(),
        "step 12 is missing in the certificate: canonicalize, EliminateIdentity: "
        "Dropout 'drop2' -> nothing",
    ),
    "a step is added": (
        lambda data: data["steps"].append(data["steps"][-1]),
        "step 13 of the certificate fails: the run does not have it",
    ),
    "another status": (
        lambda data: data["steps"][1].update(status="approximate"),
        "step 2 of the certificate fails: canonicalize, FuseAffine: Convolution 'conv1', "
        "BatchNorm 'bn1' -> Convolution 'conv1' has status \"proven\", not \"approximate\"",
    ),
    "another error": (
        lambda data: data["steps"][0].update(error=0.5),
        "step 1 of the certificate fails: eliminate-split, EliminateIdentity: "
        "Split 'split1' -> nothing has error 0.0, not 0.5",
    ),
    "another field": (
        lambda data: data["steps"][0].update(proven_by="me"),
        "step 1 of the certificate fails: it has other fields",
    ),
    "another version": (
        lambda data: data["versions"].update(xdsl="0.1"),
        "'n.json' has other versions: ",
    ),
    "another pipeline": (
        lambda data: data["options"].update(passes="canonicalize"),
        "step 1 of the certificate fails: canonicalize, ",
    ),
    "an unknown pass": (
        lambda data: data["options"].update(passes="canonicalise"),
        "unknown pass 'canonicalise'; did you mean 'canonicalize'?",
    ),
    "an option of another type": (
        lambda data: data["options"].update(fold_limit="many"),
        "'n.json': the option fold_limit cannot be \"many\"",
    ),
    "another option": (
        lambda data: data["options"].update(trust=True),
        "'n.json' has unknown options; --certificate writes others",
    ),
    "another summary": (
        lambda data: data["summary"].update(proven=13),
        "'n.json' has other summary: ",
    ),
    "another hash of the model": (
        lambda data: data["input"].update(weights="0" * 64),
        "'m.bin' is not the input of 'n.json': another SHA-256",
    ),
    "another hash of the result": (
        lambda data: data["output"].update(graph="0" * 64),
        "'n.param' is not the output of 'n.json': another SHA-256",
    ),
    "another format": (
        lambda data: data.update(format="2"),
        "'n.json' is no certificate of this ncnn-opt; --certificate writes one",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_changed_certificate_is_refused(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit, message = EDITS[name]
    change(folder, edit)
    found = refusal(capsys)
    assert found.startswith(message) if message.endswith(" ") else found == message


def test_a_changed_hash_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = first_hash(json.loads((folder / "n.json").read_text()))
    change(folder, lambda data: data["steps"][2].update(after="0" * 64))
    assert refusal(capsys) == (
        "step 3 of the certificate fails: canonicalize, FuseAffine: Convolution 'conv1', "
        f"Scale 'scale1' -> Convolution 'conv1' has after \"{own}\", not \"{'0' * 64}\""
    )


def changed_weight(path: Path) -> None:
    """Change one bit of the last weight."""
    data = bytearray(path.read_bytes())
    data[-2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(("name", "key"), [("m", "input"), ("n", "output")])
def test_a_changed_weight_is_refused(
    name: str, key: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed_weight(folder / f"{name}.bin")
    assert refusal(capsys) == f"'{name}.bin' is not the {key} of 'n.json': another SHA-256"


def test_a_changed_result_with_its_hash_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ncnn_opt.driver.certificates import hashes_of

    changed_weight(folder / "n.bin")
    change(folder, lambda data: data.update(output=hashes_of("n.param", "n.bin")))
    assert refusal(capsys) == "'n.bin' is not the result of the steps of 'n.json'"


def test_a_changed_model_with_its_hash_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ncnn_opt.driver.certificates import hashes_of

    changed_weight(folder / "m.bin")
    change(folder, lambda data: data.update(input=hashes_of("m.param", "m.bin")))
    assert refusal(capsys).startswith("step 1 of the certificate fails: ")


def test_files_that_are_no_certificate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "n.json").write_text("[]")
    assert refusal(capsys) == (
        "'n.json' is no certificate of this ncnn-opt; --certificate writes one"
    )
    (folder / "n.json").write_text("7767517")
    assert refusal(capsys) == (
        "'n.json' is no certificate of this ncnn-opt; --certificate writes one"
    )
    (folder / "n.json").write_text("no JSON")
    assert refusal(capsys).startswith("n.json: the file is not a certificate: ")


CERTIFIED = ("-O", "m.param", "-o", "n.param", "--certificate", "c.json")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-O", "m.param", "--certificate", "c.json"], "--certificate needs -o OUTPUT.param"),
        (
            ["-O", "m.param", "-o", "n.mlir", "--certificate", "c.json"],
            "--certificate needs -o OUTPUT.param",
        ),
        (
            [*CERTIFIED, "--fp16-safe", "--data", "x.npy"],
            "--certificate does not go together with --fp16-safe",
        ),
        (
            [*CERTIFIED, "--tune", "measure", "--on-device", "local"],
            "--certificate does not go together with --on-device",
        ),
        (
            ["-O", "m.param", "-o", "n.param", "--certificate", "c.json", "--pnnx", "p"],
            "--certificate does not go together with --pnnx",
        ),
        (
            ["-O", "m.param", "-o", "o.param", "--weights", "random", "--certificate", "c.json"],
            "--certificate is for a .param with its .bin, not for 'm.param'",
        ),
        (
            ["-O", "m.param", "-o", "o.param", "--counterexample", "c"],
            "--counterexample is for --verify-rewrites and --certificate",
        ),
        (
            ["-O", "m.param", "--output-dir", "o", "--certificate", "c.json"],
            "--certificate names one file; --output-dir keeps their names",
        ),
        (
            ["-O", "--check-certificate", "n.json", "m.param", "n.param"],
            "--check-certificate does not take '-O'",
        ),
        (
            ["--check-certificate", "n.json", "m.param"],
            "argument --check-certificate: expected 3 arguments",
        ),
        (
            ["-O", "m.param", "-o", "o.param", "--certificate", "no/c.json"],
            "no/c.json: there is no folder 'no'",
        ),
    ],
    ids=str,
)
def test_wrong_usage(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refusal(capsys, *arguments) == message
    assert not (folder / "c.json").exists()
    assert not (folder / "o.param").exists()


CLIPS = """7767517
3 3
Input x 0 1 x 0=5 1=4 2=3
ReLU a 1 1 x a 0=0.5
ReLU b 1 1 a b 0=0.25
"""


def test_a_step_that_needs_the_solver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.param").write_text(CLIPS)
    Path("m.bin").write_bytes(b"")
    run("-q", "-O", "m.param", "-o", "n.param", "--certificate", "n.json")
    data = json.loads(Path("n.json").read_text())
    (step,) = data["steps"]
    assert step["status"] == "proven"
    assert re.match(r"solver, \d+ patterns of signs; random points modulo", step["method"])
    assert data["versions"].keys() == {"ncnn-opt", "xdsl", "numpy", "z3-solver"}
    check()
    assert "1 proven" in capsys.readouterr().out
    change(Path(), lambda data: data["versions"].update({"z3-solver": "4.0"}))
    assert "has other versions" in refusal(capsys)
