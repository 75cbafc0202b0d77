"""The memory that blobs take at once is what the runtime's allocator says, to the byte."""

import random
from pathlib import Path

import pytest
from ncnn_opt.analysis.memory import light_mode
from ncnn_opt.dialects.ncnn.lookup import model_of
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param

import ncnn_opt

from .allocations import Request, peaks
from .nets import Net

NETS = 40
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.param"))


def random_net(seed: int) -> Net:
    """A net of 3-D blobs of all kinds of reuse: layers that work in place, Splits, views, layers
    that hand their input on, several inputs and outputs."""
    rng = random.Random(seed)
    net = Net(seed)
    # Blobs that nobody has read yet, with their shapes.
    free: list[tuple[str, tuple[int, int, int]]] = []
    for i in range(rng.randint(1, 2)):
        shape = (rng.randint(1, 6), rng.randint(5, 9), rng.randint(5, 9))
        free.append((net.input(f"in{i}", shape), shape))
    for i in range(rng.randint(4, 14)):
        blob, shape = free.pop(rng.randrange(len(free)))
        c, h, w = shape
        name = f"l{i}"
        match rng.choice(
            ["conv", "relu", "scalar", "split", "binary", "reshape", "permute", "crop", "concat"]
            + ["pool", "slice", "flat", "shuffle", "noop", "interp", "constant", "squeeze"]
        ):
            case "relu":
                net.layer(rng.choice(["ReLU", "Sigmoid", "TanH", "Clip"]), blob, name)
            case "scalar":
                net.layer("BinaryOp", blob, name, {0: 2, 1: 1, 2: 0.5})
            case "split":
                tops = [f"{name}_{j}" for j in range(rng.randint(2, 3))]
                net.layer("Split", blob, tops)
                free += [(top, shape) for top in tops]
                continue
            case "binary" if partners := [f for f in free if f[1] == shape]:
                free.remove(partner := rng.choice(partners))
                net.layer("BinaryOp", [blob, partner[0]], name, {0: 0})
            case "concat" if partners := [f for f in free if f[1][1:] == shape[1:]]:
                free.remove(partner := rng.choice(partners))
                net.layer("Concat", [blob, partner[0]], name)
                shape = (c + partner[1][0], h, w)
            case "reshape":
                shape = rng.choice([(1, c * h, w), (c, w, h), (h, c, w), (c, 1, h * w)])
                net.layer("Reshape", blob, name, {0: shape[2], 1: shape[1], 2: shape[0]})
            case "flat":
                kind = rng.choice(["Flatten", "Reshape"])
                net.layer(kind, blob, name, {0: -1} if kind == "Reshape" else None)
                net.layer("Reshape", name, f"{name}_3", {0: w, 1: h, 2: c})
                name = f"{name}_3"
            case "squeeze":
                net.layer("ExpandDims", blob, f"{name}_4", {3: [rng.choice([1, 2, 3])]})
                net.layer("Squeeze", f"{name}_4", name, {0: 1, 1: 1, 2: 1, 11: 1})
                net.layer("Reshape", name, f"{name}_3", {0: w, 1: h, 2: c})
                name = f"{name}_3"
            case "permute":
                order = rng.choice([0, 1])
                net.layer("Permute", blob, name, {0: order})
                shape = shape if order == 0 else (c, w, h)
            case "crop":
                cut = rng.choice([0, 1]) if h > 2 else 0
                net.layer("Crop", blob, name, {9: [0], 10: [h - cut], 11: [1]})
                shape = (c, h - cut, w)
            case "pool":
                net.layer("Pooling", blob, name, {0: 0, 1: 3, 2: 1, 3: 1, 5: 1})
            case "slice" if c > 1:
                net.layer("Slice", blob, [name, f"{name}_b"], {0: [1, -233]})
                free.append((f"{name}_b", (c - 1, h, w)))
                shape = (1, h, w)
            case "shuffle":
                net.layer("ShuffleChannel", blob, name, {0: rng.choice([1, c])})
            case "noop":
                net.layer("Noop", blob, name)
            case "interp":
                times = rng.choice([1.0, 2.0])
                net.layer("Interp", blob, name, {0: 1, 1: times, 2: times})
                shape = (c, int(h * times), int(w * times))
            case "constant":
                constant = net.constant(f"{name}_m", net.normal(c, h, w))
                net.layer("BinaryOp", [blob, constant], name, {0: 2})
            case _:
                outputs, kernel = rng.randint(1, 6), rng.choice([1, 3])
                size = outputs * c * kernel**2
                net.tagged(net.normal(outputs, c, kernel, kernel))
                net.layer(
                    "Convolution", blob, name, {0: outputs, 1: kernel, 4: kernel // 2, 6: size}
                )
                shape = (outputs, h, w)
        free.append((name, shape))
    return net


def int8_chain() -> Net:
    """Convolutions that pass int8 to each other, the last one back to float32."""
    net = Net()
    net.input("in", (4, 9, 9))
    for name, blob, term in (("a", "in", 102), ("b", "a", 102), ("c", "b", 2)):
        net.tagged(net.normal(4, 4, 3, 3), "int8")
        net.plain(net.positive(4))
        net.plain(net.positive(1))
        if term > 100:
            net.plain(net.positive(1))
        net.layer("Convolution", blob, name, {0: 4, 1: 3, 4: 1, 6: 144, 8: term})
    return net


def request(net: Net, folder: Path, stem: str) -> Request:
    shapes = {name: values.shape for name, values in net.inputs.items()}
    outputs = [name for name in net.outputs if name not in net.inputs]
    return Request(net.write(folder, stem), shapes, outputs)


def predicted(path: Path) -> int:
    """The peak without the inputs."""
    module, _ = import_param(path.read_bytes(), str(path), ReadOptions())
    use = light_mode(model_of(module))
    assert use.unknown == 0
    return use.peak - use.inputs


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Request, int]]:
    """Each net, and the most that its blobs took in the runtime."""
    pytest.importorskip("ncnn")
    folder = tmp_path_factory.mktemp("nets")
    requests = [request(random_net(seed), folder, f"net{seed}") for seed in range(NETS)]
    return list(zip(requests, peaks(requests), strict=True))


@pytest.mark.parametrize("index", range(NETS))
def test_peak(index: int, measured: list[tuple[Request, int]]) -> None:
    net, bytes_of_blobs = measured[index]
    # An input that nothing reads is no output of the model, but stays with the caller.
    module, _ = import_param(net.param.read_bytes(), str(net.param), ReadOptions())
    assert set(net.inputs) == {arg.name_hint for arg in model_of(module).args}
    assert predicted(net.param) == bytes_of_blobs, net.param.read_text()


def test_the_nets_differ(measured: list[tuple[Request, int]]) -> None:
    assert len({n for _, n in measured}) > NETS // 2


def test_int8_between_layers(tmp_path: Path) -> None:
    pytest.importorskip("ncnn")
    net = request(int8_chain(), tmp_path, "int8")
    # 4 channels of 81 bytes in 96 each, and of 324 bytes in 336.
    assert [predicted(net.param)] == peaks([net]) == [4 * 96 + 4 * 336]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_peak_of_an_optimized_example(path: Path, tmp_path: Path) -> None:
    pytest.importorskip("ncnn")
    model, optimized = ncnn_opt.load(path), tmp_path / path.name
    ncnn_opt.optimize(model)
    ncnn_opt.save(model, optimized)
    shapes = {b.name: tuple(n or 0 for n in b.shape or ()) for b in model.inputs}
    blobs = [b.name for b in model.outputs]
    assert peaks([Request(optimized, shapes, blobs)]) == [predicted(optimized)]
