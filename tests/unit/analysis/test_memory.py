"""How much memory blobs take at once, against figures computed by hand."""

from ncnn_opt.analysis.memory import MemoryUse, demanded, light_mode
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param
from xdsl.dialects.func import FuncOp

BLOB = 4 * 8 * 8 * 4
"""Bytes of a 4x8x8 blob."""


def model(*lines: str) -> FuncOp:
    """The function of a model whose input `x` is 4x8x8."""
    layers = ["Input x 0 1 x 0=8 1=8 2=4", *lines]
    blobs = sum(int(line.split()[3]) for line in layers)
    text = "\n".join(["7767517", f"{len(layers)} {blobs}", *layers]) + "\n"
    return model_of(import_param(text.encode(), "it.param", ReadOptions("none"))[0])


def use_of(*lines: str) -> MemoryUse:
    return light_mode(model(*lines))


def trace(use: MemoryUse) -> dict[str, int]:
    """The memory at each layer, in blobs."""
    return {name_of(step.op): (step.nbytes or 0) // BLOB for step in use.steps}


def name_of(op: LayerOp) -> str:
    return "" if op.layer_name is None else op.layer_name.data


CONV = "0=4 1=3 4=1 6=144"


def test_a_chain_holds_two_blobs_beside_the_input() -> None:
    use = use_of(
        *(f"Convolution c{i + 1} 1 1 {f'c{i}' if i else 'x'} c{i + 1} {CONV}" for i in range(4))
    )
    assert use.inputs == BLOB
    assert trace(use) == {"c1": 2, "c2": 3, "c3": 3, "c4": 3}
    assert use.peak == 3 * BLOB
    assert use.peak_step is not None
    assert name_of(use.peak_step.op) == "c2"
    assert [nbytes for _, nbytes in use.alive_at_peak] == [BLOB] * 3


def test_a_layer_in_place_takes_no_memory() -> None:
    use = use_of(f"Convolution c 1 1 x c {CONV}", "ReLU r 1 1 c r", "Sigmoid s 1 1 r s")
    assert trace(use) == {"c": 2, "r": 2, "s": 2}


def test_the_caller_keeps_the_input() -> None:
    # What works in place on it works on a copy.
    assert trace(use_of("ReLU r 1 1 x r", "ReLU s 1 1 r s")) == {"r": 2, "s": 2}


def test_a_split_shares_and_what_is_in_place_after_it_copies() -> None:
    use = use_of(
        f"Convolution c 1 1 x c {CONV}",
        "Split s 1 2 c c1 c2",
        "ReLU r 1 1 c1 r",
        f"Convolution d 1 1 r d {CONV}",
        "BinaryOp a 2 1 d c2 a 0=0",
    )
    assert trace(use) == {"c": 2, "s": 2, "r": 3, "d": 4, "a": 4}


def test_the_last_reader_of_a_split_needs_no_copy() -> None:
    use = use_of(
        f"Convolution c 1 1 x c {CONV}",
        "Split s 1 2 c c1 c2",
        f"Convolution d 1 1 c1 d {CONV}",
        "ReLU r 1 1 c2 r",
        "BinaryOp a 2 1 d r a 0=0",
    )
    assert trace(use) == {"c": 2, "s": 2, "d": 3, "r": 3, "a": 4}


def test_without_a_split_it_is_as_with_one() -> None:
    lines = f"Convolution c 1 1 x c {CONV}", "ReLU r 1 1 c r", "BinaryOp a 2 1 r c a 0=0"
    assert trace(use_of(*lines)) == {"c": 2, "r": 3, "a": 4}


def test_layers_run_when_they_are_asked_for() -> None:
    # In the file the branches stand side by side; they run one after the other.
    use = use_of(
        "Split s 1 2 x x1 x2",
        f"Convolution a 1 1 x1 a {CONV}",
        f"Convolution b 1 1 x2 b {CONV}",
        f"Convolution a2 1 1 a a2 {CONV}",
        f"Convolution b2 1 1 b b2 {CONV}",
        "BinaryOp c 2 1 b2 a2 c 0=0",
    )
    assert [name_of(step.op) for step in use.steps] == ["s", "b", "b2", "a", "a2", "c"]
    assert trace(use) == {"s": 1, "b": 2, "b2": 3, "a": 3, "a2": 4, "c": 4}


def test_outputs_stay() -> None:
    use = use_of(
        "Split s 1 3 x x1 x2 x3",
        *(f"Convolution c{i} 1 1 x{i} c{i} {CONV}" for i in (1, 2, 3)),
    )
    assert trace(use) == {"s": 1, "c1": 2, "c2": 3, "c3": 4}


def test_a_view_takes_no_memory() -> None:
    use = use_of(f"Convolution c 1 1 x c {CONV}", "ExpandDims e 1 1 c e -23303=1,0")
    assert use.peak == 2 * BLOB
    # 4 channels of 7 x 7 have 196 bytes each, and 208 in memory; 784 bytes once they are flat.
    copied = use_of("Convolution c 1 1 x c 0=4 1=2 6=64", "Reshape f 1 1 c f 0=-1")
    assert [step.nbytes for step in copied.steps] == [BLOB + 832, BLOB + 832 + 784]


def test_a_constant_is_copied_when_it_is_read() -> None:
    use = use_of("MemoryData m 0 1 m 0=8 1=8 2=4", "BinaryOp a 2 1 x m a 0=0")
    assert trace(use) == {"m": 2, "a": 3}


def test_what_is_not_known_is_not_counted() -> None:
    use = use_of(f"Convolution b 1 1 x b {CONV}", "MyLayer m 1 1 b m", "Pooling p 1 1 m p 0=1 4=1")
    assert [step.nbytes for step in use.steps] == [2 * BLOB, None, None]
    assert use.unknown == 2
    assert use.peak == 2 * BLOB
    assert use.peak_step is use.steps[0]


def test_a_thousand_layers() -> None:
    lines = [f"ReLU r{i} 1 1 {f'r{i - 1}' if i else 'x'} r{i}" for i in range(3000)]
    func = model(*lines)
    assert len(list(demanded(func))) == 3000
    assert light_mode(func).peak == 2 * BLOB
