"""Models repaired by PNNX's own IR: results, refusals, and `--pnnx` of all commands."""

from pathlib import Path

import numpy as np
import pytest

import ncnn_opt

from .conftest import Command, Refused

HEAD = "7767517\n"


def write(folder: Path, param: str, pnnx: str) -> None:
    """A model as the converter leaves it, and PNNX's own IR of it."""
    for name, text in (("net.param", param), ("net.pnnx.param", pnnx)):
        lines = text.strip().splitlines()
        blobs = {word for line in lines for word in names(line)}
        (folder / name).write_text(f"{HEAD}{len(lines)} {len(blobs)}\n{text.strip()}\n")
    (folder / "net.bin").touch()


def names(line: str) -> list[str]:
    """The results of an operator."""
    words = line.split()
    inputs, outputs = int(words[2]), int(words[3])
    return words[4 + inputs : 4 + inputs + outputs]


def expression(folder: Path, text: str, shape: str = "(1,3,2,6)") -> None:
    """A model of one expression behind a layer that ncnn does not have."""
    longer = shape.replace("(1,", "(1,1,")
    write(
        folder,
        "Input in0 0 1 in0 0=6 1=2 2=3\ntorch.unsqueeze u 1 1 in0 b1\npnnx.Expression e 1 1 b1 b2",
        f"pnnx.Input pnnx_input_0 0 1 0 #0={shape}f32\n"
        f"torch.unsqueeze u 1 1 0 1 dim=1 #0={shape}f32 #1={longer}f32\n"
        f"pnnx.Expression e 1 1 1 2 expr={text} #1={longer}f32 #2={longer}f32\n"
        f"pnnx.Output pnnx_output_0 1 0 2 #2={longer}f32",
    )


X = (np.arange(36, dtype="f4").reshape(3, 2, 6) - 17.5) / 7


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("pow(@0,2)", X**2),
        ("pow(@0,1)", X),
        ("remainder(@0,0.3)", np.mod(X, np.float32(0.3))),
        ("fmod(@0,0.3)", np.fmod(X, np.float32(0.3))),
    ],
)
def test_expressions_of_negative_values(folder: Path, text: str, want: np.ndarray) -> None:
    expression(folder, text)
    model = ncnn_opt.load(folder / "net.param", pnnx=folder / "net.pnnx.param")
    got = model.run({"in0": X})["b2"].reshape(want.shape)
    assert np.allclose(got, want, atol=1e-5)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "pow(@0,@0)",
            "'pow' with an exponent that is not a number needs a positive number as base; if the "
            "base is always positive, export exp(exponent * log(base))",
        ),
        (
            "pow(-2,@0)",
            "'pow' with an exponent that is not a number needs a positive number as base; if the "
            "base is always positive, export exp(exponent * log(base))",
        ),
        (
            "pow(0,@0)",
            "'pow' with an exponent that is not a number needs a positive number as base; if the "
            "base is always positive, export exp(exponent * log(base))",
        ),
        ("pow(@0,1025)", "the exponent of 'pow' is an integer beyond 1024"),
        ("pow(@0,-1025)", "the exponent of 'pow' is an integer beyond 1024"),
        ("torch.where(@0,1)", "'torch.where' has no layer"),
        ("cumsum(@0,1)", "'cumsum' has no layer"),
        ("add(@0,inf)", "'inf' is not a finite number"),
        ("add(@0", "the expression cannot be parsed"),
        ("add(@0,1)1", "the expression cannot be parsed"),
    ],
)
def test_expressions_without_a_form(folder: Path, refused: Refused, text: str, reason: str) -> None:
    expression(folder, text)
    message = refused(["net.param", "--pnnx", "net.pnnx.param", "-o", "out.param"])
    assert message == f"net.param: pnnx.Expression 'e' has no form in ncnn's layers: {reason}"


def test_operands_that_broadcast_in_too_many_dims(folder: Path, refused: Refused) -> None:
    first, second, both = "(2,1,2,1,2,1)", "(1,2,1,2,1,2)", "(2,2,2,2,2,2)"
    write(
        folder,
        "Input in0 0 1 in0 0=8\nInput in1 0 1 in1 0=8\n"
        "Tensor.reshape r 1 1 in0 b2\nTensor.reshape s 1 1 in1 b3\n"
        "pnnx.Expression e 2 1 b2 b3 b4\nTensor.reshape t 1 1 b4 b5",
        "pnnx.Input i 0 1 0 #0=(1,8)f32\npnnx.Input j 0 1 1 #1=(1,8)f32\n"
        f"Tensor.reshape r 1 1 0 2 shape={first} #0=(1,8)f32 #2={first}f32\n"
        f"Tensor.reshape s 1 1 1 3 shape={second} #1=(1,8)f32 #3={second}f32\n"
        f"pnnx.Expression e 2 1 2 3 4 expr=add(@0,@1) #2={first}f32 #3={second}f32 "
        f"#4={both}f32\nTensor.reshape t 1 1 4 5 shape=(1,64) #4={both}f32 #5=(1,64)f32\n"
        f"pnnx.Output out 1 0 5 #5=(1,64)f32",
    )
    assert refused(["net.param", "--pnnx", "net.pnnx.param", "-o", "out.param"]) == (
        "net.param: pnnx.Expression 'e' has no form in ncnn's layers: "
        "the operands do not broadcast in at most four dims"
    )


@pytest.mark.parametrize("text", ["pow(@0,1024)", "pow(@0,-1024)", "pow(2,@0)"])
def test_powers_that_have_one(folder: Path, command: Command, text: str) -> None:
    expression(folder, text)
    command(["net.param", "--pnnx", "net.pnnx.param", "-o", "made.param"])
    assert "pnnx" not in (folder / "made.param").read_text()


@pytest.mark.parametrize(
    "kind", ["torch.where", "torch.cumsum", "torch.kthvalue", "torch.roll", "torch.einsum"]
)
def test_operators_that_no_pass_knows_are_an_error(
    folder: Path, command: Command, refused: Refused, kind: str
) -> None:
    write(
        folder,
        f"Input in0 0 1 in0 0=6 1=2 2=3\n{kind} o 1 1 in0 b1",
        f"pnnx.Input i 0 1 0 #0=(1,3,2,6)f32\n{kind} o 1 1 0 1 #0=(1,3,2,6)f32 #1=(1,3,2,6)f32\n"
        "pnnx.Output out 1 0 1 #1=(1,3,2,6)f32",
    )
    arguments = ["net.param", "--pnnx", "net.pnnx.param", "-o", "made.param"]
    message = refused(arguments)
    assert message.startswith(f"net.param: {kind} 'o' has no form in ncnn's layers: ")
    assert message.endswith(
        "; the runtime does not load the model, --keep-going writes it nevertheless"
    )
    assert not (folder / "made.param").exists()
    said = command([*arguments, "--keep-going"]).stderr
    assert kind in (folder / "made.param").read_text()
    assert f"ncnn has no layer '{kind}' (o): PNNX left it as it was, and no pass knows it" in said


CAT = (
    "Input in0 0 1 in0 0=6 1=3\nInput in1 0 1 in1 0=6 1=3\ntorch.cat c 2 1 in0 in1 b2",
    "pnnx.Input i 0 1 0 #0=(1,3,6)f32\npnnx.Input j 0 1 1 #1=(1,3,6)f32\n"
    "torch.cat c 2 1 0 1 2 dim=0 #0=(1,3,6)f32 #1=(1,3,6)f32 #2=(2,3,6)f32\n"
    "pnnx.Output out 1 0 2 #2=(2,3,6)f32",
)


def test_an_output_that_is_a_batch_is_one_blob(folder: Path) -> None:
    write(folder, *CAT)
    model = ncnn_opt.load(folder / "net.param", pnnx=folder / "net.pnnx.param")
    a, b = np.random.default_rng(1).normal(size=(2, 3, 6)).astype("f4")
    assert np.array_equal(model.run({"in0": a, "in1": b})["b2"], np.stack([a, b]))


def test_an_output_of_five_dims_is_one_blob(folder: Path) -> None:
    write(
        folder,
        "Input in0 0 1 in0 0=3\nSplit s 1 2 in0 x y\ntorch.cat c 2 1 x y b3\n"
        "Tensor.reshape r 1 1 b3 b6",
        "pnnx.Input i 0 1 0 #0=(1,3)f32\n"
        "torch.cat c 2 1 0 0 3 dim=-2 #0=(1,3)f32 #3=(2,3)f32\n"
        "Tensor.reshape r 1 1 3 6 shape=(2,3,1,1,1) #3=(2,3)f32 #6=(2,3,1,1,1)f32\n"
        "pnnx.Output out 1 0 6 #6=(2,3,1,1,1)f32",
    )
    model = ncnn_opt.load(folder / "net.param", pnnx=folder / "net.pnnx.param")
    x = np.array([1, 2, 3], "f4")
    assert np.array_equal(model.run({"in0": x})["b6"].reshape(2, 3), np.stack([x, x]))


def batch(shape: str) -> str:
    """IR of a ReLU that reads a tensor as a batch of blobs of this shape."""
    blob, tensor, flat = (f"tensor<{n}xf32>" for n in (shape, f"2x{shape}", "24"))
    return (
        f'func.func @main(%x: {flat} {{ncnn.blob = "x"}}) -> (tensor<*xf32> {{ncnn.blob = "y"}}) {{'
        f"\n  %t = pnnx.cast %x : {flat} to {tensor}\n"
        f"  %b = pnnx.cast %t {{to_batch = 0 : i32}} : {tensor} to {blob}\n"
        f'  %y = ncnn.relu %b {{name = "r"}} : ({blob}) -> tensor<*xf32>\n'
        "  func.return %y : tensor<*xf32>\n}\n"
    )


def test_a_batch_that_no_reshape_makes(folder: Path, command: Command, refused: Refused) -> None:
    (folder / "three.mlir").write_text(batch("3x2x2"))
    assert "pnnx" not in command(["--legalize-pnnx-cast", "three.mlir"]).stdout
    (folder / "four.mlir").write_text(batch("3x2x2x1"))
    assert refused(["--legalize-pnnx-cast", "four.mlir"]) == (
        "four.mlir: ReLU 'r' reads a batch of blobs of 4 dims, which no Reshape makes of the "
        "2x3x2x2x1 tensor of an input; export the model with a batch of 1"
    )


def test_an_expression_of_blobs_that_are_read_far_before(folder: Path) -> None:
    """The first of two layers of an expression is three layers before the last."""
    shape = "(1,2,2,3,2,1)"
    write(
        folder,
        "".join(f"Input in{i} 0 1 in{i} 0=24\n" for i in range(4))
        + "".join(f"Tensor.reshape r{i} 1 1 in{i} b{i}\n" for i in range(3))
        + "BinaryOp mul_0 2 1 b0 b1 m 0=2\n"
        "torch.unsqueeze u 1 1 in3 x\nReLU relu 1 1 x y\n"
        "BinaryOp add_1 2 1 m b2 s 0=0\nTensor.reshape r4 1 1 s z",
        "".join(f"pnnx.Input i{i} 0 1 {i} #{i}=(1,24)f32\n" for i in range(4))
        + "".join(
            f"Tensor.reshape r{i} 1 1 {i} 1{i} shape={shape} #{i}=(1,24)f32 #1{i}={shape}f32\n"
            for i in range(3)
        )
        + f"pnnx.Expression e 3 1 10 11 12 20 expr=add(mul(@0,@1),@2) #10={shape}f32 "
        f"#11={shape}f32 #12={shape}f32 #20={shape}f32\n"
        "torch.unsqueeze u 1 1 3 30 dim=2 #3=(1,24)f32 #30=(1,24,1)f32\n"
        "nn.ReLU relu 1 1 30 31 #30=(1,24,1)f32 #31=(1,24,1)f32\n"
        f"Tensor.reshape r4 1 1 20 21 shape=(1,24) #20={shape}f32 #21=(1,24)f32\n"
        "pnnx.Output o 1 0 21 #21=(1,24)f32\npnnx.Output p 1 0 31 #31=(1,24,1)f32",
    )
    model = ncnn_opt.load(folder / "net.param", pnnx=folder / "net.pnnx.param")
    assert not model.missing
    a, b, c, d = np.random.default_rng(2).normal(size=(4, 24)).astype("f4")
    got = model.run({"in0": a, "in1": b, "in2": c, "in3": d})
    assert np.allclose(got["z"], a * b + c, atol=1e-6)


LINE = "--pnnx net.pnnx.param"


def test_all_commands_take_it(folder: Path, command: Command) -> None:
    """The layers that ncnn does not have are repaired, and the shape is the one of PNNX's IR."""
    expression(folder, "add(mul(@0,@0),1)")
    text = (folder / "net.param").read_text().replace(" 0=6 1=2 2=3", "")
    (folder / "net.param").write_text(text)
    np.save(folder / "x.npy", X)
    both = ["net.param", *LINE.split()]
    command([*both, "--input", "in0=x.npy", "-o", "y.npz"], tool="ncnn-run")
    with np.load(folder / "y.npz") as values:
        assert np.allclose(values["b2"].reshape(X.shape), X * X + 1, atol=1e-6)
    report = command(both, tool="ncnn-report").stdout
    assert "Reshape" in report
    assert "3x2x6" in report
    assert "unsqueeze" not in report
    command([*both, "-o", "made.mlir"], tool="ncnn-compile")
    assert "linalg" in (folder / "made.mlir").read_text()


@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("ncnn-run", ["-o", "y.npz", "--input", "random"]),
        ("ncnn-compile", ["-o", "made.mlir"]),
        ("ncnn-report", []),
        ("ncnn-quantize", ["-o", "made.param", "--data", "x.npy"]),
    ],
)
def test_the_file_is_missing(folder: Path, command: Command, tool: str, more: list[str]) -> None:
    np.save(folder / "x.npy", X)
    done = command(["model.param", "--pnnx", "absent", *more], tool=tool, check=False)
    assert (done.returncode, done.stderr) == (
        1,
        f"{tool}: error: absent: No such file or directory\n",
    )


@pytest.mark.parametrize(
    ("tool", "option"), [("ncnn-compile", "-o"), ("ncnn-report", "--html"), ("ncnn-run", "-o")]
)
def test_the_file_is_not_replaced(folder: Path, command: Command, tool: str, option: str) -> None:
    expression(folder, "add(mul(@0,@0),1)")
    name = {"ncnn-run": "net.npz", "ncnn-compile": "net.mlir"}.get(tool, "net.html")
    (folder / "net.pnnx.param").rename(folder / name)
    before = (folder / name).read_bytes()
    arguments = ["net.param", "--pnnx", name, option, name]
    arguments += ["--input", "random"] if tool == "ncnn-run" else []
    done = command(arguments, tool=tool, check=False)
    assert done.returncode == 1, done.stdout
    assert name in done.stderr
    assert (folder / name).read_bytes() == before


def test_native_code_has_none(folder: Path, command: Command) -> None:
    (folder / "x.vmfb").touch()
    done = command(["x.vmfb", "--pnnx", "x"], tool="ncnn-run", check=False)
    assert done.stderr == "ncnn-run: error: --pnnx is for models, 'x.vmfb' is compiled\n"
