# ruff: noqa: E501
"""Graphs of several operators: integers of an input, and indices that layers compute."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from .cases import Array


class Graph(NamedTuple):
    """A graph in PNNX's IR."""

    lines: str
    inputs: Mapping[str, Array]
    """The values of the inputs, in order."""
    weights: Mapping[str, Array]
    """The values of weights and constants by `OPERATOR.KEY`."""

    def text(self) -> str:
        """Return the content of the file."""
        lines = [line.strip() for line in self.lines.splitlines() if line.strip()]
        blobs = sum(int(line.split()[3]) for line in lines)
        return f"7767517\n{len(lines)} {blobs}\n" + "\n".join(lines) + "\n"


def _floats(*shape: int) -> Array:
    return np.random.default_rng(len(shape)).normal(0, 2, shape).astype("f4")


X, SCORES, TABLE = _floats(1, 6, 4), _floats(1, 6), _floats(9, 3)
WORDS = np.array([[4, 1, 8, 1, 0]])

TOP = """
    pnnx.Input scores 0 1 s #s=(1,6)f32
    pnnx.Input values 0 1 x #x=(1,6,4)f32
    torch.topk top 1 2 s v i dim=1 k=3 largest=True sorted=True $input=s #s=(1,6)f32 #v=(1,3)f32 #i=(1,3)i64
    torch.unsqueeze u 1 1 i u dim=-1 #i=(1,3)i64 #u=(1,3,1)i64
    {repeat}
    torch.gather g 2 1 x r y dim=1 $input=x $index=r #x=(1,6,4)f32 #r=(1,3,4)i64 #y=(1,3,4)f32
    pnnx.Output out 1 0 y #y=(1,3,4)f32
"""
EMBEDDED = """
    pnnx.Input words 0 1 w #w=(1,5)i64
    nn.Embedding e 1 1 w e embedding_dim=3 num_embeddings=9 sparse=False @weight=(9,3)f32 #w=(1,5)i64 #e=(1,5,3)f32
"""
GRAPHS: Mapping[str, Graph] = {
    "rows of the largest scores, expanded": Graph(
        TOP.format(repeat="Tensor.expand r 1 1 u r sizes=(1,3,4) $input=u #u=(1,3,1)i64 #r=(1,3,4)i64"),
        {"in0": SCORES, "in1": X}, {},
    ),
    "rows of the largest scores, repeated": Graph(
        TOP.format(repeat="Tensor.repeat r 1 1 u r sizes=(1,1,4) $input=u #u=(1,3,1)i64 #r=(1,3,4)i64"),
        {"in0": SCORES, "in1": X}, {},
    ),
    "a different index for each element of a row": Graph(
        """
        pnnx.Input values 0 1 x #x=(6,4)f32
        torch.argsort s 1 1 x i dim=1 descending=False stable=True $input=x #x=(6,4)f32 #i=(6,4)i64
        torch.gather g 2 1 x i y dim=1 $input=x $index=i #x=(6,4)f32 #i=(6,4)i64 #y=(6,4)f32
        pnnx.Output out 1 0 y #y=(6,4)f32
        """,
        {"in0": X[0]}, {},
    ),
    "rows at computed places": Graph(
        """
        pnnx.Input values 0 1 x #x=(6,4)f32
        torch.argmax a 1 1 x i dim=0 keepdim=False $input=x #x=(6,4)f32 #i=(4)i64
        torch.index_select t 2 1 x i y dim=0 $input=x $index=i #x=(6,4)f32 #i=(4)i64 #y=(4,4)f32
        pnnx.Output out 1 0 y #y=(4,4)f32
        """,
        {"in0": X[0]}, {},
    ),
    "words of an input, compared": Graph(
        EMBEDDED + """
        torch.ne m 1 1 w m other=1 $input=w #w=(1,5)i64 #m=(1,5)bool
        Tensor.to t 1 1 m t dtype=torch.int64 #m=(1,5)bool #t=(1,5)i64
        torch.cumsum c 1 1 t c dim=1 $input=t #t=(1,5)i64 #c=(1,5)i64
        pnnx.Expression p 2 1 c t p expr=add(mul(@0,@1),1) #c=(1,5)i64 #t=(1,5)i64 #p=(1,5)i64
        nn.Embedding f 1 1 p f embedding_dim=3 num_embeddings=9 sparse=False @weight=(9,3)f32 #p=(1,5)i64 #f=(1,5,3)f32
        pnnx.Expression q 2 1 e f y expr=add(@0,@1) #e=(1,5,3)f32 #f=(1,5,3)f32 #y=(1,5,3)f32
        pnnx.Output out 1 0 y #y=(1,5,3)f32
        """,
        {"in0": WORDS}, {"e.weight": TABLE, "f.weight": TABLE[::-1]},
    ),
    "words of an input behind a constant": Graph(
        EMBEDDED + """
        pnnx.Attribute first 0 1 a @data=(1,1)i64 #a=(1,1)i64
        torch.cat c 2 1 a w c dim=1 #a=(1,1)i64 #w=(1,5)i64 #c=(1,6)i64
        nn.Embedding f 1 1 c f embedding_dim=3 num_embeddings=9 sparse=False @weight=(9,3)f32 #c=(1,6)i64 #f=(1,6,3)f32
        torch.cat d 2 1 e f y dim=1 #e=(1,5,3)f32 #f=(1,6,3)f32 #y=(1,11,3)f32
        pnnx.Output out 1 0 y #y=(1,11,3)f32
        """,
        {"in0": WORDS}, {"e.weight": TABLE, "f.weight": TABLE[::-1], "first.data": np.array([[7]])},
    ),
    "a permutation and its inverse": Graph(
        """
        pnnx.Input values 0 1 x #x=(6)f32
        pnnx.Attribute numbers 0 1 n @data=(6)f32 #n=(6)f32
        pnnx.Attribute zeros 0 1 z @data=(6)f32 #z=(6)f32
        torch.argsort s 1 1 x i dim=0 descending=False stable=True $input=x #x=(6)f32 #i=(6)i64
        pnnx.Expression l 1 1 i l expr=[@0] #i=(6)i64
        Tensor.index_put p 3 1 z l n y accumulate=False $input=z $indices=l $values=n #z=(6)f32 #n=(6)f32 #y=(6)f32
        pnnx.Output out 1 0 y #y=(6)f32
        """,
        {"in0": SCORES[0]}, {"numbers.data": np.arange(6, dtype="f4"), "zeros.data": np.zeros(6, "f4")},
    ),
}  # fmt: skip
