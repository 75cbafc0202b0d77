"""What a user can get wrong, through the real command: one message that says where, status 1, and
all files as they were."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

Refused = Callable[..., str]
Command = Callable[..., "object"]

TO_PARAM = ["model.param", "-o", "out.param"]


def test_file_that_is_not_there(refused: Refused) -> None:
    assert refused(["nothing.param", "-o", "out.param"]) == (
        "nothing.param: No such file or directory"
    )


def test_folder_as_a_model(refused: Refused, folder: Path) -> None:
    (folder / "folder.param").mkdir()
    assert refused(["folder.param", "-o", "out.param"]) == (
        "'folder.param' is a folder: --output-dir DIR takes its models"
    )


def test_model_without_weights(refused: Refused, folder: Path) -> None:
    (folder / "model.bin").unlink()
    message = refused(TO_PARAM)
    assert message.startswith("model.param: there is no 'model.bin'")
    assert "--weights" in message


def line(number: int, text: str) -> Callable[[str], str]:
    """Puts another text in a line's place."""

    def change(model: str) -> str:
        lines = model.splitlines()
        lines[number - 1] = text
        return "\n".join(lines) + "\n"

    return change


PARAMS: dict[str, tuple[Callable[[str], str | bytes], str]] = {
    "empty": (lambda m: "", r"1:1: .*empty"),
    "wrong magic": (line(1, "7767518"), r"1:1: .*'7767518'"),
    "an image": (lambda m: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", r"1:1: .*not UTF-8"),
    "not UTF-8": (lambda m: m.encode().replace(b"relu", b"re\xfflu"), r"5:8: .*not UTF-8"),
    "a NUL byte": (lambda m: m.encode().replace(b"relu", b"re\0lu"), r"5:8: .*NUL"),
    "IR of PNNX": (line(3, "pnnx.Input in 0 1 data #data=(1,3)f32"), r"3:1: .*PNNX.*ncnn\.param"),
    "PNNX attributes": (
        line(4, "nn.Linear fc 1 1 data fc bias=True @weight=(4,3)f32"),
        r"4:26: .*PNNX",
    ),
    "more layers than there are": (line(2, "4 3"), r"2:1: .*4 layers.* 3"),
    "fewer blobs than there are": (line(2, "3 2"), r"2:3: .*2 blobs.* 3"),
    "no layers": (line(2, "0 0"), r"2:1: 0 "),
    "a billion layers": (line(2, "1000000000 3"), r"2:1: 1000000000 "),
    "counts that are no numbers": (line(2, "three 3"), r"2:1: .*'three'"),
    "a line cut short before an output": (
        line(4, "InnerProduct fc 1 1 data"),
        r"4:25: layer 'fc' is cut short: no output",
    ),
    "a line cut short after the name": (line(4, "InnerProduct fc"), r"4:16: layer 'fc' .*short"),
    "the end cut off": (lambda m: m[:-8], r"5:14: layer 'relu' is cut short"),
    "the last line cut off": (lambda m: m[: m.index("ReLU")], r"2:1: .*3 layers.* 2"),
    "a billion inputs": (line(5, "ReLU relu 1000000000 1 fc out"), r"5:11: .*1000000000"),
    "an undefined blob": (line(5, "ReLU relu 1 1 fd out"), r"5:15: .*'relu'.*'fd'"),
    "a blob before its layer": (line(4, "ReLU fc 1 1 out fc"), r"4:13: .*'out'"),
    "a blob made twice": (line(5, "ReLU relu 1 1 fc data"), r"5:18: .*'data'.*'data'"),
    "a blob that is a parameter": (line(5, "ReLU relu 1 2 fc out 0=0.5"), r"5:22: .*'0=0.5'"),
    "a number too large": (
        line(4, "InnerProduct fc 1 1 data fc 0=4 2=99999999999"),
        r"4:35: .*parameter 2.*'99999999999'",
    ),
    "a number that is none": (line(5, "ReLU relu 1 1 fc out 0=1.2.3"), r"5:24: .*'1\.2\.3'"),
    "an id that is none": (line(5, "ReLU relu 1 1 fc out 32=1"), r"5:22: .*32"),
    "text after the parameters": (line(5, "ReLU relu 1 1 fc out 0=1.0 slope"), r"5:28: .*'slope'"),
    "an open quote": (line(5, 'ReLU relu 1 1 fc out 1="a b'), r"5:24: .*quote"),
    "an absurd array length": (
        line(5, "ReLU relu 1 1 fc out -23303=2000000000,1"),
        r"5:29: .*2000000000 has 1 ",
    ),
    "a negative array length": (line(5, "ReLU relu 1 1 fc out -23303=-1"), r"5:29: .*'-1'"),
    "no outputs": (line(4, "InnerProduct fc 1 1 data fc 0=0 2=12"), r"4: .*num_output 0"),
    "a negative size": (line(4, "InnerProduct fc 1 1 data fc 0=4 2=-12"), r"4: .*4x-3"),
    "a size that does not divide": (
        line(4, "InnerProduct fc 1 1 data fc 0=4 2=13"),
        r"4: .*13.*4",
    ),
    "a layer with an input too many": (
        line(5, "ReLU relu 2 1 fc data out"),
        r"5: ReLU 'relu': 2 inputs, but the layer has 1",
    ),
    "a layer without its input": (line(5, "ReLU relu 0 1 out"), r"5: ReLU 'relu': 0 inputs"),
}
"""How a model is damaged, and the message: its place in `model.param`, and some of its words."""


@pytest.mark.parametrize("what", PARAMS)
def test_damaged_param(what: str, refused: Refused, folder: Path) -> None:
    damage, expected = PARAMS[what]
    model = folder / "model.param"
    text = damage(model.read_text())
    model.write_bytes(text.encode() if isinstance(text, str) else text)
    message = refused(TO_PARAM)
    assert re.match(rf"model\.param:{expected}", message), message


def test_binary_param_that_is_cut_off(refused: Refused, folder: Path) -> None:
    (folder / "model.param.bin").write_bytes((7767517).to_bytes(4, "little") + b"\3\0\0\0\3")
    assert refused(["model.param.bin", "-o", "out.param"]).startswith("model.param.bin: ")


WEIGHT_FILES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda b: b"", r"too short: InnerProduct 'fc', weight 'weight'.* 0$"),
    "short of the bias": (
        lambda b: b[:-4],
        r"too short: InnerProduct 'fc', weight 'bias' \(4 elements, from byte 52\)"
        r" needs 68 bytes, but the file has 64",
    ),
    "too long": (
        lambda b: b + bytes(6),
        r"6 bytes are left over.* InnerProduct 'fc' .*byte 68.*--allow-trailing-weights",
    ),
}


@pytest.mark.parametrize("what", WEIGHT_FILES)
def test_weights_that_do_not_fit(what: str, refused: Refused, folder: Path) -> None:
    change, expected = WEIGHT_FILES[what]
    weights = folder / "model.bin"
    weights.write_bytes(change(weights.read_bytes()))
    message = refused(TO_PARAM)
    assert re.match(rf"model\.bin: {expected}", message), message
    assert "--custom-weights" not in message


def test_trailing_weights_can_be_allowed(command: Command, folder: Path) -> None:
    weights = folder / "model.bin"
    model = weights.read_bytes()
    weights.write_bytes(model + bytes(6))
    command([*TO_PARAM, "--allow-trailing-weights"])
    assert (folder / "out.bin").read_bytes() == model


@pytest.mark.parametrize("size", [20, 68 + 16])
def test_weights_that_may_be_those_of_a_custom_layer(
    size: int, refused: Refused, folder: Path
) -> None:
    model, weights = folder / "model.param", folder / "model.bin"
    text = model.read_text().replace("3 3", "4 4").replace("fc out", "mine out")
    model.write_text(text.replace("ReLU", "Mine mine 1 1 fc mine\nReLU"))
    weights.write_bytes(weights.read_bytes().ljust(size, b"\0")[:size])
    message = refused(TO_PARAM)
    assert message.startswith("model.bin: ")
    assert "'Mine'" in message
    assert "--custom-weights Mine=COUNT" in message


@pytest.mark.parametrize(
    "line",
    [
        "InnerProduct fc 1 1 data fc 0=4 2=2000000000",
        "InnerProduct fc 1 1 data fc 0=2000000000 2=2000000000",
        "Convolution fc 1 1 data fc 0=1 1=2000000000 6=2000000000 11=1",
        "MemoryData fc 0 1 fc 0=2000000000 1=2000000000 11=2000000000 2=2000000000",
        "BatchNorm fc 1 1 data fc 0=2147483647",
    ],
)
def test_absurd_weight_sizes_are_not_taken_at_their_word(
    line: str, refused: Refused, folder: Path
) -> None:
    model = folder / "model.param"
    model.write_text(re.sub("InnerProduct.*", line, model.read_text()))
    message = refused(TO_PARAM)
    assert message.startswith("model.bin: too short: ")
    assert message.endswith("the file has 68")


WEIGHTS_OPTIONS: dict[str, str] = {
    "nowhere.bin": r"nowhere\.bin: No such file",
    ".": r".*directory",
    "random:x": r".*random:SEED.*'x'",
    "random:-1": r".*random:SEED.*'-1'",
    "random:": r".*random:SEED",
    "": r"^(?!'' is a directory)",
}


@pytest.mark.parametrize("value", WEIGHTS_OPTIONS)
def test_bad_value_of_weights(value: str, refused: Refused) -> None:
    message = refused([*TO_PARAM, "--weights", value])
    assert re.search(WEIGHTS_OPTIONS[value], message), message


def test_param_on_standard_input_has_no_weights_beside_it(refused: Refused) -> None:
    assert "--weights" in refused(["-f", "param", "-o", "out.param"], input="7767517\n")


@pytest.mark.parametrize("value", ["Mine", "Mine=", "=4", "Mine=-1", "Mine=4,,5", "M=x"])
def test_bad_value_of_custom_weights(value: str, refused: Refused) -> None:
    message = refused([*TO_PARAM, "--custom-weights", value])
    assert "TYPE=COUNT" in message
    assert f"'{value}'" in message


def test_writing_weights_that_there_are_not(refused: Refused) -> None:
    message = refused([*TO_PARAM, "--weights", "none"])
    assert message == (
        "'out.bin' exists: it would be read as the weights of 'out.param', which is written "
        "without weights; write to another name"
    )
