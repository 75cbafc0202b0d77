"""Public functions with wrong arguments: whatever they are, the error is `NcnnOptError`, and files
and models are left as they were."""

import io
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ncnn_opt.formats.scale_table import ScaleTable
from ncnn_opt.native.lowering import Port
from ncnn_opt.native.program import Compiled
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

import ncnn_opt
from ncnn_opt import NcnnOptError

MODELS = Path(__file__).parents[3] / "examples"

EXAMPLES = int(40 * float(os.environ.get("NCNN_OPT_EXAMPLES", "1")))
"""Calls of each function."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a model."""
    folder = tmp_path / "work"
    folder.mkdir()
    for path in MODELS.glob("small_cnn.*"):
        shutil.copy(path, folder)
    monkeypatch.chdir(folder)
    return folder


class Odd:
    """Conversions of it fail."""

    def __array__(self, *_: object, **__: object) -> Any:
        raise RuntimeError("no array")

    def __fspath__(self) -> Any:
        return 3


SMALL = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([1.5, -1.0, float("nan"), float("inf"), 10**400, 1j]),
    st.sampled_from(["", "a", "data", "prob", "conv1", "h,w", "\0", "\ud800", "a/b", "none"]),
    st.sampled_from(
        [b"data", Path("nowhere/x.param"), Path("."), io.BytesIO(), Odd(), object, Odd]
    ),
    st.sampled_from(
        [np.zeros((3, 32, 32)), np.zeros(0), np.float32(2), np.array(["a"]), np.array(None)]
    ),
)
JUNK: st.SearchStrategy[Any] = st.recursive(
    SMALL,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.sampled_from(["data", "prob", "", 3, None]), inner, max_size=2),
        st.lists(inner, max_size=2).map(iter),
    ),
    max_leaves=4,
)
"""Values that no function expects, and some that one does."""

Call = Callable[[Any, Mapping[str, Any]], object]

api: Any = ncnn_opt

CALLS: Mapping[str, tuple[Call, tuple[str, ...]]] = {
    "load": (
        lambda _, given: api.load(**{"path": "small_cnn.param", **given}),
        ("path", "weights", "custom_weights", "allow_trailing_weights", "pnnx", "shapes"),
    ),
    "optimize": (
        lambda model, given: api.optimize(**{"model": model, "passes": [], **given}),
        ("model", "passes", "tune", "keep_precision", "fix_shapes", "max_shape", "shapes"),
    ),
    "make_dynamic": (
        lambda model, given: api.make_dynamic(**{"model": model, "axes": {"data": "h,w"}, **given}),
        ("model", "axes", "other_export"),
    ),
    "check": (lambda model, given: api.check(**{"model": 3, **given}), ("model",)),
    "save": (
        lambda model, given: api.save(**{"model": model, "path": "new.param", **given}),
        ("model", "path", "weights"),
    ),
    "load_compiled": (lambda _, given: api.load_compiled(**given), ("path",)),
    "report": (
        lambda model, given: model.report(**given),
        ("shapes", "data", "evaluation", "repeat"),
    ),
    "save_report": (
        lambda model, given: model.save_report(**{"path": "new.json", **given}),
        ("path", "other", "shapes"),
    ),
    "run": (lambda model, given: model.run(**given), ("inputs", "blobs", "engine", "seed")),
    "verify": (
        lambda model, given: model.verify(**{"other": model, "engine": "numpy", **given}),
        ("other", "inputs", "samples", "seed", "tolerance", "engine"),
    ),
    "calibrate": (
        lambda model, given: model.calibrate(**{"data": [np.zeros(3)], **given}),
        ("data", "method", "weight_method", "jobs"),
    ),
    "quantize": (
        lambda model, given: model.quantize(**{"table": ScaleTable({}, {}), **given}),
        ("table", "keep"),
    ),
    "compile": (
        lambda model, given: model.compile(**{"target_device": "nothing", **given}),
        (
            "target_device",
            "target_cpu",
            "input_shapes",
            "optimize",
            "autotune",
            "autotune_seconds",
            "autotune_cache",
        ),
    ),
}
"""Each public function, with arguments that are right but for those that are given; and the names
of its arguments."""


WRONG: Mapping[str, Callable[[Any], object]] = {
    "load: path must be the name of a file, or its content as bytes, not None": lambda _: api.load(
        None
    ),
    "load: shapes must be a mapping of inputs to their extents, as {'data': (3, 224, 224)}, "
    "or None, not (3, 64, 64)": lambda _: api.load("small_cnn.param", shapes=(3, 64, 64)),
    "save: path must be the name of a file, not a value of type BytesIO": lambda model: api.save(
        model, io.BytesIO()
    ),
    "save: model must be a Model, not 'new.param'": lambda model: api.save("new.param", model),
    "verify: other must be a Model, not 'x.param'": lambda model: model.verify("x.param"),
    "make_dynamic: axes must be a mapping of inputs to their axes, as {'data': 'h,w'}, "
    "not {'data': ('h', 'w')}": lambda model: api.make_dynamic(model, {"data": ("h", "w")}),
    "run: blobs must be a list of names, or None, not 'prob'": lambda model: model.run(
        blobs="prob"
    ),
    "run: seed must be an integer of at least 0, not -1": lambda model: model.run(seed=-1),
    "verify: samples must be an integer of at least 1, not 0": lambda model: model.verify(
        model, samples=0
    ),
    "verify: tolerance must be a number of at least 0, not nan": lambda model: model.verify(
        model, tolerance=float("nan")
    ),
    "the input is no array: no array": lambda model: model.run(Odd()),
    "sample 0 must be an array of numbers, not 'a'": lambda model: model.calibrate(["a"]),
    "input 'data' must have an axis that counts samples": lambda model: model.calibrate(
        {"data": 1}
    ),
}


@pytest.mark.parametrize("message", WRONG)
def test_messages(message: str, folder: Path) -> None:
    with pytest.raises(NcnnOptError) as caught:
        WRONG[message](ncnn_opt.load("small_cnn.param"))
    assert str(caught.value) == message
    assert sorted(os.listdir(folder)) == ["small_cnn.bin", "small_cnn.param"]


def test_arguments_that_a_function_does_not_have(folder: Path) -> None:
    with pytest.raises(TypeError, match="missing a required argument: 'path'"):
        api.load()
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'pth'"):
        api.load("small_cnn.param", pth=3)


class Failing(ModulePass):
    """A pass of somebody's."""

    name = "failing"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise KeyError("theirs")


def test_a_pass_of_others_that_fails(folder: Path) -> None:
    model = ncnn_opt.load("small_cnn.param")
    text = str(model)
    with pytest.raises(NcnnOptError) as caught:
        ncnn_opt.optimize(model, ["eliminate-split", Failing()])
    place = f"'failing' of {__name__}"
    assert str(caught.value) == f"the pass {place} has failed: KeyError: 'theirs'"
    assert isinstance(caught.value.__cause__, Exception)
    assert isinstance(caught.value.__cause__.__cause__, KeyError)
    assert str(model) == text


@pytest.mark.parametrize("name", CALLS)
def test_whatever_is_given(name: str, folder: Path) -> None:
    call, names = CALLS[name]
    model = ncnn_opt.load("small_cnn.param")
    before, text = (folder / "small_cnn.param").read_bytes(), str(model)
    refused = 0

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
    @given(st.dictionaries(st.sampled_from(names), JUNK, min_size=1, max_size=2))
    def check(given: Mapping[str, Any]) -> None:
        nonlocal refused
        used = ncnn_opt.Model(model.path, model.module.clone(), origin=model.origin)
        try:
            call(used, given)
            return
        except NcnnOptError as error:
            message = str(error)
        refused += 1
        assert message
        assert str(used) == text

    check()
    assert refused > EXAMPLES // 5
    assert (folder / "small_cnn.param").read_bytes() == before


PROGRAM = Compiled(b"", "cpu", (Port("x", "float32", (3,)),), (), (), ())
"""One that is never loaded."""


@settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)
@given(st.lists(JUNK, max_size=2))
def test_inputs_of_native_code(inputs: list[Any]) -> None:
    with pytest.raises(NcnnOptError):
        ncnn_opt.CompiledModel("m.vmfb", PROGRAM)(*inputs)


@settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(JUNK)
def test_where_native_code_is_saved(folder: Path, path: Any) -> None:
    """A str is the name of a file in the folder; all else is refused."""
    try:
        ncnn_opt.CompiledModel("m.vmfb", PROGRAM).save(path)
    except NcnnOptError:
        written = False
    else:
        written = True
    assert folder.is_dir()
    assert not written or isinstance(path, str | os.PathLike)


@pytest.mark.parametrize("path", ["", ".", Path(".")])
def test_a_folder_is_never_replaced(path: Any, folder: Path) -> None:
    with pytest.raises(NcnnOptError):
        ncnn_opt.CompiledModel("m.vmfb", PROGRAM).save(path)
    with pytest.raises(NcnnOptError):
        ncnn_opt.save(ncnn_opt.load("small_cnn.param"), path)
    assert sorted(os.listdir(folder)) == ["small_cnn.bin", "small_cnn.param"]
    assert sorted(os.listdir(folder.parent)) == [folder.name]
