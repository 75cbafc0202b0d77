"""Small models as a converter writes them for one size: batches, volumes and vectors."""

import numpy as np

from .nets import Net
from .sized import SizedNet, half


def before_its_like(h: int, w: int) -> Net:
    """A map at the size of another one that comes later in the file."""
    net = SizedNet((2, h, w))
    net.conv("in0", "a", 2, 2, 2)
    net.conv("a", "b", 2, 2, 2)
    net.layer("Pooling", "b", "mean", {0: 1, 7: 1, 8: 1})
    net.layer("Interp", "mean", "up", {0: 1, 3: half(h) - 1, 4: half(w) - 1})
    net.conv("in0", "c", 2, 2, 2)
    net.layer("Pooling", "c", "d", {1: 2, 2: 1, 5: 1})
    net.layer("BinaryOp", ["up", "d"], "out0", {0: 0})
    return net


def batch_of_one(h: int, w: int) -> Net:
    """A batch of one blob, as a converter writes it by expressions."""
    net = SizedNet((2, h, w))
    net.layer("TanH", "in0", "x")
    net.layer("Reshape", "x", "y", '6="//(*(0w,2),2),0h,2,1" 13=0')
    net.flat("y", "z", 2, h * w)
    net.layer("Softmax", "z", "out0", {0: 1, 1: 1})
    return net


def batches_of_one(h: int, w: int) -> Net:
    """Two after each other; the second one takes the batch of the first one for an axis."""
    net = SizedNet((2, h, w))
    net.layer("TanH", "in0", "x")
    net.layer("Reshape", "x", "y", f"0={w} 1={h} 11=2 2=1 13=0")
    net.layer("ReLU", "y", "z")
    net.layer("Reshape", "z", "u", f"0={h * w} 1=2 2=1 12=0 13=0")
    net.layer("Softmax", "u", "out0", {0: 1, 1: 1})
    return net


def volumes(h: int, w: int) -> Net:
    """Four dims: the middle two made one and taken apart again."""
    net = SizedNet((3, 2, h, w))
    net.layer("TanH", "in0", "x")
    net.flat("x", "flat", 3, 2 * h, w)
    net.layer("Softmax", "flat", "soft", {0: 2, 1: 1})
    net.flat("soft", "whole", 3, 2, h, w)
    net.layer("ReLU", "whole", "out0")
    return net


def four_dims_and_a_number(h: int, w: int) -> Net:
    """A constant of four dims that is the same along those that are any."""
    net = SizedNet((3, 2, h, w))
    net.layer("TanH", "in0", "x")
    net.add("x", net.normal(3, 2, 1, 1).repeat(h, 2).repeat(w, 3), "out0", 2)
    return net


def through_a_vector(h: int, w: int) -> Net:
    """All elements as a vector, and a map again."""
    net = SizedNet((6, h, w))
    net.flat("in0", "flat", 6, h * w)
    net.layer("Softmax", "flat", "soft", {0: 1, 1: 1})
    net.flat("soft", "out0", 6, h, w)
    return net


def vector_and_table(steps: int) -> Net:
    """A constant that holds a value for each element of a vector."""
    net = SizedNet((steps,))
    net.layer("TanH", "in0", "x")
    net.add("x", (np.arange(steps) * 0.5 - 2).astype("f4"), "out0")
    return net
