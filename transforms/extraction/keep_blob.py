"""The pass that makes intermediate blobs outputs of the model."""

from dataclasses import dataclass
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ..rewriting.option_names import names_in
from ..rewriting.remarks import remark


@dataclass(frozen=True)
class KeepBlob(ModulePass):
    """Make blobs outputs of the model, so that later passes keep them and their names. `names` are
    the blobs' names in the file. Inputs and outputs of the model stay as they are.

    No rewrite may remove an output. If a layer also reads the blob, export inserts a Split.
    """

    name = "keep-blobs"
    names: tuple[str, ...]

    @classmethod
    def from_spec(cls, spec: ArgSpec) -> Self:
        """Raise `ValueError` for unknown options, or without names."""
        if unknown := [key for key in spec.parameters if key != "names"]:
            raise ValueError(f"keep-blobs has the option names, not '{unknown[0]}'")
        names = names_in("names", spec.parameters.get("names", ()))
        if not names:
            raise ValueError("keep-blobs needs names=BLOB[,BLOB…]")
        return cls(names)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        from xdsl.ir import BlockArgument

        from ...dialects.ncnn.function import (
            blob_in,
            name_at_producer,
            named,
            outputs_of,
            set_outputs,
        )
        from ...dialects.ncnn.lookup import find_blob, model_of
        from ...dialects.ncnn.structure import InputOp

        func = model_of(op)
        wanted = [(name, find_blob(func, name)) for name in self.names]
        outputs = outputs_of(func)
        for name, value in wanted:
            if isinstance(value, BlockArgument) or isinstance(value.owner, InputOp):
                continue
            returned = {blob_in(a) or name_at_producer(v) for v, a in outputs if v is value}
            if name in returned:
                continue
            outputs.append((value, named(name)))
            remark(self.name, name)
        set_outputs(func, outputs)
