"""Examples of programs that load a model and run it once, in the languages of ncnn's users."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os.path import basename

from xdsl.dialects.builtin import ModuleOp

from ..analysis.input_shapes import likely_shapes
from ..dialects.ncnn.blob import static_shape_of
from ..dialects.ncnn.function import inputs_of, output_names
from ..dialects.ncnn.lookup import model_of
from ..formats.file_names import weights_beside
from ..formats.languages import LANGUAGES
from ..samples.images import Preprocessing
from .errors import UsageError

RANGE = "Values are 0 to 255; --mean and --norm of this command give others."
"""The comment of an image without mean and norm."""


@dataclass(frozen=True)
class _Input:
    """An input of the model."""

    name: str
    shape: tuple[int, ...] | None
    """Outermost extent first; `None` if the model does not determine it."""
    remark: str = ""
    """A comment about the shape."""

    @property
    def is_image(self) -> bool:
        """Whether an image with pixels of one, three or four channels fits."""
        return self.shape is not None and len(self.shape) == 3 and self.shape[0] in (1, 3, 4)


@dataclass(frozen=True)
class _Model:
    param: str
    weights: str
    inputs: Sequence[_Input]
    outputs: Sequence[str]
    how: Preprocessing

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


def snippet(language: str, module: ModuleOp, path: str, how: Preprocessing) -> str:
    """Return a program that runs a model once. Raises `UsageError` for another language."""
    if language not in LANGUAGES:
        raise UsageError(f"--snippet is one of {', '.join(LANGUAGES)}, not '{language}'")
    func = model_of(module)
    likely = likely_shapes(func)
    inputs = [
        _Input(name, declared)
        if (declared := static_shape_of(arg)) is not None
        else _Input(name, likely.get(i), "a guess" if i in likely else "any size that fits")
        for i, (name, arg) in enumerate(inputs_of(func).items())
    ]
    files = basename(path), basename(weights_beside(path))
    return _WRITERS[language](_Model(*files, inputs, output_names(func), how)).strip("\n")


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
    return each.shape or (3, 224, 224), f"  {sign} {each.remark}" if each.remark else ""


def _python(model: _Model) -> str:
    lines = ["import ncnn", "import numpy as np", ""]
    lines += ["net = ncnn.Net()", f"net.load_param({_quoted(model.param)})"]
    lines += [f"net.load_model({_quoted(model.weights)})", "", "with net.create_extractor() as ex:"]
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
        lines.append(f"    ex.input({_quoted(each.name)}, x{i})")
    for name in model.outputs:
        lines += [f"    status, blob = ex.extract({_quoted(name)})"]
        lines += [f"    print({_quoted(name)}, status, np.array(blob).shape)"]
    return "\n".join(line.rstrip() for line in lines)


def _mat_in_cpp(shape: Sequence[int]) -> str:
    return f"({', '.join(map(str, reversed(shape)))})"


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
            lines += [f"ncnn::Mat x{i}{_mat_in_cpp(shape)};{remark}", f"x{i}.fill(0.f);"]
        lines.append(f"ex.input({_quoted(each.name)}, x{i});")
    for i, name in enumerate(model.outputs):
        lines += [
            f"ncnn::Mat y{i};",
            f"if (ex.extract({_quoted(name)}, y{i}) != 0) return 1;",
            f'printf("{_printed(name)} %d x %d x %d\\n", y{i}.c, y{i}.h, y{i}.w);',
        ]
    return [indent + line for line in lines]


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
        f"    if (net.load_param({_quoted(model.param)}) != 0) return 1;",
        f"    if (net.load_model({_quoted(model.weights)}) != 0) return 1;",
    ]
    return "\n".join([*load, *_run_in_cpp(model, "    "), "    return 0;", "}"])


def _kotlin(model: _Model) -> str:
    native = "\n".join(_run_in_cpp(model, "    "))
    param, weights = _quoted(model.param), _quoted(model.weights)
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
    return net.load_param(manager, {param}) == 0 &&
           net.load_model(manager, {weights}) == 0;
}}

extern "C" JNIEXPORT jint JNICALL Java_com_example_model_Model_run(JNIEnv*, jobject) {{
{native}
    return 0;
}}
"""


def _swift(model: _Model) -> str:
    lines = [
        "// The bridging header: #include <ncnn/c_api.h>",
        "import Foundation",
        "",
        "func file(_ name: String) -> String {",
        "    Bundle.main.path(forResource: name, ofType: nil)!",
        "}",
        "",
        "let net = ncnn_net_create()",
        f"precondition(ncnn_net_load_param(net, file({_quoted(model.param)})) == 0)",
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
        lines.append(f"ncnn_extractor_input(ex, {_quoted(each.name)}, x{i})")
    for i, name in enumerate(model.outputs):
        lines += [
            f"var y{i}: ncnn_mat_t?",
            f"precondition(ncnn_extractor_extract(ex, {_quoted(name)}, &y{i}) == 0)",
            f"print({_quoted(name)}, "
            f"ncnn_mat_get_c(y{i}), ncnn_mat_get_h(y{i}), ncnn_mat_get_w(y{i}))",
        ]
    lines += ["ncnn_extractor_destroy(ex)", "ncnn_net_destroy(net)"]
    return "\n".join(lines)


_WRITERS: dict[str, Callable[[_Model], str]] = dict(
    zip(LANGUAGES, (_cpp, _kotlin, _swift, _python), strict=True)
)
