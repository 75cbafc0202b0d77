"""Blocks that come several times: what a page can fold."""

import re
from pathlib import Path

from ncnn_opt.tools.ncnn_report_main import main


def model(blocks: list[str]) -> str:
    """A chain of blocks of two convolutions with a way around them, each said by the parameters of
    its second one, and a Sigmoid, so that no block makes the output."""
    lines = ["Input data 0 1 b0 0=8 1=8 2=4"]
    for i, second in enumerate(blocks):
        lines += [
            f"Split split{i} 1 2 b{i} s{i} t{i}",
            f"Convolution up{i} 1 1 s{i} u{i} 0=8 1=1 6=32",
            f"ReLU relu{i} 1 1 u{i} r{i}",
            f"Convolution down{i} 1 1 r{i} d{i} {second}",
            f"BinaryOp sum{i} 2 1 d{i} t{i} b{i + 1} 0=0",
        ]
    lines.append(f"Sigmoid last 1 1 b{len(blocks)} y")
    blobs = sum(int(line.split()[3]) for line in lines)
    return "\n".join(["7767517", f"{len(lines)} {blobs}", *lines]) + "\n"


def folded(folder: Path, *models: str) -> list[str]:
    """What the nodes say that stand for what is folded."""
    names = [f"it{i}.param" for i in range(len(models))]
    for name, text in zip(names, models, strict=True):
        (folder / name).write_text(text)
    main([*names, "--html", "it.html"])
    found = re.findall(r"<title>[^<]*click to show.*?</g>", (folder / "it.html").read_text())
    return [" ".join(re.findall(r">([^<>]+)<", text)[1:]) for text in found]


SAME, OTHER = "0=4 1=1 6=32", "0=4 1=3 4=1 6=288"


def test_blocks_that_are_alike(folder: Path) -> None:
    # Positions times weights: 64 * (32 + 32) a block.
    assert folded(folder, model([SAME] * 5)) == ["as above, 4 more times 16.4 k 16 layers, up1 …"]
    assert folded(folder, model([SAME] * 2)) == ["as above, once more 4.10 k 4 layers, up1 …"]


def test_a_block_of_two_that_differ(folder: Path) -> None:
    (text,) = folded(folder, model([SAME, OTHER] * 3))
    assert "2 more times" in text
    assert "16 layers, up2" in text


def test_blocks_with_other_parameters(folder: Path) -> None:
    assert folded(folder, model([SAME, OTHER])) == []
    (text,) = folded(folder, model([SAME, SAME, SAME, OTHER]))
    assert "2 more times" in text


def test_an_output_is_shown(folder: Path) -> None:
    text = model([SAME] * 3).replace("17 20", "16 19")
    without = re.sub("Sigmoid.*\n", "", text)
    assert without != text
    (said,) = folded(folder, without)
    assert "once more" in said


def test_few_layers_are_not_worth_it(folder: Path) -> None:
    lines = ["Input x 0 1 b0 0=8", *(f"ReLU r{i} 1 1 b{i} b{i + 1}" for i in range(4))]
    text = "\n".join(["7767517", f"{len(lines)} {len(lines)}", *lines]) + "\n"
    assert folded(folder, text) == []


def test_two_models(folder: Path) -> None:
    one, other = model([SAME] * 3), model([SAME, SAME, OTHER])
    assert len(folded(folder, one, one)) == 2  # a node in either graph
    # What differs in one of them is shown in both.
    assert [text.split(",")[1] for text in folded(folder, one, other)] == [
        " once more 4.10 k 4 layers"
    ] * 2
