"""Steps that do nothing, or nearly."""

from hypothesis import strategies as st

from ..nets import Net, Params
from .model import RESHAPE_IDS, H, Moves, Value, W


def no_op(m: Moves, x: Value) -> Value:
    """One of the layers that do nothing, or of those that look so."""
    rank, shape = len(x.shape), x.shape
    extents = dict(zip(RESHAPE_IDS[rank], shape, strict=True))
    kinds: list[tuple[str, Params, bool]] = [
        ("Noop", {}, True),
        ("Dropout", {}, True),
        ("Power", {}, False),
        ("Padding", {}, True),
        ("Flip", {}, True),
        ("Flip", {0: (0,)}, True),
        ("Cast", {0: 1, 1: 1}, True),
        ("Tile", {0: 0, 1: 1}, True),
        ("Tile", {2: (1,) * rank}, True),
        ("ReLU", {0: 1.0}, True),
        ("ReLU", {0: 0.5}, True),
        ("Concat", {0: 0}, True),
        ("Slice", {0: (-233,)}, True),
        ("Slice", {0: (shape[0],)}, True),
        ("Crop", {9: (0,), 10: (-233,), 11: (-1,)}, True),
        ("Crop", {9: (0,) * rank, 10: (2**31 - 1,) * rank}, True),
        ("Crop", {9: (0,) * rank, 10: shape}, True),
        ("BinaryOp", {0: 0, 1: 1, 2: 0.0}, True),
        ("BinaryOp", {0: 1, 1: 1, 2: 0.0}, True),
        ("BinaryOp", {0: 2, 1: 1, 2: 1.0}, True),
        ("BinaryOp", {0: 3, 1: 1, 2: 1.0}, True),
        ("BinaryOp", {0: 2, 1: 1, 2: 0.5}, True),
        ("BinaryOp", {0: 7, 1: 1, 2: 0.0}, True),
    ]
    if rank in (2, 3):
        sized = {3: extents[H], 4: extents[W]}
        kinds += [("Interp", {0: kind, **sized}, True) for kind in (1, 2, 3)]
        kinds += [("Interp", {0: kind}, True) for kind in (1, 2, 3)]
    if rank in (2, 3, 4):
        pooling = {2: "Pooling1D", 3: "Pooling", 4: "Pooling3D"}[rank]
        kinds += [(pooling, {0: kind, 1: 1, 5: mode}, True) for kind in (0, 1) for mode in (0, 2)]
        sizes = dict(zip((28, 18, 8)[3 - (rank - 1) :], shape[1:], strict=True))
        kinds.append((pooling, {0: 1, 7: 1, **sizes}, True))
    if rank > 2:
        kinds.append(("ShuffleChannel", {0: 1}, True))
        kinds.append(("Crop", dict.fromkeys((3, 4, 5) if rank == 3 else (3, 4, 14, 5), -233), True))
    if rank == 3:
        kinds += [("PixelShuffle", {0: 1}, True), ("Reorg", {0: 1}, True)]
    kind, params, exact = m.draw(st.sampled_from(kinds))
    return m.add(kind, x, shape, params, exact=exact)


def left_over(m: Moves, x: Value) -> Value:
    """What a converter leaves behind, and what looks like it."""
    kinds: list[tuple[str, Params]] = [("Noop", {}), ("Dropout", {}), ("Dropout", {0: 0.5})]
    kind, params = m.draw(st.sampled_from(kinds))
    return m.add(kind, x, x.shape, params)


def with_weights(m: Moves, x: Value) -> Value:
    """Layers whose weights do nothing, or nearly; a PReLU of one slope, or several."""
    n = x.shape[0]
    kind = m.draw(st.sampled_from(["Scale", "BatchNorm", "PReLU", "PReLU", "BinaryOp"]))
    same = m.draw(st.booleans())

    def ones(net: Net) -> None:
        values = net.positive(n)
        values[:] = 1.0 if same or n == 1 else values
        net.plain(values)

    def statistics(net: Net) -> None:
        ones(net)
        for values in (net.normal(n) * 0, net.positive(n) * 0 + 1, net.normal(n) * 0):
            net.plain(values)

    match kind:
        case "Scale":
            return m.add("Scale", x, x.shape, {0: n}, ones, exact=False)
        case "BatchNorm":
            return m.add("BatchNorm", x, x.shape, {0: n, 1: 0.0}, statistics, exact=False)
        case "PReLU":
            slopes = m.draw(st.sampled_from([1, n]))

            def slope(net: Net) -> None:
                net.plain(net.positive(slopes) * (not same) + 0.25)

            return m.add("PReLU", x, x.shape, {0: slopes}, slope, exact=False)
        case _:
            shape = m.draw(st.sampled_from([(1,), (1,) * len(x.shape), x.shape]))

            constant = m.constant(m.values(shape) * (not same))
            return m.add("BinaryOp", [x, constant], x.shape, {0: 0}, exact=False)
