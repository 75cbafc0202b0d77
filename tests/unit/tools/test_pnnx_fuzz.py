"""Whatever is done to a `.pnnx.param` or a `.pnnx.bin`, it is read, or there is one error."""

import re
import struct
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ncnn_opt.driver.errors import USER_ERRORS, describe
from ncnn_opt.driver.model_files import read_model, write_model
from ncnn_opt.formats.pnnx_bin import write_members
from ncnn_opt.targets import Output

pytestmark = pytest.mark.slow

PARAM = b"""7767517
5 4
pnnx.Input               in                       0 1 0 #0=(1,3,8,8)f32
pnnx.Attribute           mask                     0 1 1 @data=(8,8)f32 #1=(8,8)f32
nn.Conv2d conv 1 1 0 2 bias=True @bias=(4)f32 @weight=(4,3,1,1)f32 $input=0 #2=(1,4,8)f32
pnnx.Expression          sum                      2 1 2 1 3 expr=add(@0,@1) #3=(1,4,8,8)f32
pnnx.Output              out                      1 0 3 #3=(1,4,8,8)f32
"""

VALUES = {"mask.data": bytes(256), "conv.bias": bytes(16), "conv.weight": bytes(range(48))}


def archive(members: dict[str, bytes] = VALUES) -> bytes:
    out = BytesIO()
    write_members(out, ((name, [data]) for name, data in members.items()))
    return out.getvalue()


def outcome(param: bytes, weights: bytes) -> str:
    """What is said of a model that is refused; empty, if it is read and written again."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "m.pnnx.param")
        path.write_bytes(param)
        path.with_name("m.pnnx.bin").write_bytes(weights)
        try:
            module = read_model(str(path)).module
            write_model(module, Output(str(path.with_name("again.pnnx.param"))))
            read_model(str(path.with_name("again.pnnx.param")))
        except USER_ERRORS as e:
            return describe(e, str(path)).replace(folder, "")
        return ""


def test_the_model_itself_is_read() -> None:
    assert outcome(PARAM, archive()) == ""


HOSTILE = [
    b"99999999999999999999", b"-1", b"0", b"nan", b"1e999", b"(", b"(1,", b"()", b"[" * 300,
    b"(2147483647,2147483647)f32", b"(?,?)f32", b"#0=(1)f99", b"@", b"$", b"#", b"=", b"@weight=",
    b"$input=9", b"expr=add(", b"None", b"conv", b"../../etc/passwd", b"\0", b"\xff\xfe", b"\n",
    b"\r\n", b" " * 200, b"(" * 5000,
]  # fmt: skip


def mutilated(source: bytes) -> st.SearchStrategy[bytes]:
    """The bytes with some parts cut out, or others put in their place."""
    cut = st.tuples(
        st.integers(0, len(source)),
        st.integers(0, 24),
        st.one_of(st.binary(max_size=8), st.sampled_from(HOSTILE)),
    )

    def apply(cuts: list[tuple[int, int, bytes]]) -> bytes:
        data = source
        for start, size, put in cuts:
            data = data[:start] + put + data[start + size :]
        return data

    return st.lists(cut, min_size=1, max_size=4).map(apply)


@settings(max_examples=150, deadline=None)
@given(mutilated(PARAM))
@example(b"")
@example(b"7767517\n")
@example(b"7767517\n99999999999 99999999999\n")
def test_a_mutilated_graph_is_read_or_refused(param: bytes) -> None:
    said = outcome(param, archive())
    assert "\n" not in said


@settings(max_examples=150, deadline=None)
@given(mutilated(archive()))
@example(b"")
@example(b"PK\x05\x06" + bytes(18))
def test_a_mutilated_archive_is_read_or_refused(weights: bytes) -> None:
    said = outcome(PARAM, weights)
    assert "\n" not in said


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(PARAM)), st.integers(0, len(archive())))
def test_files_that_end_too_early_are_read_or_refused(param: int, weights: int) -> None:
    said = outcome(PARAM[:param], archive()[:weights])
    assert said or (PARAM[param:].strip() == b"" and weights == len(archive()))


def zipped(members: dict[str, bytes], packed: bool = False) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return out.getvalue()


def at_once(weights: bytes) -> bytes:
    """An archive whose directory says that all members lie where the first does."""
    data = bytearray(weights)
    for found in re.finditer(b"PK\x01\x02", weights):
        struct.pack_into("<I", data, found.start() + 42, 0)
    return bytes(data)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: zipped({**VALUES, "conv.weight": bytes(64 << 20)}, packed=True), "is compressed"),
        (lambda: zipped({**VALUES, "../conv.weight": b""}), "a path outside the archive"),
        (lambda: zipped({**VALUES, "/etc/passwd": b""}), "a path outside the archive"),
        (lambda: zipped({**VALUES, "a\\..\\b": b""}), "a path outside the archive"),
        (lambda: at_once(zipped(VALUES)), "overlaps another"),
        (lambda: zipped({**VALUES, "conv.bias": bytes(8)}), "has 8 bytes, but its shape needs 16"),
        (lambda: zipped({"mask.data": bytes(256)}), "the member 'conv.bias' is missing"),
    ],
)
def test_hostile_archives_get_one_error(make: Callable[[], bytes], reason: str) -> None:
    said = outcome(PARAM, make())
    assert reason in said
    assert "\n" not in said
