"""Measurements over ssh, and the faults of a device, its disk, its runner and the network."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import numpy as np
import pytest
from ncnn_opt.runtime.devices import file_cache
from ncnn_opt.runtime.devices.address import DeviceError, parse_address
from ncnn_opt.runtime.devices.file_cache import Remote
from ncnn_opt.runtime.devices.measurements import MeasuringOptions, measure, with_session
from ncnn_opt.runtime.devices.probe import probe
from ncnn_opt.runtime.devices.session import Session, prepare
from ncnn_opt.runtime.devices.transport import Done, Local, transport_for

from .conftest import Server
from .models import CRASH, SLOW, data, small, write

LOCAL = parse_address("local")
FEW = MeasuringOptions(pairs=8, by_layer=True)


def message(error: pytest.ExceptionInfo[DeviceError]) -> str:
    return str(error.value)


def test_the_device_is_probed(server: Server) -> None:
    with Session.open(server.address) as opened:
        facts = probe(opened)
    assert facts.runner == "python"
    assert facts.family == ("arm" if os.uname().machine == "aarch64" else "x86")
    assert sum(len(cluster["cpus"]) for cluster in facts.clusters) >= 1
    assert facts.memory_mb > 100
    assert server.is_clean()


def test_a_pair_is_measured_and_its_files_are_copied_once(server: Server, tmp_path: Path) -> None:
    models = [small(tmp_path), small(tmp_path, "twice", 2)]
    # Tests that run before this one, in any order, may have copied the same files.
    for path in [*server.cache.glob("*.param"), *server.cache.glob("*.bin")]:
        path.unlink()
    before = set(server.cache.iterdir())
    found = with_session(server.address, lambda s: measure(s, models, data(4, 16, 16), FEW))
    assert found.ratio is not None
    assert found.runs == 16
    assert found.ratio.low <= found.ratio.value <= found.ratio.high
    one, two = (outputs["out"] for outputs in found.outputs)
    assert one.shape == (8, 16, 16)
    assert np.allclose(two, 2 * one, rtol=1e-3, atol=1e-4)
    copied = set(server.cache.iterdir()) - before
    assert sorted(path.suffix for path in copied) == [".bin", ".bin", ".param"]
    times = {path: path.stat().st_ctime_ns for path in copied if path.suffix == ".bin"}
    remote = Remote.open(transport_for(server.address))
    for model in models:
        assert remote.put(model.weights, "bin") in {path.name for path in copied}
    assert times == {path: path.stat().st_ctime_ns for path in times}
    assert server.is_clean()


def test_a_lost_connection_is_tried_again_once(server: Server, tmp_path: Path) -> None:
    model, said = small(tmp_path), list[str]()

    def work(opened: Session) -> float:
        if not said:
            server.cut()
        return measure(opened, [model], data(4, 16, 16), FEW).medians[0]

    assert with_session(server.address, work, said.append) > 0
    (line,) = said
    assert line.startswith(f"{server.address}: the connection was lost")
    assert line.endswith("; trying again")
    assert server.is_clean()

    def lost(opened: Session) -> None:
        server.cut()
        opened.call("facts")

    with pytest.raises(DeviceError, match="the connection was lost") as error:
        with_session(server.address, lost)
    assert "\n" not in message(error)
    assert server.is_clean()


def test_a_connection_is_lost_in_the_middle_of_a_run(server: Server, tmp_path: Path) -> None:
    slow = write(tmp_path, "slow", SLOW)
    with Session.open(server.address) as opened:
        opened.load(0, slow.param, slow.weights)
        opened.feed(data(1, 500, 500))
        cut = Timer(0.5, server.cut)
        cut.start()
        with pytest.raises(DeviceError, match="the connection was lost"):
            opened.run(0)
        start = time.monotonic()
        assert server.is_clean()
        assert time.monotonic() - start < 2  # before the end of the run


def test_a_connection_that_ends_during_a_copy_leaves_no_file(here: Path, tmp_path: Path) -> None:
    transport = transport_for(LOCAL)
    name, part = str(here / "half.bin"), str(here / ".half.bin.x.partial")
    whole = tmp_path / "whole"
    whole.write_bytes(bytes(1000))

    class Short(Local):
        def run(self, command: str, file: str | None = None, seconds: float = 60) -> Done:
            return super().run(command, os.devnull, seconds)

    assert Short(LOCAL).push(whole, name, part).status == 1
    assert list(here.glob("*half*")) == list(here.glob(".*")) == []
    assert transport.push(whole, name, part).status == 0
    assert (here / "half.bin").stat().st_size == 1000
    assert list(here.glob(".*")) == []


def test_a_full_disk(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_cache, "token", lambda: "full")
    model = small(tmp_path, "full", 3)
    name = f"{file_cache.digest_of(model.weights)}.bin"
    (server.cache / f".{name}.full.partial").symlink_to("/dev/full")
    with pytest.raises(DeviceError) as error:
        with_session(server.address, lambda s: s.load(0, model.param, model.weights))
    expected = f"{server.address}: the disk there is full: 0.0 MiB are needed in {server.cache}"
    assert message(error) == f"{expected}; free some space there"
    assert not (server.cache / name).exists()
    assert server.partial() == []
    assert server.is_clean()


def test_too_little_room(here: Path, tmp_path: Path) -> None:
    remote = Remote.open(transport_for(LOCAL))
    remote.free = 100
    with pytest.raises(DeviceError, match="^local: the disk there is full: 0.0 MiB are needed in"):
        remote.put(small(tmp_path).weights, "bin")
    large = tmp_path / "large.bin"
    large.write_bytes(bytes(3 * 2**19))
    with pytest.raises(DeviceError, match="^local: the disk there is full: 1.5 MiB are needed in"):
        remote.put(large, "bin")
    remote.limit = 2**20
    with pytest.raises(DeviceError, match="the cache folder there, 1 MiB$"):
        remote.put(large, "bin")
    assert [path.name for path in here.iterdir()] == ["prepared"]


def test_old_models_go_from_the_folder(here: Path, tmp_path: Path) -> None:
    remote = Remote.open(transport_for(LOCAL))
    names: list[str] = []
    remote.limit = 2600
    for i in range(3):
        path = tmp_path / f"{i}"
        path.write_bytes(bytes([i]) * 1000)
        names.append(remote.put(path, "bin"))
    assert [(here / name).exists() for name in names] == [False, True, True]
    assert list(remote.sizes) == ["prepared", *names[1:]]
    os.utime(here / names[1], (2e9, 2e9))  # now it is the last used
    again = Remote.open(remote.transport)
    again.limit, again.prepared = 2600, remote.prepared
    assert list(again.sizes)[-1] == names[1]
    again.put(tmp_path / "0", "bin")
    assert [(here / name).exists() for name in names] == [True, True, False]
    (tmp_path / "large").write_bytes(bytes(3000))
    with pytest.raises(DeviceError, match="of this session are larger than the limit of the cache"):
        again.put(tmp_path / "large", "bin")
    kept = [name for name in again.sizes if name.endswith(".bin")]
    (tmp_path / "more").write_bytes(bytes(1500))
    with pytest.raises(DeviceError, match="of this session are larger than the limit of the cache"):
        again.put(tmp_path / "more", "bin", kept)
    assert [(here / name).exists() for name in names] == [True, True, False]
    again.put(tmp_path / "more", "bin", kept[1:])
    assert sum((here / name).exists() for name in kept) == 1


def test_a_runner_of_another_release(server: Server, tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text('#!/bin/sh\necho \'{"protocol": 0, "runner": "c++", "ncnn": "1.0"}\'; cat\n')
    with pytest.raises(DeviceError) as error:
        prepare(server.address, old)
    assert message(error) == (
        f"{server.address}: the runner there has protocol 0, not 2: build the runner of this "
        f"release and copy it with `ncnn-device prepare {server.address} --runner FILE`"
    )
    assert server.is_clean()
    Session.open(server.address).close()  # with the former runner

    old.write_text("#!/bin/sh\necho hello; cat\n")
    with pytest.raises(DeviceError, match="the runner there answers 'hello', which is no JSON"):
        prepare(server.address, old)


def test_python_without_ncnn(server: Server, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    python.chmod(0o755)
    with pytest.raises(DeviceError) as error:
        prepare(server.address, python=str(python))
    assert "there cannot import ncnn (No module named 'ncnn'); run" in message(error)
    with pytest.raises(DeviceError, match="the runner there ended with status 127"):
        prepare(server.address, python="no-python")
    assert server.is_clean()


def test_a_model_that_crashes_the_runner(server: Server, tmp_path: Path) -> None:
    model = write(tmp_path, "crash", CRASH)
    with pytest.raises(DeviceError) as error:
        with_session(server.address, lambda s: measure(s, [model], data(10, 10), FEW))
    assert message(error) == f"{server.address}: the model crashes the runner there (SIGSEGV)"
    assert server.is_clean()


def test_a_model_that_the_runtime_refuses(server: Server, tmp_path: Path) -> None:
    model = write(tmp_path, "refused", "Input data 0 1 data\nNoLayer no 1 1 data out\n")
    with pytest.raises(DeviceError, match="load_param: -1.*NoLayer not exists"):
        with_session(server.address, lambda s: measure(s, [model], data(2, 2), FEW))
    assert server.is_clean()


def test_a_hanging_run(server: Server, tmp_path: Path) -> None:
    model, plan = write(tmp_path, "slow", SLOW), MeasuringOptions(limit=1)
    with pytest.raises(DeviceError) as error:
        with_session(server.address, lambda s: measure(s, [model], data(1, 500, 500), plan))
    assert message(error) == f"{server.address}: the run took more than 1 s"
    assert server.is_clean()


def test_two_users_at_once(server: Server) -> None:
    said: list[str] = []
    with Session.open(server.address):
        with pytest.raises(DeviceError) as error:
            Session.open(server.address, said.append, waiting=0)
        assert message(error) == (
            f"{server.address}: another session measures on this device; try again after its end"
        )
        with pytest.raises(DeviceError, match="another session"):
            Session.open(server.address, said.append, waiting=0.2)
    assert said == [f"{server.address}: another session measures on this device; waiting"]
    Session.open(server.address, waiting=0).close()
    assert server.is_clean()


def test_ctrl_c_leaves_nothing(server: Server, tmp_path: Path) -> None:
    write(tmp_path, "slow", SLOW)
    program = Path(sys.executable).with_name("ncnn-run")
    words = [sys.executable, str(program), "slow.param", "--on-device", str(server.address)]
    words += ["--input-shape", "data=1,300,300"]
    running = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    for _ in range(200):
        if server.ours():
            break
        time.sleep(0.05)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=20)
    assert (running.returncode, errors) == (130, "")
    assert server.is_clean()
    assert server.partial() == []


def test_no_connection(server: Server) -> None:
    with pytest.raises(DeviceError, match="ssh://127.0.0.1:1: no connection: .*refused"):
        Session.open(parse_address("ssh://127.0.0.1:1"))
