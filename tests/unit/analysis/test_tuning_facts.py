"""Which processors a model is made for, as patterns ask."""

from collections.abc import Callable

import pytest
from ncnn_opt.analysis.target_info import ARM, X86
from ncnn_opt.analysis.tuning_facts import is_faster_attention, processors_for
from ncnn_opt.dialects.shapes.terms import UNKNOWN, symbol
from ncnn_opt.driver.environment import make_context
from ncnn_opt.driver.errors import UsageError
from ncnn_opt.driver.pipelines import run_pipeline, tuning
from ncnn_opt.transforms.rewriting.remarks import Remark, listening
from ncnn_opt.transforms.tune import CHOICES, Tune
from xdsl.dialects.builtin import IntAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

MODEL = """
func.func @main(%x: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %w = ncnn.constant #ncnn.elided : tensor<8x8x1xf32>
  %host = ncnn.convolution1d %x weight %w {name = "host", num_output = 8, kernel_w = 1}
    : (tensor<8x9xf32>, tensor<8x8x1xf32>) -> tensor<8x9xf32>
  %act = ncnn.mish %host {name = "act"} : (tensor<8x9xf32>) -> tensor<8x9xf32>
  func.return %act : tensor<8x9xf32>
}
"""

Read = Callable[[], ModuleOp]


@pytest.fixture
def read() -> Read:
    return lambda: Parser(make_context(), MODEL).parse_module()


@pytest.mark.parametrize(
    ("tune", "features", "steps", "faster"),
    [
        (None, 64, 197, "MultiHeadAttention"),
        (None, 64, 1024, ""),
        (None, 64, 4096, ""),
        (None, 64, 16, ""),
        (None, 16, 197, ""),
        (None, 128, 4096, ""),
        ("x86", 64, 1024, "SDPA"),
        ("x86", 16, 197, "SDPA"),
        ("x86", 64, 4096, "SDPA"),
        ("arm", 16, 197, "MultiHeadAttention"),
        ("arm", 64, 4096, "MultiHeadAttention"),
        ("none", 16, 10000, "MultiHeadAttention"),
    ],
)
def test_forms_of_attention(
    tune: str | None, features: int, steps: int, faster: str, read: Read
) -> None:
    module = read()
    if tune is not None:
        module.attributes["ncnn.tune"] = StringAttr(tune)
    few, many = (symbol("steps", n, least=low, most=n) for n, low in ((steps, steps), (9999, 1)))
    for layer in ("SDPA", "MultiHeadAttention"):
        assert is_faster_attention(module, layer, features, [steps, few]) == (layer == faster)
        if tune != "none":
            always = tune == "arm" and layer == faster
            assert is_faster_attention(module, layer, features, [steps, many]) == always
            assert is_faster_attention(module, layer, features, [UNKNOWN, UNKNOWN]) == always


def test_attention_of_no_fewer_steps(read: Read) -> None:
    """What is faster from some number of steps on needs no largest one."""
    module = read()
    module.attributes["ncnn.tune"] = StringAttr("x86")
    for low, faster in ((783, False), (784, True)):
        steps = symbol("steps", low, least=low)
        assert is_faster_attention(module, "SDPA", 64, [steps, steps]) == faster


def test_all_families_unless_the_module_says_otherwise(read: Read) -> None:
    module = read()
    inner = next(iter(module.walk(reverse=True)))
    assert processors_for(module) == processors_for(inner) == (X86, ARM)
    for name, expected in (("x86", (X86,)), ("arm", (ARM,)), ("none", ())):
        run_pipeline(module, f"ncnn-tune{{processor={name}}}")
        assert processors_for(inner) == expected


@pytest.mark.parametrize("value", [StringAttr("vax"), StringAttr(""), IntAttr(1)])
def test_what_a_module_cannot_say(value: Attribute, read: Read) -> None:
    module = read()
    module.attributes["ncnn.tune"] = value
    with pytest.raises(
        PassFailedException, match="ncnn.tune of a module must be one of x86, arm, vulkan, none"
    ):
        processors_for(module)


def test_a_pipeline_for_a_family() -> None:
    assert tuning(None) == []
    assert tuning("arm") == [Tune("arm")]
    for wrong in ("vax", "", "ARM", "arm}"):
        message = f"tune is one of x86, arm, vulkan, none, not '{wrong}'"
        with pytest.raises(UsageError, match=message):
            tuning(wrong)
        with pytest.raises(ValueError, match="processor must be one of x86, arm, vulkan, none"):
            Tune(wrong)
    assert CHOICES == ("x86", "arm", "vulkan", "none")


@pytest.mark.parametrize(
    ("tune", "notes"),
    [
        (None, []),
        ("x86", []),
        ("arm", ["slow on x86: layer/x86/convolution1d_packed.h: each vector waits for its own"]),
        ("none", ["slow on x86: layer/x86/convolution1d_packed.h: each vector waits for its own"]),
    ],
)
def test_a_remark_names_the_fact(tune: str | None, notes: list[str], read: Read) -> None:
    remarks: list[Remark] = []
    with listening(remarks.append):
        run_pipeline(read(), [*tuning(tune), "canonicalize"])
    assert [(r.rewrite, r.note) for r in remarks] == [("fuse-conv-activation", n) for n in notes]
