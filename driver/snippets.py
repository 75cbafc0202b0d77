"""Examples of programs that load a model and run it once, in the languages of ncnn's users."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os.path import basename

from xdsl.dialects.func import FuncOp

from ..analysis.input_shapes import unknown_extents
from ..analysis.random_inputs import advice_for_unknown
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import blobs_without_split, inputs_of, output_names
from ..dialects.ncnn.lookup import model_of
from ..dialects.ncnn.weight_specs import Shape
from ..formats.file_names import names_beside, weights_beside
from ..formats.languages import LANGUAGES
from ..interpreters.errors import RunError
from ..runtime.trial_shapes import feeds_of, refusal
from ..samples.images import Preprocessing
from .errors import UsageError
from .model_files import InputModel

RANGE = "Values are 0 to 255; --mean and --norm of this command give others."
"""The comment of an image without mean and norm."""

KEEPS_BLOBS = "several layers read one blob without a Split"
"""The reason for keeping blobs."""


@dataclass(frozen=True)
class _Input:
    name: str
    shape: Shape
    """Outermost extent first."""
    remark: str = ""
    """A comment about the shape."""
    any_size: bool = False
    """Whether the model determines no extent, so that the shape is only an example."""

    @property
    def is_image(self) -> bool:
        """Whether an image with pixels of one, three or four channels fits."""
        return not self.any_size and len(self.shape) == 3 and self.shape[0] in (1, 3, 4)


@dataclass(frozen=True)
class _Model:
    param: str
    weights: str
    inputs: Sequence[_Input]
    outputs: Sequence[str]
    how: Preprocessing
    binary: bool = False
    """Whether the graph is a `.param.bin`, whose blobs have numbers instead of names."""
    names: str = ""
    """The header with the names of these numbers; empty if there is none."""
    keeps_blobs: bool = False
    """Whether several layers read a blob, which the runtime must not free after the first."""

    @property
    def load(self) -> str:
        """Return the name of ncnn's function that loads the graph."""
        return "load_param_bin" if self.binary else "load_param"

    def blob(self, name: str) -> str:
        """Return a blob as an argument of ncnn's functions."""
        return name if self.binary else _quoted(name)

    def remark(self, sign: str) -> list[str]:
        """Return a comment about the numbers of blobs, with this sign."""
        where = f"; {self.names} has their names" if self.names else ""
        return [f"{sign} The blobs of a .param.bin have numbers{where}."] if self.binary else []

    def pixels(self, channels: int) -> str:
        """Return ncnn's name of the conversion of pixels, blue first, for an input."""
        if channels == 1:
            return "PIXEL_BGR2GRAY"
        if channels == 4:
            return "PIXEL_BGR2RGBA" if self.how.to_rgb else "PIXEL_BGR2BGRA"
        return "PIXEL_BGR2RGB" if self.how.to_rgb else "PIXEL_BGR"

    def mean_and_norm(self, channels: int) -> tuple[list[float], list[float]] | None:
        """Return both with a value for each channel, `None` if neither is given."""
        if not self.how.mean and not self.how.norm:
            return None
        mean, norm = self.how.mean or (0.0,), self.how.norm or (1.0,)
        return _each(mean, channels), _each(norm, channels)


ANY = 3, 224, 224
"""The shape for inputs of which the model determines no extent."""


def snippet(language: str, source: InputModel, how: Preprocessing) -> str:
    """Return a program that runs a model once. Raises `UsageError` for another language and for a
    file that ncnn does not load, and `RunError` for a model that does not run with the shapes of
    its inputs, and if these are not known."""
    check_snippet(language, source.path, source.kind)
    func, path = model_of(source.module), source.path
    shared = blobs_without_split(func)
    if shared and language == "swift":
        raise UsageError(
            f"{path}: several layers read {', '.join(map(repr, shared[:3]))} without a Split, "
            "which ncnn's C API cannot run; --eliminate-split and -O of ncnn-opt write a Split"
        )
    model = _Model(
        basename(path),
        basename(weights_beside(path)),
        _inputs(func, path),
        output_names(func),
        how,
        source.kind == BINARY,
        basename(names_beside(path) or ""),
        bool(shared),
    )
    return _WRITERS[language](model).strip("\n")


def check_snippet(language: str, path: str, kind: str) -> None:
    """Raise `UsageError` for another language, and for a kind of file that ncnn does not load."""
    if language not in LANGUAGES:
        raise UsageError(f"--snippet is one of {', '.join(LANGUAGES)}, not '{language}'")
    if kind not in (TEXT, BINARY):
        raise UsageError(
            f"{path}: ncnn does not load .{kind}; write a .param first (ncnn-opt {path} -o m.param)"
        )


TEXT, BINARY = "param", "param.bin"
"""The kinds of files that ncnn loads."""


def _inputs(func: FuncOp, path: str) -> list[_Input]:
    """Return the inputs with the shapes of a trial run. Raises `RunError` if the model does not
    run with them."""
    feeds = feeds_of(func)
    args = inputs_of(func)
    shapes = {i: static_shape_of(arg) for i, arg in enumerate(args.values())}
    shapes |= {i: feed.shape for i, feed in feeds.items()}
    unknown = [i for i, shape in shapes.items() if shape is None]
    known = {i: shape or ANY for i, shape in shapes.items()}
    if unknown and unknown_extents(func, known) != 0:
        name, arg = [*args.items()][unknown[0]]
        raise RunError(f"{path}: {advice_for_unknown(name, arg)}")
    if (reason := refusal(func, known)) is not None:
        raise RunError(f"{path}: {reason}")
    return [
        _Input(name, known[i], "any size that fits", True)
        if i in unknown
        else _Input(name, known[i], feeds[i].reason if i in feeds else "")
        for i, name in enumerate(args)
    ]


def _quoted(text: str) -> str:
    """Return a text as a string literal of all these languages."""
    return f'"{text.translate(_ESCAPES)}"'


def _printed(text: str) -> str:
    """Return a text as a part of a format of C's `printf`."""
    return text.replace("%", "%%").translate(_ESCAPES)


_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def _each(values: Sequence[float], channels: int) -> list[float]:
    return [*values] if len(values) == channels else [*values] * channels


def _numbers(values: Sequence[float], ending: str = "") -> str:
    return ", ".join(f"{value!r}{ending}" for value in values)


def _extents(each: _Input, sign: str) -> tuple[Sequence[int], str]:
    """Return a shape for the example, and a comment with this sign if it is only an example."""
    return each.shape, f"  {sign} {each.remark}" if each.remark else ""


def _python(model: _Model) -> str:
    lines = ["import ncnn", "import numpy as np", ""]
    lines += ["net = ncnn.Net()"]
    lines += [f"net.opt.lightmode = False  # {KEEPS_BLOBS}"] if model.keeps_blobs else []
    lines += model.remark("#")
    loads = f"net.{model.load}({_quoted(model.param)})", f"net.load_model({_quoted(model.weights)})"
    lines += [f"if {loads[0]} != 0 or {loads[1]} != 0:"]
    lines += ['    raise SystemExit("the model does not load")']
    lines += ["", "with net.create_extractor() as ex:"]
    for i, each in enumerate(model.inputs):
        shape, remark = _extents(each, "#")
        if each.is_image:
            channels, height, width = shape
            lines += [
                f"    pixels{i} = np.zeros((480, 640, 3), np.uint8)  # of an image, as cv2.imread",
                f"    x{i} = ncnn.Mat.from_pixels_resize(",
                f"        pixels{i}, ncnn.Mat.PixelType.{model.pixels(channels)}, 640, 480, "
                f"{width}, {height}",
                f"    ){remark}",
            ]
            if (numbers := model.mean_and_norm(channels)) is not None:
                mean, norm = numbers
                lines.append(
                    f"    x{i}.substract_mean_normalize([{_numbers(mean)}], [{_numbers(norm)}])"
                )
            else:
                lines.append(f"    # {RANGE}")
        else:
            extents = ", ".join(map(str, shape)) + ("," if len(shape) == 1 else "")
            # A Mat uses the memory of the array, so the array needs a name; and ncnn crashes if
            # the first layer works in place on such a Mat.
            lines.append(f'    values{i} = np.zeros(({extents}), "f4"){remark}')
            lines.append(f"    x{i} = ncnn.Mat(values{i}).clone()")
        lines.append(f"    ex.input({model.blob(each.name)}, x{i})")
    for name in model.outputs:
        lines += [f"    status, blob = ex.extract({model.blob(name)})"]
        lines += ["    if status != 0:", f"        raise SystemExit({_quoted(name)})"]
        # NumPy crashes on an empty blob, for example where a detector found no box.
        shape = 'np.array(blob).shape if not blob.empty() else "is empty"'
        lines += [f"    print({_quoted(name)}, {shape})"]
    return "\n".join(line.rstrip() for line in lines)


def _run_in_cpp(model: _Model, indent: str) -> list[str]:
    """Return the lines that run a loaded `net`."""
    lines = ["ncnn::Extractor ex = net.create_extractor();"]
    for i, each in enumerate(model.inputs):
        shape, remark = _extents(each, "//")
        if each.is_image:
            channels, height, width = shape
            lines += [
                "// Pixels of an image, blue first, 3 bytes a pixel.",
                f"std::vector<unsigned char> pixels{i}(640 * 480 * 3);",
                f"ncnn::Mat x{i} = ncnn::Mat::from_pixels_resize(",
                f"    pixels{i}.data(), ncnn::Mat::{model.pixels(channels)}, 640, 480, {width}, "
                f"{height});{remark}",
            ]
            if (numbers := model.mean_and_norm(channels)) is not None:
                mean, norm = numbers
                lines += [
                    f"const float mean{i}[] = {{{_numbers(mean, 'f')}}};",
                    f"const float norm{i}[] = {{{_numbers(norm, 'f')}}};",
                    f"x{i}.substract_mean_normalize(mean{i}, norm{i});",
                ]
            else:
                lines.append(f"// {RANGE}")
        else:
            extents = ", ".join(map(str, reversed(shape)))
            lines += [f"ncnn::Mat x{i}({extents});{remark}", f"x{i}.fill(0.f);"]
        lines.append(f"ex.input({model.blob(each.name)}, x{i});")
    for i, name in enumerate(model.outputs):
        lines += [
            f"ncnn::Mat y{i};",
            f"if (ex.extract({model.blob(name)}, y{i}) != 0) return 1;",
            f'printf("{_printed(name)} %d x %d x %d\\n", y{i}.c, y{i}.h, y{i}.w);',
        ]
    return [indent + line for line in lines]


def _keeping(model: _Model, indent: str) -> list[str]:
    """Return the line that keeps blobs that several layers read."""
    if not model.keeps_blobs:
        return []
    return [f"{indent}net.opt.lightmode = false;  // {KEEPS_BLOBS}"]


def _cpp(model: _Model) -> str:
    load = [
        "#include <cstdio>",
        "#include <vector>",
        "",
        '#include "net.h"',
        "",
        "int main() {",
        "    ncnn::Net net;",
        "    // float16 is the default where the processor has it; false: float32.",
        "    net.opt.use_fp16_packed = net.opt.use_fp16_storage = true;",
        "    net.opt.use_fp16_arithmetic = true;",
        *_keeping(model, "    "),
        *(f"    {line}" for line in model.remark("//")),
        f"    if (net.{model.load}({_quoted(model.param)}) != 0) return 1;",
        f"    if (net.load_model({_quoted(model.weights)}) != 0) return 1;",
    ]
    return "\n".join([*load, *_run_in_cpp(model, "    "), "    return 0;", "}"])


def _kotlin(model: _Model) -> str:
    native = "\n".join(_run_in_cpp(model, "    "))
    param, weights = _quoted(model.param), _quoted(model.weights)
    lines = [*_keeping(model, "    "), *(f"    {line}" for line in model.remark("//"))]
    settings = "".join(f"{line}\n" for line in lines)
    return f"""
// Model.kt: the files {param} and {weights} are in app/src/main/assets.
package com.example.model

import android.content.res.AssetManager

class Model(assets: AssetManager) {{
    init {{
        System.loadLibrary("model")
        check(load(assets)) {{ "the model does not load" }}
    }}

    private external fun load(assets: AssetManager): Boolean
    external fun run(): Int
}}

// model.cpp: the library `model`, linked with ncnn, android and log.
#include <android/asset_manager_jni.h>
#include <cstdio>
#include <jni.h>
#include <vector>

#include "net.h"

static ncnn::Net net;

extern "C" JNIEXPORT jboolean JNICALL
Java_com_example_model_Model_load(JNIEnv* env, jobject, jobject assets) {{
    AAssetManager* manager = AAssetManager_fromJava(env, assets);
{settings}    return net.{model.load}(manager, {param}) == 0 &&
           net.load_model(manager, {weights}) == 0;
}}

extern "C" JNIEXPORT jint JNICALL Java_com_example_model_Model_run(JNIEnv*, jobject) {{
{native}
    return 0;
}}
"""


def _swift(model: _Model) -> str:
    index = "_index" if model.binary else ""
    lines = [
        "// The bridging header: #include <ncnn/c_api.h>",
        "import Foundation",
        "",
        "func file(_ name: String) -> String {",
        "    Bundle.main.path(forResource: name, ofType: nil)!",
        "}",
        "",
        "let net = ncnn_net_create()",
        *model.remark("//"),
        f"precondition(ncnn_net_{model.load}(net, file({_quoted(model.param)})) == 0)",
        f"precondition(ncnn_net_load_model(net, file({_quoted(model.weights)})) == 0)",
        "let ex = ncnn_extractor_create(net)",
    ]
    for i, each in enumerate(model.inputs):
        shape, remark = _extents(each, "//")
        sizes = ", ".join(map(str, reversed(shape)))
        lines += [
            f"let x{i} = ncnn_mat_create_{len(shape)}d({sizes}, nil){remark}",
            f"ncnn_mat_fill_float(x{i}, 0)",
        ]
        if each.is_image and (numbers := model.mean_and_norm(shape[0])) is not None:
            mean, norm = numbers
            lines += [
                f"let mean{i}: [Float] = [{_numbers(mean)}], norm{i}: [Float] = [{_numbers(norm)}]",
                f"ncnn_mat_substract_mean_normalize(x{i}, mean{i}, norm{i})",
            ]
        elif each.is_image:
            lines.append(f"// {RANGE}")
        lines.append(f"ncnn_extractor_input{index}(ex, {model.blob(each.name)}, x{i})")
    for i, name in enumerate(model.outputs):
        lines += [
            f"var y{i}: ncnn_mat_t?",
            f"precondition(ncnn_extractor_extract{index}(ex, {model.blob(name)}, &y{i}) == 0)",
            f"print({_quoted(name)}, "
            f"ncnn_mat_get_c(y{i}), ncnn_mat_get_h(y{i}), ncnn_mat_get_w(y{i}))",
        ]
    lines += ["ncnn_extractor_destroy(ex)", "ncnn_net_destroy(net)"]
    return "\n".join(lines)


_WRITERS: dict[str, Callable[[_Model], str]] = dict(
    zip(LANGUAGES, (_cpp, _kotlin, _swift, _python), strict=True)
)
