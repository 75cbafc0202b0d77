"""The commands of README.md and docs/ run as they stand there."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from ncnn_opt.formats.pnnx_bin import write_members
from ncnn_opt.native.errors import NativeError
from ncnn_opt.native.llvm import find_tools
from ncnn_opt.tools import (
    ncnn_compile_main,
    ncnn_device_main,
    ncnn_int8_main,
    ncnn_opt_main,
    ncnn_optimize_main,
    ncnn_quantize_main,
    ncnn_report_main,
    ncnn_run_main,
    ncnn_table_main,
)
from ncnn_opt.transforms import get_all_passes

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES.remove(ROOT / "docs/editing.md")  # test_editing.py follows it

MAINS: dict[str, Callable[[Sequence[str]], None]] = {
    "ncnn-compile": ncnn_compile_main.main,
    "ncnn-device": ncnn_device_main.main,
    "ncnn-int8": ncnn_int8_main.main,
    "ncnn-opt": ncnn_opt_main.main,
    "ncnn-optimize": ncnn_optimize_main.main,
    "ncnn-quantize": ncnn_quantize_main.main,
    "ncnn-report": ncnn_report_main.main,
    "ncnn-run": ncnn_run_main.main,
    "ncnn-table": ncnn_table_main.main,
}

DECODER = """7767517
10 17
Input in0 0 1 in0
Input in1 0 1 in1
Input in2 0 1 in2
Input in3 0 1 in3
Input kv_cache 0 2 keys values
Reshape heads 1 1 in0 heads 0=64 1=14 2=-1
Permute rows 1 1 heads rows 0=2
RotaryEmbed rope 3 1 rows in2 in3 x
Split split 1 3 x q k v
SDPA attention 6 3 q k v in1 keys values y all_keys all_values 5=1 7=1
"""
"""Attention with a cache, with the inputs that pnnx gives to decoders."""

BLOCK = """7767517
9 11
Input in0 0 1 in0 0=12 1=6
Input in1 0 1 in1 0=6 1=6
Input in2 0 1 in2 0=2 1=6
Input in3 0 1 in3 0=2 1=6
Reshape heads 1 1 in0 heads 0=4 1=3 2=6
Permute rows 1 1 heads rows 0=2
RotaryEmbed rope 3 1 rows in2 in3 x
Split split 1 3 x q k v
SDPA attention 4 1 q k v in1 y 5=1
"""
"""Attention that was exported for 6 steps."""

EXPORTED = """7767517
9 11
Input in0 0 1 in0 0=12 1=8
MemoryData m 0 1 m 0=8 1=8
MemoryData c 0 1 c 0=2 1=8
MemoryData s 0 1 s 0=2 1=8
Reshape heads 1 1 in0 heads 0=4 1=3 2=8
Permute rows 1 1 heads rows 0=2
RotaryEmbed rope 3 1 rows c s x
Split split 1 3 x q k v
SDPA attention 4 1 q k v m y 5=1
"""
"""The same with its mask and tables, for 8 steps."""

TABLE = f"""conv1_param_0 {"50 " * 24}
conv1 20
"""
"""Scales of the first layer of the model."""

LLM = """7767517
2 2
Input in0 0 1 in0
Gemm gemm 1 1 in0 out0 3=1 5=1 6=1 8=8 9=64 10=-1
"""
"""A layer of a language model."""

PNNX = """7767517
3 2
pnnx.Input in 0 1 0 #0=(1,4)f32
nn.Linear fc 1 1 0 1 in_features=4 out_features=2 @weight=(2,4)f32 #0=(1,4)f32 #1=(1,2)f32
pnnx.Output out 1 0 1 #1=(1,2)f32
"""
"""A model in PNNX's own IR."""

CONVERTED = """7767517
2 2
Input in0 0 1 in0
InnerProduct fc 1 1 in0 out0 0=2 2=8
"""
"""The same model as the converter writes it."""


def commands(page: Path) -> list[str]:
    """The lines of its shell blocks, and what stands as code in its text and tables."""
    text = page.read_text("utf-8").replace("\\\n", " ")
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.S | re.M)
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    found = [line for block in blocks for line in block.splitlines()]
    found += re.findall(r"`(ncnn-[a-z]+ [^`\n]*)`", plain)
    found = [c.partition(" #")[0].strip() for c in found if c.split(" ")[0] in MAINS]
    # (in test_tutorial.py, test_plugins.py, test_quantize_digits.py, test_certificates.py,
    # test_quantize_detector.py, test_custom_weights.py and differential/devices/)
    elsewhere = ("softplus", "hardsigmoid", "digits/", "--check-certificate")
    elsewhere += ("ssh://", "adb://", "ADDRESS", "detector/", "--custom-layer")
    return [c for c in found if "." in c and not any(word in c for word in elsewhere)]


CASES = {command: page.name for page in reversed(PAGES) for command in commands(page)}
"""Each command, with the first page that it stands on."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all files that the commands read."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for name in ("m", "model", "a", "b"):
        for ending in ("param", "bin"):
            shutil.copy(ROOT / f"examples/small_cnn.{ending}", tmp_path / f"{name}.{ending}")
    monkeypatch.chdir(tmp_path)
    for path in ("zoo/m", "zoo/x/n"):
        (tmp_path / path).parent.mkdir(exist_ok=True, parents=True)
        for ending in ("param", "bin"):
            shutil.copy(ROOT / f"examples/small_cnn.{ending}", tmp_path / f"{path}.{ending}")
    (tmp_path / "decoder.param").write_text(DECODER)
    (tmp_path / "decoder.bin").touch()
    (tmp_path / "block.param").write_text(BLOCK)
    (tmp_path / "block.bin").touch()
    angles = np.outer(np.arange(8), [1, 0.01]).astype("f4")
    tables = (np.triu(np.full((8, 8), -1e9, "f4"), 1), np.cos(angles), np.sin(angles))
    (tmp_path / "exported.param").write_text(EXPORTED)
    (tmp_path / "exported.bin").write_bytes(b"".join(table.tobytes() for table in tables))
    (tmp_path / "llm.param").write_text(LLM)
    (tmp_path / "llm.bin").write_bytes(bytes(4 + 4 * 8 * 64))
    inputs = ROOT / "tests/filecheck/transforms/pnnx/Inputs"
    (tmp_path / "vit.ncnn.param").write_text((inputs / "windows.param").read_text())
    (tmp_path / "vit.ncnn.bin").touch()
    (tmp_path / "vit.pnnx.param").write_text((inputs / "windows.pnnx.param").read_text())
    with open("vit.pnnx.bin", "wb") as file:
        write_members(file, [])
    for name in ("m", "net"):
        (tmp_path / f"{name}.pnnx.param").write_text(PNNX)
        with open(f"{name}.pnnx.bin", "wb") as file:
            write_members(file, [("fc.weight", [bytes(32)])])
    np.save("x.npy", np.zeros((3, 32, 32), "f4"))
    (tmp_path / "model.table").write_text(TABLE)
    (tmp_path / "models.toml").write_text('["*"]\nseed = 7\n')
    (tmp_path / "names.txt").write_text("".join(f"class {i}\n" for i in range(20)))
    return tmp_path


def prepare(command: str, folder: Path) -> None:
    """Makes those files that another command of the pages would have made."""
    made = {
        "m.mlir": ["m.param", "-o", "m.mlir"],
        "m.param.bin": ["m.param", "-o", "m.param.bin"],
        "file.mlir": ["m.param", "-o", "file.mlir", "--output-weights", "file.bin"],
        "fast.param": ["-O", "m.param", "-o", "fast.param"],
        "n.param": ["-O", "m.param", "-o", "n.param"],
        "net.mlir": ["net.pnnx.param", "-o", "net.mlir"],
        "fused.mlir": ["-O", "--convert-ncnn-to-fused", "m.param", "-o", "fused.mlir"],
    }
    read = command if "--against" in command else command.partition(" -o ")[0]
    for name, arguments in made.items():
        if f" {name}" in read and not (folder / name).exists():
            ncnn_opt_main.main(arguments)
    if "calib" in command:
        pytest.importorskip("ncnn")
        np.save("calib.npy", np.random.default_rng(0).uniform(-1, 1, (4, 3, 32, 32)).astype("f4"))
    if "measure model.param int8.param" in command:
        apply = ["apply", "model.param", "--table", "model.table", "-o", "int8.param"]
        ncnn_quantize_main.main(apply)
    if "--table llm.table" in command:
        blocks = ["llm.param", "--weights-only", "--output-table", "llm.table", "-o", "other.param"]
        ncnn_quantize_main.main(blocks)
    if "list.txt" in command:
        pytest.importorskip("ncnn")
        np.save("0.npy", np.random.default_rng(0).uniform(-1, 1, (3, 32, 32)).astype("f4"))
        (folder / "list.txt").write_text("0.npy\n")
    if "merge" in command:
        calibrate = ["calibrate", "model.param", "--data", "calib.npy", "-j1"]
        np.save("calib.npy", np.zeros((4, 3, 32, 32), "f4"))
        for k in range(1, 5):
            ncnn_quantize_main.main([*calibrate, "--shard", f"{k}/4", "-o", f"{k}.npz"])
    if "--compare m.p" in command:
        prepare_source(folder)
    if "cat.jpg" in command:
        image = pytest.importorskip("PIL.Image")
        image.fromarray(np.zeros((32, 32, 3), "u1")).save("cat.jpg")
    if ".so" in command:
        try:
            find_tools()
        except NativeError as e:
            pytest.skip(str(e))
    elif "--output-kind mlir" not in command and any(
        word in command for word in ("ncnn-compile", "--engine iree", ".vmfb")
    ):
        pytest.importorskip("iree.compiler", reason="needs the extra native")
    if "model.vmfb" in command.partition(" -o ")[0]:
        ncnn_compile_main.main(["model.param", "-o", "model.vmfb"])
    runs = ("--compare ncnn", "--verify-equivalence", "--decode")
    if any(word in command for word in runs):
        pytest.importorskip("ncnn")


def prepare_source(folder: Path) -> None:
    """Makes a model of PyTorch and its conversion."""
    torch = pytest.importorskip("torch", reason="needs PyTorch (the extra export)")
    fc = torch.nn.Linear(4, 2, bias=False).eval()
    torch.nn.init.zeros_(fc.weight)
    torch.jit.trace(fc, torch.zeros(1, 4)).save("m.pt")
    (folder / "m.ncnn.param").write_text(CONVERTED)
    (folder / "m.ncnn.bin").write_bytes(bytes(4 + 4 * 8))
    np.save("x.npy", np.ones(4, "f4"))


@pytest.mark.parametrize(
    "command", CASES, ids=[f"{page}-{command}" for command, page in CASES.items()]
)
def test_command(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prepare(command, folder)
    capsys.readouterr()
    tool, *arguments = shlex.split(command)
    paths = [sorted(p.name for p in folder.glob(a)) if "*" in a else [a] for a in arguments]
    status = None
    try:
        MAINS[tool]([a for names in paths for a in names])
    except SystemExit as end:
        status = end.code
    output, told = capsys.readouterr()
    assert not status, told
    pairs = zip(arguments, arguments[1:], strict=False)
    written = ("-o", "--output", "--output-dir", "--summary", "--trace")
    results = [name for flag, name in pairs if flag in written]
    assert output or told or results
    assert all((folder / name).exists() for name in results)


def test_pages_have_commands() -> None:
    """The patterns above find them. (Those of ncnn-device need a device.)"""
    assert len(CASES) > 35
    assert {command.split()[0] for command in CASES} == MAINS.keys() - {"ncnn-device"}


def test_passes_of_xdsl_opt(folder: Path) -> None:
    """What README.md says of `xdsl-opt`."""
    assert "(`xdsl-opt -p fuse-conv-bn file.mlir`)" in PAGES[0].read_text()
    ours, xdsl = (str(Path(sys.executable).with_name(n)) for n in ("ncnn-opt", "xdsl-opt"))
    read = subprocess.run([ours, "model.param"], capture_output=True, text=True, check=True)
    command = [xdsl, "-p", "fuse-conv-bn"]
    result = subprocess.run(command, input=read.stdout, capture_output=True, text=True, check=True)
    assert "ncnn.convolution" in result.stdout


def test_every_page_is_linked() -> None:
    readme = PAGES[0].read_text()
    assert all(f"](docs/{page.name})" in readme for page in PAGES[1:])


def test_every_link_leads_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), (page.name, target)


def test_every_pass_has_a_row() -> None:
    """In docs/passes.md; or in docs/ncnnoptimize.md, if it is there for that name's sake only."""
    text = "".join((ROOT / "docs" / n).read_text() for n in ("passes.md", "ncnnoptimize.md"))
    text = re.sub(r"\n## All passes\n.*?(?=\n# )", "", text, flags=re.DOTALL)
    # `fuse-conv-bn`, `-mul` is short for two names.
    for first, rest in re.findall(r"`([a-z-]+)-[a-z]+`((?:,? (?:and )?`-[a-z]+`)+)", text):
        text += "".join(f"`{first}{short}`" for short in re.findall(r"`(-[a-z]+)`", rest))
    names = [(name, name.replace("-", "_")) for name in get_all_passes()]
    assert not [both for both in names if not any(f"`{name}`" in text for name in both)]
