"""Devices behind adb, with a stand-in for the program `adb` that has a folder as its device."""

import os
import sys
from pathlib import Path

import pytest
from ncnn_opt.runtime.devices import transport
from ncnn_opt.runtime.devices.address import ConnectionLost, DeviceError, parse_address
from ncnn_opt.runtime.devices.measurements import MeasuringOptions, measure, with_session
from ncnn_opt.runtime.devices.session import Session, prepare

from .models import data, small

ADB = """#!/bin/sh
# adb -s SERIAL shell -T COMMAND | adb -s SERIAL push LOCAL REMOTE
echo "$@" >> {log}
[ "$1 $2" = "-s PHONE-1" ] || {{ echo "adb: device '$2' not found" >&2; exit 1; }}
[ -e {folder}/offline ] && {{ echo "error: closed" >&2; exit 1; }}
case $3 in
shell) [ "$4" = -T ] || exit 2; exec sh -c "$5" ;;
push) [ -e {folder}/full ] && {{ echo "adb: error: No space left on device"; exit 1; }}
    cp "$4" "$5" && echo "1 file pushed" ;;
*) exit 2 ;;
esac
"""


@pytest.fixture
def phone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the device, with a prepared Python."""
    pytest.importorskip("ncnn")
    programs = tmp_path / "bin"
    programs.mkdir()
    adb = programs / "adb"
    adb.write_text(ADB.format(log=tmp_path / "log", folder=tmp_path))
    adb.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setattr(transport.Adb, "folder", f"'{tmp_path}/phone data'")
    prepare(parse_address("adb://PHONE-1"), python=sys.executable).close()
    return tmp_path


def test_a_model_is_measured(phone: Path) -> None:
    model, address = small(phone), parse_address("adb://PHONE-1")
    found = with_session(
        address, lambda s: measure(s, [model, model], data(4, 16, 16), MeasuringOptions(pairs=16))
    )
    assert found.ratio is not None
    assert found.outputs[0]["out"].shape == (8, 16, 16)
    pushed = [line for line in (phone / "log").read_text().splitlines() if " push " in line]
    assert sum("small.param" in line for line in pushed) == 1
    assert all(".partial" in line for line in pushed)
    kinds = {path.suffix for path in (phone / "phone data").iterdir()}
    assert kinds == {"", ".pyz", ".param", ".bin"}
    assert list((phone / "phone data").glob(".*.partial")) == []


def test_a_full_device(phone: Path) -> None:
    (phone / "full").touch()
    model, address = small(phone, "new", 5), parse_address("adb://PHONE-1")
    with pytest.raises(DeviceError, match=r"adb://PHONE-1: the disk there is full: 0.0 MiB"):
        with_session(address, lambda s: s.load(0, model.param, model.weights))


def test_devices_that_are_not_there(phone: Path) -> None:
    with pytest.raises(ConnectionLost, match=r"no connection: adb: device 'OTHER' not found"):
        Session.open(parse_address("adb://OTHER"))
    (phone / "offline").touch()
    with pytest.raises(ConnectionLost, match=r"adb://PHONE-1: no connection: error: closed"):
        Session.open(parse_address("adb://PHONE-1"))


def test_adb_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(DeviceError) as error:
        Session.open(parse_address("adb://PHONE-1"))
    assert str(error.value) == (
        "adb://PHONE-1: 'adb' does not start: No such file or directory; install it"
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ssh://pi@host:22", ["-p", "22", "pi@host"]),
        ("ssh://host", ["host"]),
    ],
)
def test_addresses_for_ssh(text: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NCNN_OPT_SSH", "ssh -F 'my config'")
    found = transport.Ssh(parse_address(text)).words("echo 'a b'")
    assert found[:3] == ["ssh", "-F", "my config"]
    assert list(found[-1 - len(words) :]) == [*words, """sh -c 'echo '"'"'a b'"'"''"""]
    assert str(parse_address(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "host", "ssh://", "ssh://-oProxyCommand=x", "ssh://a b", "ssh://h:", "ssh://h:0"]
    + ["ssh://h:65536", "ssh://h:x", "adb://", "adb://a b", "http://h", "local:x", "ssh://u@-h"],
)
def test_texts_that_are_no_address(text: str) -> None:
    with pytest.raises(DeviceError) as error:
        parse_address(text)
    forms = "ssh://[USER@]HOST[:PORT], adb://SERIAL or local"
    assert str(error.value) == f"'{text}' is no address of a device: give {forms}"


def test_the_python_of_a_device() -> None:
    assert parse_address("local:").python == sys.executable
    assert {parse_address(text).python for text in ("adb://A", "ssh://h")} == {"python3"}
