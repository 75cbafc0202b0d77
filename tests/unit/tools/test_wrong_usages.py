"""What a user meets who means something else than he writes: each mistake with all that is said."""

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image")

Command = Callable[..., subprocess.CompletedProcess[str]]

PNNX = "convert it with pnnx (pip install pnnx)"

MODELS = {
    "custom.param": "7767517\n2 2\nInput data 0 1 data 0=3\nMyLayer mine 1 1 data out\n",
    "open.param": "7767517\n2 2\nInput data 0 1 data\nReLU relu 1 1 data out\n",
    "wide.param": "7767517\n2 2\nInput data 0 1 data\nConvolution conv 1 1 data out 0=2 1=1 6=6\n",
    "picture.param": "7767517\n2 2\nInput data 0 1 data 0=4 1=4 2=3\nReLU relu 1 1 data out\n",
    "old.param": "7767516\n1 1\nInput data 0 1 data\n",
    "cut.param": "7767517\n3 3\nInput data 0 1 data 0=3\nReLU relu 1 1 da",
}
IR = """func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = ncnn.relu %x {name = "relu", slope = 0.5} : (tensor<3xf32>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
"""
HEADER = (
    "this is a header for C++, which can be written but not read; give the .param that it was "
    "written from"
)

OPT = {
    # inputs that are something else
    "model.bin": "model.bin: these are the weights of a model; read 'model.param' instead",
    "net.onnx": f"net.onnx: this is an ONNX model; {PNNX}: pnnx net.onnx, which writes "
    "net.ncnn.param",
    "renamed": f"renamed: this is an ONNX model; {PNNX}: pnnx renamed, which writes "
    "renamed.ncnn.param",
    "net.pth": f"net.pth: this is a PyTorch file; save the model by torch.jit.trace and {PNNX}: "
    "pnnx net.pt inputshape=[1,3,224,224], which writes net.ncnn.param",
    "net.tflite": "net.tflite: this is a TensorFlow Lite model; convert it to ONNX (python -m "
    f"tf2onnx.convert --tflite net.tflite --output net.onnx), and {PNNX}: pnnx net.onnx",
    "net.h5": "net.h5: this is a Keras model; convert it to ONNX (python -m tf2onnx.convert), and "
    f"{PNNX}",
    "net.caffemodel": "net.caffemodel: this is a Caffe model; convert it with ncnn's caffe2ncnn",
    "net.mem.h": f"net.mem.h: {HEADER}",
    "renamed.txt": f"renamed.txt: {HEADER}",
    "gone.param": "gone.param: No such file or directory",
    "no/gone.param": "no/gone.param: there is no folder 'no'",
    "old.param": "old.param:1:1: this is not a .param file: it begins with '7767516' and not with "
    "the magic number 7767517",
    "cut.mlir": "cut.mlir:2:29: the text ends here: attribute expected",
    "misspelt.mlir": "misspelt.mlir:2:37: ncnn.relu has no parameter 'slop'; did you mean 'slope'?",
    "unknown.mlir": "unknown.mlir:2:18: there is no operation 'ncnn.rleu'; did you mean "
    "'ncnn.relu'?",
    # the command line
    "-O model.param fast.param": "'fast.param' is one input too many: -o writes it, and "
    "--output-dir takes several",
    "model.param other.txt": "'other.txt' is one input too many; several need --output-dir",
    "-O2 model.param -o out.param": "'-O2': -O has no levels, and takes nothing",
    "--optimize model.param": "unknown pass or option '--optimize'",
    "--output model.param": "unknown pass or option '--output'; did you mean '--output-dir', "
    "'--output-file' or '--output-weights'?",
    "--fuse-conv-relu model.param": "unknown pass or option '--fuse-conv-relu'",
    "--fuse_conv_bn model.param": "unknown pass or option '--fuse_conv_bn'; did you mean "
    "'--fuse-conv-bn'?",
    "--tolerence 1 model.param": "unknown pass or option '--tolerence'; did you mean "
    "'--tolerance'?",
    "-p fuse-conv-nb model.param": "unknown pass 'fuse-conv-nb'; did you mean 'fuse-conv-bn'?",
    "-p canonicalize{ model.param": "in the pipeline 'canonicalize{': Expected argument name here",
    "-p": "argument -p: expected a pipeline",
    "model.param -o": "argument -o/--output-file: expected one argument",
    "model.param -o fast": "what to write to 'fast' cannot be told from its name; .param, "
    ".param.bin, .mem.h (arrays for C++) or .mlir",
    "model.param -o x.id.h": "'x.id.h' is written beside 'x.param.bin' and 'x.mem.h': "
    "name one of these",
    "model.param -o no/fast.param": "no/fast.param: there is no folder 'no'",
    "model.param -t param": "-t param needs -o OUTPUT: its weights go to a file beside it",
    "model.param -t param -o x.mlir": "'x.mlir' is a .mlir by its name; -t says param",
    "model.param --tolerance 1": "--tolerance is for --verify-equivalence",
    "model.param --samples 2": "--samples is for --verify-equivalence",
    "model.param --seed 2": "--seed is for --verify-equivalence and --check",
    "model.param --samples 0": "argument --samples: a positive number is expected, not '0'",
    "model.param --custom-weights Mine=2": "model.param: there is no layer of type 'Mine'",
    "custom.param --weights none --custom-weights MyLayr=2": "custom.param: there is no layer of "
    "type 'MyLayr'; did you mean 'MyLayer'?",
    "model.param --custom-weights ReLU=2": "model.param: ReLU is a layer of ncnn; it needs no "
    "--custom-weights",
    "model.param --custom-weights Mine": "--custom-weights takes TYPE=COUNT[,COUNT…] or TYPE=0, "
    "not 'Mine'",
    "custom.param": "custom.param: there is no 'custom.bin' beside it: name the weights with "
    "--weights FILE, or use --weights none or --weights random; if MyLayer 'mine' has no weights: "
    "--custom-weights MyLayer=0",
    "custom.param --weights tagged.bin --custom-weights MyLayer=2": "tagged.bin: 4 bytes are left "
    "over after the last layer with weights, MyLayer 'mine' (it ends at byte 8). The weights of "
    "'MyLayer' come from --custom-weights; a weight that the layer loads with a tag "
    "(ModelBin::load(w, 0)) has one float more; --allow-trailing-weights ignores them",
    "model.param --input-shape 3,2": "--input-shape takes INPUT=EXTENTS, as data=3,224,224, not "
    "'3,2'",
    "model.param --input-shape dta=3": "model.param: there is no input 'dta'; did you mean 'data'?",
    "model.param --cut-to rleu": "model.param: there is no layer 'rleu'; did you mean 'relu'?",
    "model.param --keep-blob nothing": "model.param: there is no blob 'nothing'",
    "model.param --stop-after recognise -O": "no stage or pass 'recognise' to stop after; did you "
    "mean 'recognize'?",
    "model.param --weights no.bin": "no.bin: No such file or directory",
    "open.param --weights none --check": "the shape of input 'data' is not known (tensor<*xf32>); "
    "give it with --input-shape data=…",
    "model.param other.param --output-dir out -o x.param": "-o names one file; --output-dir keeps "
    "their names",
    "model.param -O --verify-equivalence --keep-blob nothing": "model.param: there is no blob "
    "'nothing'",
    "model.param --output-dir out --jobs 0": "--jobs takes a number from 1 on, not '0'",
    "net.onnx --output-dir out": f"net.onnx: this is an ONNX model; {PNNX}: pnnx net.onnx, which "
    "writes net.ncnn.param",
    "--output-dir out": "--output-dir needs models to optimize",
}
OTHERS = {
    "ncnn-compile": {
        "": "there is no model; see --help",
        "model.param": "there is no -o OUTPUT; see --help",
        "model.param -o m.param": "'m.param': the ending selects the kind of output; "
        "use .vmfb, .mlir or .so",
        "model.param -o no/m.mlir": "no/m.mlir: there is no folder 'no'",
        "model.param -o m.vmfb --target-cpu m1 --target-device metal": "metal does not support a "
        "choice of processor",
        "model.param -o m.vmfb --externalize args": "--externalize args is for an .mlir",
        "model.param -o m.so --target-device cuda": "model.param: a shared library is for a CPU, "
        "not for cuda",
        "model.param -o m.vmfb --autotune-seconds 5": "--autotune-seconds is for --autotune",
        "model.param -o m.vmfb --input-shape dat=3": "model.param: there is no input 'dat'; did "
        "you mean 'data'?",
        "gone.param -o m.vmfb": "gone.param: No such file or directory",
        "model.param -o m.mlir --autotune": "--autotune is for a .vmfb: it runs the code",
        "model.param -o m.mlir --input-shape dat=3": "model.param: there is no input 'dat'; did "
        "you mean 'data'?",
        "open.param --weights none -o m.mlir": "open.param: the shape of input 'data' is not "
        "known; give it with --input-shape data=…",
        "custom.param --weights none -o m.mlir": "custom.param: ncnn has no layer 'MyLayer' "
        "(mine): the application must register it; if it has weights, say how many: "
        "--custom-weights MyLayer=COUNT",
        "net.onnx -o m.mlir": f"net.onnx: this is an ONNX model; {PNNX}: pnnx net.onnx, which "
        "writes net.ncnn.param",
    },
    "ncnn-report": {
        "": "there is no model; see --help",
        "net.onnx": f"net.onnx: this is an ONNX model; {PNNX}: pnnx net.onnx, which writes "
        "net.ncnn.param",
        "model.param -o model.param": "'model.param' is a model: the report would replace it",
        "model.param --html no/x.html": "no/x.html: there is no folder 'no'",
        "model.param -o a.html --html b.html": "'a.html' would be a page, as 'b.html' is",
        "model.param --input-shape dat=3": "model.param: there is no input 'dat'; did you mean "
        "'data'?",
    },
    "ncnn-run": {
        "": "there is no model; see --help",
        "net.mem.h": f"net.mem.h: {HEADER}",
        "no.vmfb --input random": "no.vmfb: No such file or directory",
        "no.vmfb --compare ncnn": "'no.vmfb' is compiled: compare it with a model of ncnn, for "
        "example with the one that was compiled: --compare model.param --engine ncnn",
        "model.param": "model.param: input 'data' is missing; it is tensor<3xf32>",
        "model.param --input dta=x.npy": "there is no input 'dta'; did you mean 'data'?",
        "model.param --input x.npy --mean 3": "--mean is for images; arrays are taken as they are",
        "model.param --input x.npy --to-rgb": "--to-rgb is for images; arrays are taken as they "
        "are",
        "model.param --input random --tolerance 1": "--tolerance is for --compare and --on-device",
        "model.param --input random --no-packing": "--no-packing is for the ncnn runtime: --engine "
        "ncnn or --compare",
        "model.param --input dta=x.npy --engine ncnn": "there is no input 'dta'; did you mean "
        "'data'?",
        "model.param --input dta=x.npy --engine iree": "there is no input 'dta'; did you mean "
        "'data'?",
        "model.param --input random --compare ncnn --blob outt": "there is no blob 'outt'; did you "
        "mean 'out'?",
        "model.param --input gone.png": "gone.png: No such file or directory",
        "model.param --input random --labels words.txt": "--labels is for --top",
        "model.param --input random -o out.npy": "--output writes .npz, not 'out.npy'",
        "model.param --input random -o no/out.npz": "no/out.npz: there is no folder 'no'",
        "picture.param --weights random --input cut.png": "cut.png: image file is truncated",
        "model.param --input gone.npy": "gone.npy: No such file or directory",
    },
    "ncnn-quantize": {
        "": "there is no model; see --help",
        "model.param --data two.npy -o out.param --holdout 2": "holdout is 2: there are 2 samples",
        "model.param --data two.npy -o out.param --keep rleu": "model.param: there is no layer "
        "'rleu'; did you mean 'relu'?",
        "calibrate model.param --data x.npy -o out.table": "x.npy: array 'data' is 3, samples x 3 "
        "are expected",
        "calibrate model.param --data gone.npy -o out.table": "gone.npy: No such file or directory",
        "measure model.param gone.param --data two.npy": "gone.param: No such file or directory",
        "measure model.param model.param --data two.npy --classes words.txt": "words.txt: 'cat' is "
        "no number of a class",
    },
    "ncnn-table": {
        "model.param model.bin words.txt out.table methd=kl": "there is no 'methd='; did you "
        "mean 'method'?",
        "model.param model.bin words.txt out.table thread=0": "thread is a positive number, "
        "not '0'",
        "model.param model.bin words.txt,words.txt out.table": "expect 1 lists, but got 2",
    },
    "ncnn-optimize": {
        "model.param model.bin out.param out.bin fast": "FLAG is a number, not 'fast'",
        "net.onnx model.bin out.param out.bin 0": f"net.onnx: this is an ONNX model; {PNNX}: pnnx "
        "net.onnx, which writes net.ncnn.param",
        "model.param model.bin out.param out.bin 0 rleu": "model.param: there is no layer 'rleu'; "
        "did you mean 'relu'?",
    },
}
CASES = [
    (tool, words, said)
    for tool, some in {"ncnn-opt": OPT, **OTHERS}.items()
    for words, said in some.items()
]


@pytest.fixture
def files(folder: Path) -> Path:
    for name, text in MODELS.items():
        (folder / name).write_text(text)
    (folder / "net.onnx").write_bytes(b"\x08\x07\x12\x07pytorch")
    (folder / "renamed").write_bytes(b"\x08\x07\x12\x07pytorch")
    for name in ("net.mem.h", "renamed.txt"):
        (folder / name).write_text("#ifndef NCNN_INCLUDE_GUARD_net_mem_h\n")
    (folder / "net.pth").write_bytes(b"PK\x03\x04")
    (folder / "net.tflite").write_bytes(b"\x1c\0\0\0TFL3")
    (folder / "net.h5").write_bytes(b"\x89HDF\r\n")
    (folder / "net.caffemodel").write_bytes(b"\n\x03net")
    (folder / "tagged.bin").write_bytes(bytes(12))
    (folder / "cut.mlir").write_text(IR[: IR.index('"relu"')])
    (folder / "misspelt.mlir").write_text(IR.replace("slope", "slop"))
    (folder / "unknown.mlir").write_text(IR.replace("ncnn.relu", "ncnn.rleu"))
    np.save(folder / "x.npy", np.zeros(3, "f4"))
    np.save(folder / "two.npy", np.zeros((2, 3), "f4"))
    (folder / "words.txt").write_text("cat\ndog\n")
    image = Image.fromarray(np.random.default_rng(0).integers(0, 255, (20, 20, 3), np.uint8))
    image.save(folder / "whole.png")
    (folder / "cut.png").write_bytes((folder / "whole.png").read_bytes()[:300])
    return folder


def without_verdict(text: str, words: str) -> str:
    """The messages of a command, without the line that a check failed."""
    asked = (word for word in words.split() if word in ("--check", "--verify-equivalence"))
    return text.removesuffix(f"ncnn-opt: FAILED: {', '.join(asked)}\n")


@pytest.mark.parametrize(("tool", "words", "said"), CASES, ids=[f"{t} {w}" for t, w, _ in CASES])
def test_wrong_usage(tool: str, words: str, said: str, files: Path, command: Command) -> None:
    result = command(words.split(), tool=tool, check=False)
    assert (result.returncode, result.stdout) == (1, "")
    assert without_verdict(result.stderr, words) == f"{tool}: error: {said}\n"


EXTRAS = ("PIL", "distributed", "iree", "ncnn", "shtab", "torch", "tqdm")
"""The packages that only extras install."""
BARE = [(tool, words, said) for tool, words, said in CASES if "cut.png" not in words]
"""The cases that need none of them."""


@pytest.mark.parametrize(("tool", "words", "said"), BARE, ids=[f"{t} {w}" for t, w, _ in BARE])
def test_wrong_usage_before_a_missing_extra(
    tool: str,
    words: str,
    said: str,
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in list(sys.modules):
        if name.partition(".")[0] in EXTRAS:
            monkeypatch.delitem(sys.modules, name)
    for name in EXTRAS:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.chdir(files)
    main = importlib.import_module(f"ncnn_opt.tools.{tool.replace('-', '_')}_main").main
    with pytest.raises(SystemExit) as end:
        main(words.split())
    assert end.value.code == 1
    out, err = capsys.readouterr()
    assert (out, without_verdict(err, words)) == ("", f"{tool}: error: {said}\n")
