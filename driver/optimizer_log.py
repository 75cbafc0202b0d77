"""The log of ncnnoptimize: `fuse_convolution_batchnorm conv1 bn1`.

`ncnn-optimize` prints it for readers and scripts that know ncnnoptimize.
"""

from collections.abc import Callable, Iterator, Sequence
from math import inf

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from ..dialects.ncnn.constant import ConstantOp
from ..dialects.ncnn.elementwise import DropoutOp
from ..dialects.ncnn.function import input_layer, input_name
from ..dialects.ncnn.innerproduct import InnerProductOp
from ..dialects.ncnn.layer import LayerOp
from ..dialects.ncnn.structure import SplitOp
from ..transforms.rewriting.remarks import Remark
from ..transforms.storage.convert_storage import ConvertStorage


class StepLog:
    """Writes a line for each remark about a model: the step and the names of its layers in the
    order of the file, as ncnnoptimize does.

    - The line of a removed layer begins with the layer that produces its input.
    - A Split is not logged if its blob still has several readers: the file has a Split again.
    - A MemoryData that nothing reads any more is logged at the end (`finish`).
    - A Dropout right behind an InnerProduct is logged as folded, even if it scales by 1.
    - A storage conversion is logged only if it differs from the requested one.
    """

    def __init__(self, func: FuncOp, write: Callable[[str], None]) -> None:
        self.write = write
        self.func = func
        self.layers = {op.label(): op for op in self._ops()}
        self.constants = self._constants()
        names = [self._input(i) for i in range(len(func.args))]
        names += [name_of(op) for op in self._ops()]
        self.places = {name: place for place, name in enumerate(names)}
        dropouts = (op for op in self._ops() if isinstance(op, DropoutOp))
        folded = (op for op in dropouts if isinstance(op.input.owner, InnerProductOp))
        self.folded_dropouts = {op.label() for op in folded}
        self.logged: set[str] = set()

    def __call__(self, remark: Remark) -> None:
        """Log a remark, right before its rewrite."""
        if remark.rewrite == ConvertStorage.name and remark.kind == "routine":
            return  # as requested, without a note on values
        layers = remark.as_dict()["layers"]
        names = [layer["name"] or layer["type"] for layer in layers]
        step = step_of(remark.rewrite, [layer["type"] for layer in layers])
        if step.startswith("eliminate_") and len(names) == 1:
            op = self._find(remark.layers[0])
            if isinstance(op, SplitOp) and sum(r.first_use is not None for r in op.results) > 1:
                return
            if op is not None and op.operands:
                names.append(self._producer(op.operands[0]))
            if remark.layers[0] in self.folded_dropouts:
                step = "fuse_innerproduct_dropout"
        names.sort(key=lambda name: self.places.get(name, inf))
        self.logged.update(names)
        self._log(step, names, remark.note)

    def finish(self) -> None:
        """Log the MemoryData layers that were removed without a remark."""
        left = {*self._constants(), *self.logged}
        for name in self.constants:
            if name not in left:
                self._log("eliminate_orphaned_memorydata", [name])

    def _log(self, step: str, names: Sequence[str], note: str = "") -> None:
        self.write(" ".join([step, *names, *([f"({note})"] if note else [])]))

    def _ops(self) -> Iterator[LayerOp]:
        return (op for op in self.func.body.block.ops if isinstance(op, LayerOp))

    def _constants(self) -> list[str]:
        ops = (op for op in self._ops() if isinstance(op, ConstantOp))
        return [op.layer_name.data for op in ops if op.layer_name is not None]

    def _find(self, label: str) -> LayerOp | None:
        """Return the layer that has this label now."""
        op = self.layers.get(label)
        if op is None or op.parent is None:  # a rewrite has replaced it
            self.layers = {op.label(): op for op in self._ops()}
        return self.layers.get(label)

    def _producer(self, value: SSAValue) -> str:
        """Return the name of the layer that produces a blob."""
        if isinstance(value, BlockArgument):
            return self._input(value.index)
        op = value.owner
        return name_of(op) if isinstance(op, LayerOp) else value.name_hint or ""

    def _input(self, index: int) -> str:
        return input_layer(self.func, index) or input_name(self.func, index)


def step_of(rewrite: str, types: Sequence[str]) -> str:
    """Return ncnnoptimize's name of a rewrite, which depends on the types of the layers:
    `fuse-conv-bn` of a Deconvolution is `fuse_deconvolution_batchnorm`."""
    words = rewrite.split("-")
    if words[0] == "fuse":
        full = {"conv": types[0].lower(), "bn": "batchnorm"}
        words = [full.get(word, word) for word in words]
        if "Dropout" in types[1:]:
            words[-1] = "dropout"
    return "_".join(words)


def name_of(op: LayerOp) -> str:
    """Return the name of a layer, or its type if it has no name."""
    return op.LAYER_TYPE if op.layer_name is None else op.layer_name.data
