"""Mistakes in the options that edit a model: each gives one message, and nothing is written."""

from pathlib import Path

import pytest
from ncnn_opt.tools.ncnn_opt_main import main

FILES = {
    "a": "4 5\nInput in0 0 1 in0 0=8\nSplit two 1 2 in0 x y\nReLU relu 1 1 x mid\n"
    "BinaryOp sum 2 1 mid y out0 0=0\n",
    "b": "2 2\nInput out0 0 1 out0 0=8\nAbsVal abs 1 1 out0 out1\n",
    "again": "2 2\nInput in0 0 1 in0 0=8\nAbsVal abs 1 1 in0 out0\n",
    "back": "3 4\nInput out0 0 1 out0 0=8\nInput z 0 1 z 0=8\nBinaryOp c 2 1 out0 z in0 0=0\n",
    "fc": "2 2\nInput in0 0 1 in0 0=8\nInnerProduct fc 1 1 in0 out0 0=2 1=0 2=16\n",
    "bias": "2 2\nInput in0 0 1 in0 0=8\nInnerProduct fc 1 1 in0 out0 0=2 1=1 2=16\n",
    "wide": "2 2\nInput in0 0 1 in0 0=8\nInnerProduct fc 1 1 in0 out0 0=4 1=0 2=32\n",
    "apart": "2 2\nInput q 0 1 q 0=8\nAbsVal abs 1 1 q out9\n",
    "mine": "2 2\nInput in0 0 1 in0 0=8\nMine mine 1 1 in0 out0\n",
    "pair": "3 3\nInput p 0 1 p\nInput q 0 1 q\nBinaryOp sum 2 1 p q s 0=0\n",
}
"""Models, by name."""

WEIGHTS = {"fc": 4 + 4 * 16, "bias": 4 + 4 * 18, "wide": 4 + 4 * 32}
"""The sizes of their `.bin`, in bytes."""

MISTAKES = [
    # unknown names
    ("a --rename nothing=x", "there is no blob and no layer 'nothing'"),
    ("a --rename layer:in1=x", "there is no layer 'in1'"),
    ("a --rename blob:relu=x", "there is no blob 'relu'"),
    ("a --inputs in0,in9", "there is no input 'in9'"),
    ("a --outputs out9", "there is no output 'out9'"),
    ("a --split-at nothing", "there is no blob 'nothing'"),
    ("a b.param --join nothing=out0", "no model has an output 'nothing'; the outputs are '"),
    ("a b.param --join out0=nothing", "no model has an input 'nothing'; the inputs are '"),
    ("mine --expand-custom Other=again.param", "there is no custom layer of type 'Other'"),
    ("fc --storage-of nothing=fp16", "no layer has this type or name"),
    ("fc --storage-of fc=int3", "PATTERN=fp16 or fp32 or bf16, not 'fc=int3'"),
    ("mine --custom-shape Other=in0", "there is no custom layer of type 'Other'"),
    ("mine --custom-shape Mine=0x", "'0x' is no extent (as 0w)"),
    ("mine --custom-shape Mine=0n", "'0n' is no extent (as 0w)"),
    ("mine --custom-shape Mine=pow2(0w,2)", "'pow2' is no extent (as 0w)"),
    ("mine --custom-shape Mine=1w", "has no input 1, which '1w' names"),
    ("mine --custom-shape Mine=in1", "has no input 1, which 'in1' names"),
    ("mine --custom-shape Mine=p3", "has no number as parameter 3"),
    # clashes of names
    ("a --rename in0=out0", "'in0' cannot become 'out0'"),
    ("a --rename mid=n,x=n", "'mid' and 'x' cannot both become 'n'"),
    ("a --rename mid=p,mid=q", "'mid' is renamed twice"),
    ("a --inputs in0,in0", "'in0' is given twice"),
    ("a --insert|ReLU|relu|1|1|mid|new", "there is a layer 'relu' already"),
    ("a --insert|ReLU|r|1|1|mid|out0", "cannot write blob 'out0'"),
    ("a again.param --join", "two models have an output 'out0'"),
    ("a back.param --join out0=out0,in0=out0", "two outputs are connected to input 'out0'"),
    ("a --split-at mid,mid", "split twice at 'mid'"),
    # other structures
    ("fc --interpolate wide.param=0.5", "has 2 x 8 elements, and 4 x 8 in the other model"),
    ("fc --interpolate again.param=0.5", "InnerProduct 'fc' is AbsVal 'abs' in the other model"),
    ("fc --interpolate bias.param=0.5", "InnerProduct 'fc' has another number of weights"),
    ("fc --interpolate a.param=0.5", "InnerProduct 'fc' is Split 'two' in the other model"),
    ("mine --expand-custom Mine=pair.param", "has 1 inputs and 1 outputs"),
    ("fc --share-weights wide.bin", "'wide.bin' has 132 bytes, and the model 68"),
    ("a --share-weights fc.bin", "fc.bin' has 68 bytes, and the model 0"),
    ("a apart.param --join", "connected to no other"),
    ("mine --custom-shape Mine=0w,0h", "has no 0h, which '0w,0h' names: input 0 is 1-D"),
    ("mine --custom-shape Mine=in0;in0", "has another number of outputs, 1, than 'in0;in0', 2"),
    ("mine --custom-shape Mine=-(0w,8)", "has an output without elements by '-(0w,8)'"),
    (
        "mine --custom-shape Mine=in0 --custom-shape Mine=0w",
        "the shape of 'Mine' is declared twice",
    ),
    # cycles
    ("a back.param --join", "the models need each other's outputs"),
    ("b back.param --join out1=z,in0=out0", "give the models in the order of computation"),
    # missing blobs
    ("a --insert|ReLU|r|1|1|nothing|new", "there is no blob 'nothing'"),
    ("a --split-at in0", "no layer is before it"),
    ("a --split-at out0", "no layer is behind it"),
    # values and files
    ("a --insert|ReLU", "is no line of a .param"),
    ("a --inputs|", "--inputs needs names"),
    ("a --outputs|", "--outputs needs names"),
    ("a --rename|", "--rename needs names"),
    ("a --split-at|", "--split-at needs names"),
    ("fc --split-size 0", "a number of bytes, as 512M or 4G, not '0'"),
    ("fc --split-size 8", "'fc' alone has 68 bytes of weights"),
    ("fc --split 1", "two parts or more"),
    ("fc --split 9", "9 parts need 9 layers with weights"),
    ("fc --split 2 --split-size 1K", "at blobs, by size, or into a number of parts"),
    ("fc --interpolate fc.param=1.5", "a fraction from 0 to 1"),
    ("fc --interpolate wide.param=0.6 --interpolate fc.param=0.6", "more than the whole"),
    ("fc --interpolate gone.param=0.5", "gone.param: No such file"),
    ("a gone.param --join", "gone.param: No such file"),
    ("a --join", "--join takes two models or more"),
    ("mine --expand-custom Mine=gone.param", "gone.param: No such file"),
    ("mine --expand-custom Mine", "TYPE=FILE"),
    ("mine --custom-shape Mine", "is not TYPE=FUNCTION"),
    ("mine --custom-shape Mine=", "is not TYPE=FUNCTION"),
    ("mine --custom-shape Mine=0w,", "'0w,' is no list of extents"),
    ("mine --custom-shape Mine=*(0w)", "'*(0w)' is no list of extents"),
    ("mine --custom-shape Mine=*(0w,2,3)", "'*(0w,2,3)' is no list of extents"),
    ("mine --custom-shape Mine=*(0w,2", "'*(0w,2' is no list of extents"),
    ("mine --custom-shape Mine=1,1,1,1,1", "has 5 extents, and a blob has at most 4"),
    ("fc --share-weights gone.bin", "gone.bin: No such file"),
]


@pytest.mark.parametrize(("options", "words"), MISTAKES, ids=[each[0] for each in MISTAKES])
def test_mistakes_write_nothing(
    options: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(f"{name}.param").write_text(f"7767517\n{text}")
        Path(f"{name}.bin").write_bytes(bytes(WEIGHTS.get(name, 0)))
    before = contents(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["-o", "new.param", *arguments(options)])
    assert end.value.code == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("ncnn-opt: error: ")
    assert told.err.count("\n") == 1
    assert words in told.err
    assert contents(tmp_path) == before


def arguments(options: str) -> list[str]:
    """Return the words of a command line: the model, and options. In an option with `|`, the bars
    separate the option and the words of its only value."""
    model, rest = options.split(" ", 1)
    if "|" not in rest:
        return [f"{model}.param", *rest.split()]
    option, value = rest.split("|", 1)
    return [f"{model}.param", option, value.replace("|", " ")]


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}
