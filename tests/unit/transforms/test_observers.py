"""Observers of passes, rewrites and remarks."""

from collections.abc import Callable
from pathlib import Path

import pytest
from ncnn_opt.dialects.ncnn.activation import ReLUOp
from ncnn_opt.dialects.ncnn.convolution import ConvolutionOp
from ncnn_opt.dialects.ncnn.elementwise import DropoutOp
from ncnn_opt.dialects.ncnn.layer import LayerOp
from ncnn_opt.driver.model_files import read_model
from ncnn_opt.driver.observers.dynamic_layers import DynamicLayers
from ncnn_opt.driver.observers.of_request import (
    lasting_observers,
    observers_of_model,
    reports_of_model,
)
from ncnn_opt.driver.observers.padded_channels import PaddedChannels
from ncnn_opt.driver.observers.run_observer import RunObserver
from ncnn_opt.driver.pipelines import make_dynamic, run_pipeline
from ncnn_opt.driver.requests import Request
from ncnn_opt.frontends import ReadOptions
from ncnn_opt.transforms.rewriting.observers import (
    Observer,
    current_observers,
    observing,
    observing_alone,
    running,
)
from ncnn_opt.transforms.rewriting.pattern_set import LayerReplacement, PatternSet
from ncnn_opt.transforms.rewriting.remarks import Remark, RemarkListener, remark
from ncnn_opt.transforms.rewriting.rewrite_counter import RewriteCounter
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

TEXT = """7767517
5 5
Input        data   0 1 data 0=8 1=8 2=3
Convolution  conv   1 1 data conv 0=4 1=3 6=108
BatchNorm    norm   1 1 conv norm 0=4
Dropout      drop   1 1 norm drop
ReLU         relu   1 1 drop relu
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleOp:
    path = tmp_path / "net.param"
    path.write_text(TEXT)
    return read_model(str(path), ReadOptions("random")).module


class Log(Observer):
    """Notes each event except attempts, which it counts."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.attempts = 0

    def between_passes(
        self, done: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        names = [None if each is None else each.name for each in (done, following)]
        self.events.append(f"{names[0]} | {names[1]}")

    def after_part(self, name: str | None) -> None:
        self.events.append(f"end of {name}")

    def before_attempt(self, pattern: RewritePattern) -> None:
        self.attempts += 1

    def after_rewrite(self, pattern: RewritePattern, op: Operation) -> None:
        assert isinstance(op, LayerOp)
        self.events.append(f"{type(pattern).__name__} at {op.label()}")

    def on_remark(self, remark: Remark) -> None:
        self.events.append(str(remark))


def test_events_in_order(module: ModuleOp) -> None:
    log = Log()
    run_pipeline(module, ["eliminate-dropout", "fuse-conv-bn"], observers=[log])
    assert log.events == [
        "end of None",
        "None | eliminate-dropout",
        "end of (reports)",
        "eliminate-dropout: Dropout 'drop'",
        "EliminateIdentity at Dropout 'drop'",
        "end of eliminate-dropout",
        "eliminate-dropout | fuse-conv-bn",
        "end of (reports)",
        "fuse-conv-bn: Convolution 'conv', BatchNorm 'norm'",
        "FuseAffine at BatchNorm 'norm'",
        "end of fuse-conv-bn",
        "end of (verification)",
        "fuse-conv-bn | None",
        "end of (reports)",
    ]
    assert log.attempts > 2


def test_the_limit_of_any_observer(module: ModuleOp) -> None:
    counters = [RewriteCounter(limit) for limit in (None, 1, 7)]
    run_pipeline(module, "canonicalize", observers=counters)
    assert [each.done for each in counters] == [1, 1, 1]
    assert [each.may_rewrite() for each in counters] == [True, False, True]


def test_observers_are_added_or_replaced() -> None:
    found: list[str] = []

    class Named(Observer):
        def __init__(self, name: str) -> None:
            self.name = name

        def on_remark(self, remark: Remark) -> None:
            found.append(f"{self.name} {remark.rewrite}")

    with observing(Named("a")):
        with observing(Named("b")):
            remark("1")
        with observing_alone(Named("c")):
            remark("2")
        with observing_alone():
            remark("3")
        with running("fuse-conv-bn"):
            assert current_observers().running == ("fuse-conv-bn",)
            remark("4")
        assert current_observers().running == ()
    remark("5")
    assert found == ["a 1", "b 1", "c 2", "a 4"]


def test_an_event_without_observers_has_no_methods() -> None:
    with observing(Observer(), RewriteCounter()):
        observers = current_observers()
        assert len(observers.all) == 2
        assert not observers.before_attempt + observers.on_remark + observers.between_passes
        assert len(observers.after_rewrite) == 1


PAIRS = """7767517
4 4
Input        data   0 1 data 0=8 1=8 2=8
Convolution  a      1 1 data a 0=2 1=1 6=16
Convolution  b      1 1 a b 0=8 1=1 6=16
PReLU        slope  1 1 b slope 0=1
"""


def test_the_remark_of_a_replacement_lists_the_root_and_the_removed_layers(tmp_path: Path) -> None:
    path = tmp_path / "net.param"
    path.write_text(PAIRS.replace("0=2", "0=8").replace("6=16", "6=64"))
    found: list[Remark] = []
    passes = ["replace-prelu-with-leaky-relu", "fuse-convolution-convolution"]
    run_pipeline(
        read_model(str(path), ReadOptions("random")).module,
        passes,
        observers=[RemarkListener(found.append)],
    )
    assert [each.layers for each in found if each.rewrite == passes[0]] == [("PReLU 'slope'",)]
    merged = ("Convolution 'b'", "Convolution 'a'")
    assert [each.layers for each in found if each.rewrite == passes[1]] == [merged]


class ReplacesBoth(LayerReplacement):
    """Remove two layers behind an input, the second one first, and put a ReLU there."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, DropoutOp):
            (use,) = op.output.uses
            user = use.operation
            assert isinstance(user, ReLUOp)
            rewriter.replace(user, [], [op.input])
            rewriter.erase(op)


def test_the_root_of_a_replacement_comes_first(module: ModuleOp) -> None:
    dropout = next(op for op in module.walk() if isinstance(op, DropoutOp))
    found: list[Remark] = []
    with observing(RemarkListener(found.append)), running("my-pass"):
        PatternSet([ReplacesBoth()]).match_and_rewrite(dropout, PatternRewriter(dropout))
    assert [str(each) for each in found] == ["my-pass: Dropout 'drop', ReLU 'relu'"]


def test_a_pattern_that_does_nothing_has_no_remark(module: ModuleOp) -> None:
    found: list[Remark] = []
    with observing(RemarkListener(found.append)), running("my-pass"):
        for op in [op for op in module.walk() if isinstance(op, ReLUOp | ConvolutionOp)]:
            PatternSet([ReplacesBoth()]).match_and_rewrite(op, PatternRewriter(op))
    assert not found


def request(**options: object) -> Request:
    return Request(None, None, (), ReadOptions(), True)._replace(**options)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, ["ForbiddenGrowth", "PaddedChannels", "UnmatchedPatterns"]),
        ({"statistics": True}, ["RewriteStatistics"]),
        ({"dynamic": True}, ["DynamicLayers"]),
        ({"remarks": "text"}, ["RemarkPrinter"]),
        ({"missed": True}, ["MissedFusions"]),
        ({"trace": "t.json"}, ["PassTimes"]),
        ({"max_rewrites": 0}, ["RewriteLimit"]),
        ({"print_after_rewrite": ("FuseAffine",)}, ["RewriteDump"]),
        ({"print_after": ("canonicalize",)}, ["IRDump"]),
        ({"named_passes": ("fuse-swish",)}, ["UnmatchedPasses"]),
    ],
)
def test_options_select_observers(options: dict[str, object], names: list[str]) -> None:
    def of(asked: Request) -> set[str]:
        tell: Callable[[str], None] = print
        found: list[RunObserver] = [
            *observers_of_model(asked, tell),
            *lasting_observers(asked, None),
            *reports_of_model(asked, tell),
        ]
        return {type(each).__name__ for each in found}

    assert of(request(**options)) - (of(request()) if options else set()) == set(names)


PADDED = """7767517
4 4
Input                 data 0 1 data 0=40 1=40 2=8
Convolution           a    1 1 data a 0=58 1=1 6=464
ConvolutionDepthWise  b    1 1 a b 0=58 1=3 4=1 6=522 7=58
Convolution           c    1 1 b c 0=64 1=1 6=3712
"""


@pytest.mark.parametrize(("channels", "count"), [(58, 1), (64, 0)])
def test_layers_with_more_channels_are_counted(channels: int, count: int, tmp_path: Path) -> None:
    text = PADDED.replace("58", str(channels)).replace("464", str(8 * channels))
    path = tmp_path / "net.param"
    path.write_text(text.replace("522", str(9 * channels)).replace("3712", str(64 * channels)))
    module, padded = read_model(str(path), ReadOptions("random")).module, PaddedChannels()
    run_pipeline(module, ["pad-channels"], observers=[padded])
    assert padded.facts() == {"padded": count}


RESIZED = "7767517\n3 3\nInput x 0 1 x 0=9 1=7 2=2\nReLU a 1 1 x a\n{}\n"


@pytest.mark.parametrize(
    ("layer", "line"),
    [
        ("Interp b 1 1 a b 0=2 3=14 4=18", "1 layer is dynamic now: Interp 'b'"),
        ("Interp b 1 1 a b 0=2 1=2.0 2=2.0", "no layer contains the input size, so none had to"),
    ],
)
def test_layers_that_become_dynamic_are_named(
    layer: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "net.param"
    path.write_text(RESIZED.format(layer))
    module, observer = read_model(str(path), ReadOptions("random")).module, DynamicLayers()
    run_pipeline(module, make_dynamic(["x:h", "x:w"]), observers=[observer])
    observer.report(module)
    assert f"ncnn-opt: --dynamic: {line}" in capsys.readouterr().err
