"""The source of a conversion, by the word on the command line: a file of TorchScript, of
`torch.export`, of ONNX or of Ultralytics, or a function that returns a module and its inputs."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..formats.numpy_arrays import NamedArrays, read_numpy
from ..interpreters.errors import RunError
from ..interpreters.source.callables import reason_of
from ..interpreters.source.source_steps import as_tensor, check_torch, import_torch, torch
from ..interpreters.source.tracing import load_script
from .errors import UsageError
from .export_routes import without_logs
from .onnx_session import OnnxSession
from .ultralytics_models import is_ultralytics

IMAGE_SIZE = 640
"""The size of images for a model of Ultralytics, unless another is given."""

SEED = 0
"""The seed of random inputs."""


@dataclass(frozen=True)
class SourceFile:
    """A model to convert, and its inputs."""

    name: str
    """Its name in messages."""
    function: Callable[..., Any]
    """The module of PyTorch; for ONNX, a function that ONNX Runtime computes."""
    inputs: Sequence[Any]
    """Tensors with the batch axis."""
    onnx: str | None = None
    """The file, if it is ONNX."""


def read_source(
    word: str,
    shapes: Sequence[str] = (),
    files: Sequence[str] = (),
    example: Sequence[NDArray[Any]] = (),
) -> SourceFile:
    """Return the model that a word of the command line names. `shapes` are the shapes of random
    inputs, as `1,3,224,224`; `files` are `.npy` files with inputs; `example` are the inputs of a
    function that returns none. Raises one of `USER_ERRORS`."""
    check_torch()
    if shapes and files:
        raise UsageError("--input-shape and --input exclude each other")
    given = [_random(shape) for shape in shapes] or [_from_file(file) for file in files]
    if word.endswith((".param", ".mlir", ".bin")):
        raise UsageError(
            f"'{word}' is a model of ncnn already: use ncnn-opt -O, and for a "
            "program that loads it ncnn-run --snippet"
        )
    if os.path.isdir(word):
        word = _weights_in(word)
    ending = os.path.splitext(word)[1]
    if ending == ".onnx":
        return _onnx(word, given)
    if ending == ".pt2":
        return _program(word, given)
    if ending in (".yaml", ".yml"):
        return _ultralytics(word, given)
    if ending in (".pt", ".pth"):
        return _script(word, given)
    if ":" in word:
        return _function(word, given, [as_tensor(array) for array in example])
    raise UsageError(
        f"'{word}' is no source: a .pt (TorchScript, Ultralytics), .pt2, .onnx, .yaml of "
        "Ultralytics, or module:function"
    )


def _random(text: str) -> Any:
    try:
        shape = [int(word) for word in text.split(",")]
    except ValueError:
        shape = []
    if not shape or min(shape) < 1:
        raise UsageError(f"--input-shape {text}: extents with the batch axis, as 1,3,224,224")
    rng = np.random.default_rng(SEED)
    # Images have values of [0, 1]; other blobs are about as large as after a normalization.
    values = rng.random(shape) if len(shape) == 4 else rng.normal(size=shape)
    return torch.from_numpy(values.astype("f4"))


def _from_file(path: str) -> Any:
    values = read_numpy(path, path)
    if isinstance(values, NamedArrays) or values.dtype.kind not in "fiub":
        raise UsageError(f"--input {path}: a .npy with the numbers of one input is needed")
    return as_tensor(values)


def _needed(name: str, given: Sequence[Any]) -> Sequence[Any]:
    if not given:
        raise UsageError(
            f"{name} does not state its inputs: --input-shape 1,3,224,224 for each, or --input FILE"
        )
    return given


def _weights_in(folder: str) -> str:
    """Return the checkpoint in a folder that Ultralytics has written. Raises `UsageError`."""
    for name in ("weights/best.pt", "best.pt", "weights/last.pt"):
        if os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    if found := sorted(Path(folder).glob("*.ncnn.param")):
        raise UsageError(
            f"'{folder}' has a model of ncnn already: use ncnn-opt -O {found[0]} -o FILE"
        )
    raise UsageError(f"'{folder}' has no weights/best.pt, as a training run of Ultralytics")


def _script(path: str, given: Sequence[Any]) -> SourceFile:
    try:
        module = load_script(path)
    except RunError as e:
        if importlib.util.find_spec("ultralytics") is None:
            raise
        try:
            return _ultralytics(path, given)
        except RunError as second:
            raise RunError(f"{e}; it is no checkpoint of Ultralytics either: {second}") from None
    return SourceFile(path, module, _needed(path, given))


def _program(path: str, given: Sequence[Any]) -> SourceFile:
    export = import_torch("torch.export")
    with open(path, "rb"):
        pass
    try:
        with without_logs():
            program = export.load(path)
            examples: Any = program.example_inputs or ((), {})
            module = program.module()
    except Exception as e:  # any error of another package
        raise RunError(f"{path}: this is no program of torch.export: {reason_of(e)}") from e
    if examples[1] and not given:
        names = ", ".join(map(str, examples[1]))
        raise UsageError(f"{path} has inputs by name ({names}); export it without")
    inputs = given or [each for each in examples[0] if isinstance(each, torch.Tensor)]
    return SourceFile(path, module, _needed(path, inputs))


def _ultralytics(path: str, given: Sequence[Any]) -> SourceFile:
    if importlib.util.find_spec("ultralytics") is None:
        raise RunError(f"{path} is a model of Ultralytics: pip install ultralytics")
    try:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            model = import_torch("ultralytics").YOLO(path)
    except Exception as e:  # any error of another package
        raise RunError(f"Ultralytics does not load {path}: {reason_of(e)}") from e
    size = ",".join(map(str, (1, 3, IMAGE_SIZE, IMAGE_SIZE)))
    return SourceFile(path, model, given or [_random(size)])


def _function(word: str, given: Sequence[Any], example: Sequence[Any]) -> SourceFile:
    """Call `module:function` or `file.py:function`."""
    place, _, name = word.rpartition(":")
    module = _imported(place, word)
    function = getattr(module, name, None)
    if not callable(function):
        raise UsageError(f"'{place}' has no function '{name}'")
    if isinstance(function, torch.nn.Module):
        return SourceFile(word, function, _needed(word, given or example))
    try:
        made: Any = function()
    except Exception as e:  # any error of a user's code
        raise RunError(f"{word}: {reason_of(e)}") from e
    pair: Any = made if type(made) is tuple else (made, ())  # pyright: ignore[reportUnknownVariableType]
    if len(pair) != 2:
        raise UsageError(f"{word} returns {len(pair)} values, not a module and its inputs")
    model: Any = pair[0]
    if not callable(model) and not is_ultralytics(model):
        raise UsageError(f"{word} returns {type(model).__name__}, not a module and its inputs")
    own: list[Any] = list(pair[1]) if isinstance(pair[1], tuple | list) else [pair[1]]  # pyright: ignore
    if not all(isinstance(each, torch.Tensor) for each in own):
        raise UsageError(f"{word} returns inputs that are not tensors")
    return SourceFile(word, model, _needed(word, given or own or example))


def _imported(place: str, word: str) -> ModuleType:
    sys.path.insert(0, os.getcwd())
    try:
        if not place.endswith(".py"):
            return importlib.import_module(place)
        spec = importlib.util.spec_from_file_location(Path(place).stem, place)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    except FileNotFoundError as e:
        raise UsageError(f"{word}: there is no file '{place}'") from e
    except Exception as e:  # any error of a user's code
        raise RunError(f"{word}: {reason_of(e)}") from e
    finally:
        sys.path.remove(os.getcwd())


def _onnx(path: str, given: Sequence[Any]) -> SourceFile:
    session = OnnxSession(path)
    if given and len(given) != len(session.ports):
        names = ", ".join(f"'{port.name}'" for port in session.ports)
        raise UsageError(f"{path} has {len(session.ports)} inputs ({names}), not {len(given)}")
    inputs = given or [_of_port(port, path) for port in session.ports]
    return SourceFile(path, session, inputs, path)


def _of_port(port: Any, path: str) -> Any:
    """Return a random input of a model of ONNX. Raises `UsageError` for an open shape."""
    if port.type != "tensor(float)" or not all(isinstance(n, int) and n > 0 for n in port.shape):
        shape = ",".join(map(str, port.shape))
        raise UsageError(
            f"{path}: input '{port.name}' is {port.type} of the shape {shape}; give --input-shape "
            "or --input for each input, in order"
        )
    return _random(",".join(map(str, port.shape)))
