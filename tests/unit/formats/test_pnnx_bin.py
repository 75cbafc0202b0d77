"""The weights of PNNX's own IR: archives as PNNX writes them, and hostile ones."""

import struct
import zipfile
from io import BytesIO
from random import Random

import pytest
from ncnn_opt.formats.errors import FormatError
from ncnn_opt.formats.pnnx_bin import check_members, read_chunks, read_members, write_members
from ncnn_opt.formats.pnnx_graph import PnnxGraph, PnnxOperator, TensorShape

CONTENT = {"conv.weight": bytes(range(200)), "fc.bias": b"abcd", "größe.x": b""}


def archive(content: dict[str, bytes]) -> BytesIO:
    out = BytesIO()
    write_members(out, ((name, [data[:7], data[7:]]) for name, data in content.items()))
    return out


def zipped(content: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> BytesIO:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", compression) as file:
        for name, data in content.items():
            file.writestr(name, data)
    return out


@pytest.mark.parametrize("made", [archive(CONTENT), zipped(CONTENT)])
def test_members_lie_in_the_file(made: BytesIO) -> None:
    members = read_members(made, "m.pnnx.bin")
    found = {name: b"".join(read_chunks(made, m, name, "m")) for name, m in members.items()}
    assert found == CONTENT
    for name, member in members.items():
        assert made.getvalue()[member.offset :][: member.size] == CONTENT[name]


def test_others_read_what_is_written() -> None:
    with zipfile.ZipFile(archive({"weight": b"123"})) as file:
        assert file.read("weight") == b"123"
        assert file.testzip() is None


def test_the_first_bytes_are_those_that_pnnx_writes() -> None:
    # A local header with 64-bit sizes in the extra field, which PNNX's reader needs.
    head = struct.pack("<4s5HIIIHH", b"PK\3\4", 0, 0, 0, 0, 0, 0x884863D2, *[0xFFFFFFFF] * 2, 1, 32)
    extra = struct.pack("<HHQQQI", 1, 28, 3, 3, 0, 0)
    assert archive({"w": b"123"}).getvalue().startswith(head + b"w" + extra + b"123")


def refusal(made: BytesIO) -> str:
    with pytest.raises(FormatError) as caught:
        read_members(made, "m.pnnx.bin")
    assert caught.value.path == "m.pnnx.bin"
    return caught.value.message


def test_a_bomb_is_refused_and_not_unpacked() -> None:
    bomb = zipped({"conv.weight": bytes(100 << 20)}, zipfile.ZIP_DEFLATED)
    assert len(bomb.getvalue()) < 1 << 20
    assert refusal(bomb) == "member 'conv.weight' is compressed; PNNX stores members uncompressed"


@pytest.mark.parametrize("name", ["../up", "a/../../b", "/etc/x", "..\\up", ".."])
def test_names_that_lead_elsewhere(name: str) -> None:
    assert (
        refusal(zipped({name: b"x"}))
        == f"member '{name}' has a name that is a path outside the archive"
    )


def test_two_members_of_one_name() -> None:
    out = BytesIO()
    write_members(out, [("w", [b"1"]), ("w", [b"2"])])
    assert refusal(out) == "there are two members 'w'"


def test_members_on_top_of_each_other() -> None:
    data = bytearray(archive({"a": b"1234", "b": b"5678"}).getvalue())
    entry = data.rindex(b"b", 0, data.index(b"PK\x06\x06"))
    data[entry + 21 : entry + 29] = bytes(8)  # where b's own header is
    assert "overlaps another" in refusal(BytesIO(bytes(data)))


def test_a_member_beyond_the_end() -> None:
    data = bytearray(archive({"a": b"1234"}).getvalue())
    entry = data.rindex(b"a", 0, data.index(b"PK\x06\x06"))
    data[entry + 5 : entry + 21] = struct.pack("<QQ", 1 << 40, 1 << 40)
    assert "the member at 1099511627" in refusal(BytesIO(bytes(data)))


@pytest.mark.parametrize("data", [b"", b"PK", b"not a zip", bytes(1000)])
def test_what_is_no_archive(data: bytes) -> None:
    assert refusal(BytesIO(data)).startswith("this is not a .pnnx.bin (a zip archive)")


def test_damaged_values_are_found_when_they_are_copied() -> None:
    data = archive({"w": b"1234"}).getvalue().replace(b"1234", b"1235")
    made = BytesIO(data)
    member = read_members(made, "m")["w"]
    with pytest.raises(FormatError, match="member 'w' is damaged"):
        list(read_chunks(made, member, "w", "m"))


def test_weights_that_are_missing_or_of_another_size() -> None:
    graph = PnnxGraph([PnnxOperator("fc", "fc", weights={"w": TensorShape((2, 3), "f16")})])
    check_members(graph, read_members(archive({"fc.w": bytes(12)}), "m"), "m")
    with pytest.raises(FormatError, match="the member 'fc.w' is missing"):
        check_members(graph, {}, "m")
    with pytest.raises(FormatError, match="'fc.w' has 13 bytes, but its shape needs 12"):
        check_members(graph, read_members(archive({"fc.w": bytes(13)}), "m"), "m")


def test_mutilated_archives_are_read_or_refused() -> None:
    random, whole = Random(7), archive(CONTENT).getvalue()
    refused = 0
    for _ in range(2000):
        data = bytearray(whole)
        for _ in range(random.randint(1, 3)):
            at = random.randrange(len(data))
            data[at : at + random.randint(0, 4)] = random.randbytes(random.randint(0, 4))
        if random.random() < 0.2:
            del data[random.randrange(len(data)) :]
        made = BytesIO(bytes(data))
        try:
            for name, member in read_members(made, "m").items():
                list(read_chunks(made, member, name, "m"))
        except FormatError:
            refused += 1
    assert 1000 < refused < 2000
