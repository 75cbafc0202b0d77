"""Makes the example models of this folder: small, with random weights from a fixed seed.

python examples/make_models.py [FOLDER]
"""

import sys
from pathlib import Path

import numpy as np
from ncnn_opt.formats.bin import padding
from ncnn_opt.formats.graph import Graph, LayerRecord, ParamValue
from ncnn_opt.formats.param_text import write_param_text
from ncnn_opt.formats.weight_storage import WeightStorage
from numpy.typing import NDArray

Array = NDArray[np.float32]
Value = int | float | list[float]


class ModelBuilder:
    """A builder of a model: it collects layers and their weights. Blobs have the names of the
    layers that write them."""

    def __init__(self, seed: int) -> None:
        self.graph = Graph()
        self.weights = bytearray()
        self.rng = np.random.default_rng(seed)

    def layer(
        self,
        kind: str,
        name: str,
        bottoms: tuple[str, ...] = (),
        params: dict[int, Value] | None = None,
        tops: tuple[str, ...] | None = None,
    ) -> str:
        """Append a layer and return its first output blob."""
        tops = (name,) if tops is None else tops
        values = {id: _param(value) for id, value in (params or {}).items()}
        self.graph.layers.append(LayerRecord(kind, name, bottoms, tops, values))
        return tops[0]

    def tagged(self, values: Array) -> None:
        """Add a float32 weight with a storage tag."""
        self.weights += WeightStorage.FLOAT32.tag_bytes
        self.plain(values)

    def plain(self, values: Array) -> None:
        """Add a float32 weight without a tag."""
        data = values.astype("<f4").tobytes()
        self.weights += data + bytes(padding(len(data)))

    def normal(self, *shape: int, scale: float = 1.0) -> Array:
        """Return random values around 0."""
        return (self.rng.standard_normal(shape) * scale).astype(np.float32)

    def around_one(self, *shape: int) -> Array:
        """Return random values between 0.5 and 1.5."""
        return self.rng.uniform(0.5, 1.5, shape).astype(np.float32)

    def conv(
        self, name: str, x: str, inputs: int, outputs: int, kernel: int = 3, stride: int = 1,
        group: int = 1, bias: bool = False,
    ) -> str:  # fmt: skip
        """A convolution that keeps the extents, except for its stride."""
        weight = self.normal(
            outputs, inputs // group, kernel, kernel,
            scale=(2 / (inputs // group * kernel * kernel)) ** 0.5,
        )  # fmt: skip
        params: dict[int, Value] = {0: outputs, 1: kernel, 3: stride, 4: kernel // 2}
        params |= {5: int(bias), 6: weight.size}
        kind = "Convolution"
        if group > 1:
            kind = "ConvolutionDepthWise"
            params[7] = group
        self.tagged(weight)
        if bias:
            self.plain(self.normal(outputs, scale=0.1))
        return self.layer(kind, name, (x,), params)

    def batch_norm(self, name: str, x: str, channels: int) -> str:
        """A BatchNorm with statistics like those from training."""
        self.plain(self.around_one(channels))
        self.plain(self.normal(channels, scale=0.1))
        self.plain(self.around_one(channels))
        self.plain(self.normal(channels, scale=0.1))
        return self.layer("BatchNorm", name, (x,), {0: channels, 1: 1e-5})

    def scale(self, name: str, x: str, channels: int) -> str:
        """A Scale with a bias."""
        self.plain(self.around_one(channels))
        self.plain(self.normal(channels, scale=0.1))
        return self.layer("Scale", name, (x,), {0: channels, 1: 1})

    def inner_product(self, name: str, x: str, inputs: int, outputs: int) -> str:
        """A fully connected layer."""
        self.tagged(self.normal(outputs, inputs, scale=inputs**-0.5))
        self.plain(self.normal(outputs, scale=0.1))
        return self.layer("InnerProduct", name, (x,), {0: outputs, 1: 1, 2: inputs * outputs})

    def write(self, folder: Path, name: str) -> None:
        """Write `name.param` and `name.bin`."""
        (folder / f"{name}.param").write_text(write_param_text(self.graph))
        (folder / f"{name}.bin").write_bytes(self.weights)


def _param(value: Value) -> ParamValue:
    if isinstance(value, list):
        return ParamValue.of_floats(value)
    return ParamValue.of_float(value) if isinstance(value, float) else ParamValue.of_int(value)


def small_cnn() -> ModelBuilder:
    """A classifier as converters write it, with all layers from training."""
    m = ModelBuilder(seed=1)
    x = m.layer("Input", "data", (), {0: 32, 1: 32, 2: 3})
    x = m.conv("conv1", x, 3, 24, stride=2)
    x = m.batch_norm("bn1", x, 24)
    x = m.scale("scale1", x, 24)
    x = m.layer("ReLU", "relu1", (x,))
    m.layer("Split", "split1", (x,), tops=("relu1_a", "relu1_b"))
    y = m.conv("conv2_dw", "relu1_a", 24, 24, group=24)
    y = m.batch_norm("bn2_dw", y, 24)
    y = m.layer("Clip", "relu6_dw", (y,), {0: 0.0, 1: 6.0})
    y = m.conv("conv2_pw", y, 24, 24, kernel=1, bias=True)
    y = m.batch_norm("bn2_pw", y, 24)
    x = m.layer("BinaryOp", "add2", (y, "relu1_b"), {0: 0})
    x = m.conv("conv3", x, 24, 32, stride=2)
    x = m.batch_norm("bn3", x, 32)
    x = m.layer("ReLU", "leaky3", (x,), {0: 0.1})
    x = m.layer("Pooling", "pool", (x,), {0: 1, 4: 1})
    x = m.layer("Dropout", "drop", (x,))
    x = m.inner_product("fc1", x, 32, 32)
    x = m.layer("ReLU", "relu_fc1", (x,))
    x = m.layer("Dropout", "drop2", (x,))
    x = m.inner_product("fc2", x, 32, 20)
    m.layer("Softmax", "prob", (x,))
    return m


def residual() -> ModelBuilder:
    """Residual blocks; the second blob of a block has two consumers and no Split."""
    m = ModelBuilder(seed=2)
    x = m.layer("Input", "data", (), {0: 16, 1: 16, 2: 8})
    for i in range(3):
        y = m.conv(f"conv{i}a", x, 8, 8)
        y = m.batch_norm(f"bn{i}a", y, 8)
        y = m.layer("HardSwish", f"act{i}", (y,), {0: 1 / 6, 1: 0.5})
        y = m.conv(f"conv{i}b", y, 8, 8, bias=True)
        y = m.scale(f"scale{i}b", y, 8)
        y = m.layer("BinaryOp", f"half{i}", (y,), {0: 2, 1: 1, 2: 0.5})
        x = m.layer("Eltwise", f"sum{i}", (x, y), {0: 1})
    m.layer("Sigmoid", "heat", (x,))
    return m


def sequence() -> ModelBuilder:
    """A recurrent model: a 1-D convolution, an LSTM, and a MemoryData as an offset."""
    m = ModelBuilder(seed=3)
    x = m.layer("Input", "frames", (), {0: 20, 1: 8})
    m.tagged(m.normal(12, 8, 3, scale=0.2))
    m.plain(m.normal(12, scale=0.1))
    x = m.layer("Convolution1D", "conv", (x,), {0: 12, 1: 3, 4: 1, 5: 1, 6: 288})
    x = m.batch_norm("bn", x, 12)
    x = m.layer("Permute", "to_time", (x,), {0: 1})
    m.tagged(m.normal(24, 12, scale=0.2))
    m.tagged(m.normal(4, 6, scale=0.1))
    m.tagged(m.normal(24, 6, scale=0.2))
    x = m.layer("LSTM", "lstm", (x,), {0: 6, 1: 288})
    m.plain(m.normal(6))
    offset = m.layer("MemoryData", "offset", (), {0: 6})
    m.layer("BinaryOp", "out", (x, offset), {0: 0})
    return m


MODELS = {"small_cnn": small_cnn, "residual": residual, "sequence": sequence}


def main() -> None:
    """Write all models."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, make in MODELS.items():
        make().write(folder, name)


if __name__ == "__main__":
    main()
