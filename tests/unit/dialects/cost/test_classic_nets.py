"""The MACs of well-known networks at 224 x 224: the figures that ncnnoptimize prints for the files
of ncnn's benchmark, 3857.97 M, 313.62 M and 15470.26 M."""

import pytest
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.frontends.param.model_reader import import_param


class Net:
    """A `.param` as it grows. Layers follow each other unless told what they read."""

    def __init__(self) -> None:
        self.lines = ["Input data 0 1 data 0=224 1=224 2=3"]
        self.last = "data"
        self.channels = 3

    def add(self, kind: str, params: str, *reads: str) -> str:
        """A layer; returns its blob."""
        reads = reads or (self.last,)
        name = f"{kind}{len(self.lines)}"
        head = f"{kind} {name} {len(reads)} 1 {' '.join(reads)} {name}"
        self.lines.append(f"{head} {params}".rstrip())
        self.last = name
        return name

    def conv(self, outputs: int, kernel: int, stride: int = 1, reads: str | None = None) -> str:
        """A convolution that pads to the same extents."""
        pad = kernel // 2
        size = outputs * self.channels * kernel**2
        self.channels = outputs
        params = f"0={outputs} 1={kernel} 3={stride} 4={pad} 5=1 6={size}"
        return self.add("Convolution", params, *([reads] if reads else []))

    def depthwise(self, stride: int) -> None:
        """A depthwise convolution of 3 x 3."""
        n = self.channels
        self.add("ConvolutionDepthWise", f"0={n} 1=3 3={stride} 4=1 5=1 6={9 * n} 7={n}")

    def fc(self, inputs: int, outputs: int) -> None:
        """A fully connected layer."""
        self.add("InnerProduct", f"0={outputs} 1=1 2={inputs * outputs}")

    def macs(self) -> int:
        """Those of all layers."""
        blobs = sum(int(line.split()[3]) for line in self.lines)
        text = "\n".join(["7767517", f"{len(self.lines)} {blobs}", *self.lines]) + "\n"
        module, _ = import_param(text.encode(), "net.param", ReadOptions("none"))
        macs = [op.macs() for op in module.walk() if isinstance(op, LayerOp)]
        assert None not in macs
        return sum(n or 0 for n in macs)


def vgg16() -> Net:
    net = Net()
    for outputs, depth in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(depth):
            net.conv(outputs, 3)
        net.add("Pooling", "0=0 1=2 2=2")
    for inputs, outputs in ((512 * 7 * 7, 4096), (4096, 4096), (4096, 1000)):
        net.fc(inputs, outputs)
    return net


def resnet50() -> Net:
    net = Net()
    net.conv(64, 7, 2)
    net.add("Pooling", "0=0 1=3 2=2")
    for width, depth in ((64, 3), (128, 4), (256, 6), (512, 3)):
        for i in range(depth):
            stride = 2 if i == 0 and width > 64 else 1
            before, channels = net.last, net.channels
            if i == 0:
                shortcut = net.conv(4 * width, 1, stride)
            else:
                shortcut = before
            net.channels = channels
            net.conv(width, 1, stride, before)
            net.conv(width, 3)
            net.conv(4 * width, 1)
            net.add("BinaryOp", "0=0", shortcut, net.last)
    net.add("Pooling", "0=1 4=1")
    net.fc(2048, 1000)
    return net


def mobilenet_v2() -> Net:
    net = Net()
    net.conv(32, 3, 2)
    stages = (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2)
    for factor, outputs, depth, stride in (
        *stages, (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)
    ):  # fmt: skip
        for i in range(depth):
            # The net of ncnn's benchmark has an expansion of factor 1 in its first block.
            net.conv(factor * net.channels, 1)
            net.depthwise(stride if i == 0 else 1)
            net.conv(outputs, 1)
    net.conv(1280, 1)
    net.add("Pooling", "0=1 4=1")
    net.fc(1280, 1000)
    return net


@pytest.mark.parametrize(
    ("net", "macs"),
    [(vgg16(), 15470264320), (resnet50(), 3857973248), (mobilenet_v2(), 313619328)],
    ids=["vgg16", "resnet50", "mobilenet_v2"],
)
def test_macs(net: Net, macs: int) -> None:
    assert net.macs() == macs
