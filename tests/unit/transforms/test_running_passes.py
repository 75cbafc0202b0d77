"""Passes that restrict patterns and name their rewrites; `canonicalize{enable=…}`."""

from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn.activation import ReLUOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.driver.errors import UsageError
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.pipelines import passes_in, run_pipeline
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.transforms.canonicalization.activation import FuseActivation
from ncnn_opt.transforms.canonicalization.affine import FuseAffine
from ncnn_opt.transforms.canonicalization.normalization import FuseNormAffine
from ncnn_opt.transforms.rewriting.observers import running
from ncnn_opt.transforms.rewriting.remarks import RemarkListener
from ncnn_opt.transforms.rewriting.running_passes import is_enabled, is_requested, name_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

TEXT = """7767517
10 10
Input         data   0 1 data 0=8 1=8 2=3
Convolution   conv   1 1 data conv 0=4 1=3 6=108
BatchNorm     norm   1 1 conv norm 0=4
BinaryOp      plus   1 1 norm plus 0=0 1=1 2=0.5
BinaryOp      times  1 1 plus times 0=2 1=1 2=0.5
ReLU          relu   1 1 times relu
Convolution1D one    1 1 relu one 0=4 1=3 6=48
Sigmoid       gate   1 1 one gate
LayerNorm     layer  1 1 gate layer 0=4
Noop          end    1 1 layer end
"""
"""Layers for questions. The model itself makes no sense."""


@pytest.fixture(scope="module")
def layers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, LayerOp]:
    path = tmp_path_factory.mktemp("layers") / "net.param"
    path.write_text(TEXT)
    module = read_model(str(path), ReadOptions("random")).module
    found = [op for op in module.walk() if isinstance(op, LayerOp) and op.layer_name]
    return {op.layer_name.data: op for op in found if op.layer_name is not None}


@pytest.mark.parametrize(
    ("passes", "last", "expected"),
    [
        ((), "norm", True),
        ((), "times", True),
        (("fuse-conv-bn",), "norm", True),
        (("fuse-conv-bn",), "times", False),
        (("fuse-conv-mul",), "times", True),
        (("fuse-conv-mul",), "plus", False),
        (("fuse-conv-add",), "plus", True),
        (("fuse-conv-add",), "times", False),
        (("fuse-innerproduct-mul",), "times", False),
        (("fuse-conv-bn", "fuse-conv-mul"), "times", True),
        (("fuse-conv-bn", "fuse-conv-mul"), "plus", False),
        # These have other patterns only.
        (("pad-channels",), "plus", True),
        (("my-pass",), "plus", True),
    ],
)
def test_passes_restrict_a_pattern_by_the_first_and_the_last_layer(
    passes: tuple[str, ...], last: str, expected: bool, layers: dict[str, LayerOp]
) -> None:
    with running(*passes):
        assert is_enabled(FuseAffine(), layers["conv"], layers[last]) is expected


def test_a_new_layer_takes_the_place_of_the_first_one(layers: dict[str, LayerOp]) -> None:
    chain, pattern = (layers["relu"], layers["norm"]), FuseActivation()
    with running("fuse-conv-activation"):
        assert not is_enabled(pattern, *chain)
        assert is_enabled(pattern, *chain, new=type(layers["conv"]))
        assert not is_enabled(pattern, *chain, new=ReLUOp)


def test_only_a_pass_with_the_pattern_requests_it() -> None:
    assert not is_requested(FuseActivation())
    with running("fuse-conv-activation"):
        assert is_requested(FuseActivation())
        assert not is_requested(FuseAffine())


@pytest.mark.parametrize(
    ("passes", "pattern", "names", "expected"),
    [
        ((), FuseAffine(), ("conv", "norm"), "fuse-conv-bn"),
        ((), FuseAffine(), ("conv", "times"), "fuse-conv-mul"),
        ((), FuseActivation(), ("one", "gate"), "fuse-conv-activation"),
        (("fuse-convolution-batchnorm",), FuseAffine(), ("conv", "norm"), None),
        (("fuse-convolution-batchnorm",), FuseAffine(), ("conv", "times"), "fuse-conv-mul"),
        (("fuse-convolution-activation",), FuseActivation(), ("one", "gate"), None),
        # An auxiliary pattern's rewrites have the name of the pass that owns the pattern.
        (("fuse-layernorm",), FuseNormAffine(), ("layer", "times"), "fuse-norm-affine"),
    ],
)
def test_the_name_of_a_rewrite_is_that_of_a_pass(
    passes: tuple[str, ...],
    pattern: RewritePattern,
    names: tuple[str, str],
    expected: str | None,
    layers: dict[str, LayerOp],
) -> None:
    with running(*passes):
        found = name_of(pattern, *(layers[name] for name in names))
    assert found == (expected or passes[0])


class OfNoPass(RewritePattern):
    """A pattern without a row."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        raise NotImplementedError


def test_a_pattern_of_no_pass(layers: dict[str, LayerOp]) -> None:
    with pytest.raises(LookupError, match="no pass makes the rewrite of OfNoPass"):
        name_of(OfNoPass(), layers["conv"])
    with running("my-pass"):
        assert name_of(OfNoPass(), layers["conv"]) == "my-pass"


SWISH = """7767517
6 7
Input        data   0 1 data 0=8 1=8 2=4
Noop         noop   1 1 data noop
Split        split  1 2 noop a b
Sigmoid      gate   1 1 a gate
BinaryOp     swish  2 1 b gate swish 0=2
ReLU         relu   1 1 swish relu
"""


@pytest.fixture
def swish(tmp_path: Path) -> ModuleOp:
    path = tmp_path / "swish.param"
    path.write_text(SWISH)
    return read_model(str(path), ReadOptions("random")).module


@pytest.mark.parametrize(
    ("pipeline", "rewrites", "left"),
    [
        ("canonicalize{enable=fuse-swish}", ["split", "swish"], ["Noop", "Swish", "ReLU"]),
        ("canonicalize{enable=fuse-mish}", ["split"], ["Noop", "Sigmoid", "BinaryOp", "ReLU"]),
        ("canonicalize{enable=eliminate-noop,fuse-swish}", None, ["Swish", "ReLU"]),
        ("canonicalize", None, ["Swish", "ReLU"]),
    ],
)
def test_enabled_passes(
    pipeline: str, rewrites: list[str] | None, left: list[str], swish: ModuleOp
) -> None:
    """A pass that needs another one before has it here, too: `fuse-swish` needs no Splits."""
    remarks: list[str] = []
    run_pipeline(
        swish, pipeline, observers=[RemarkListener(lambda each: remarks.append(each.rewrite))]
    )
    layers = [op.LAYER_TYPE for op in swish.walk() if isinstance(op, LayerOp)]
    assert [each for each in layers if each != "Input"] == left
    if rewrites is not None:
        assert [each.rpartition("-")[2] for each in remarks] == rewrites


FLATTEN = """7767517
3 3
Input    data 0 1 data 0=8 1=8 2=4
Pooling  pool 1 1 data pool 0=1 4=1
Flatten  flat 1 1 pool flat
"""


@pytest.mark.parametrize("swapped", [False, True])
def test_enabled_passes_keep_the_order_of_canonicalize(swapped: bool, tmp_path: Path) -> None:
    """`eliminate-identity` is for this Flatten, too, but its pattern comes later."""
    path = tmp_path / "flatten.param"
    path.write_text(FLATTEN)
    module = read_model(str(path), ReadOptions("random")).module
    names = ["eliminate-flatten-after-global-pooling", "eliminate-identity"]
    enabled = ",".join(reversed(names) if swapped else names)
    remarks: list[str] = []
    listener = RemarkListener(lambda each: remarks.append(str(each)))
    run_pipeline(module, f"canonicalize{{enable={enabled}}}", observers=[listener])
    assert remarks == [f"{names[0]}: Pooling 'pool', Flatten 'flat'"]


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ("fuse-con-bn", "'fuse-con-bn'; did you mean 'fuse-conv-bn'?"),
        ("fuse-swish,x", "'x'; ncnn-opt --list-passes lists them"),
        ("pad-channels", "'pad-channels'; ncnn-opt --list-passes lists them"),
        ("rename-model", "'rename-model'; ncnn-opt --list-passes lists them"),
    ],
)
def test_a_pass_without_patterns_of_canonicalize(names: str, problem: str) -> None:
    with pytest.raises(UsageError) as error:
        passes_in(f"canonicalize{{enable={names}}}")
    start = f"in the pipeline 'canonicalize{{enable={names}}}'"
    assert str(error.value) == f"{start}: canonicalize has no patterns of {problem}"
