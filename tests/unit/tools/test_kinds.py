"""A kind of file is a folder of `frontends/` or `targets/`: nothing else has to know of it."""

from collections.abc import Iterator
from pathlib import Path

import ncnn_opt.frontends as frontends
import ncnn_opt.targets as targets
import pytest
from ncnn_opt.tools.ncnn_opt_main import main
from ncnn_opt.tools.ncnn_report_main import main as report

import ncnn_opt

FRONTEND = '''
from .. import Frontend
from ..param.model_reader import import_param

class Toy(Frontend):
    """Activations, a line each."""

    kind = "toy"

    def looks_like(self, data):
        return data.startswith(b"toy")

    def read(self, data, path, options, context):
        names = data.decode().split()[1:]
        lines = [f"{name} l{i} 1 1 b{i} b{i + 1}" for i, name in enumerate(names)]
        text = [b"7767517", b"%d %d" % (2 * (len(lines) + 1,)), b"Input in 0 1 b0 0=4"]
        text = b"\\n".join([*text, *(line.encode() for line in lines), b""])
        return import_param(text, path, type(options)("none"))

FRONTENDS = (Toy(),)
'''

TARGET = """

from .. import Target, Writing
from ..atomic_files import OutputFiles
from ..param.export import export_module

class ToyWriting(Writing):
    def finish(self):
        layers = export_module(self.module).graph.layers[1:]
        with OutputFiles() as files:
            out = files.create(self.output.path, "w")
            out.write(" ".join(["toy", *(layer.type for layer in layers)]))

class Toy(Target):
    kind = "toy"

    def begin(self, module, output):
        return ToyWriting(module, output)

TARGETS = (Toy(),)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a model, where there is a further kind that is read and written."""
    for package, name, code in (
        (frontends, "frontends", FRONTEND),
        (targets, "targets", TARGET),
    ):
        (tmp_path / name / "toy").mkdir(parents=True)
        (tmp_path / name / "toy" / "__init__.py").write_text(code)
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path / name)])
    (tmp_path / "m.toy").write_text("toy AbsVal Dropout TanH")
    monkeypatch.chdir(tmp_path)
    frontends.frontends.cache_clear()
    targets.targets.cache_clear()
    yield tmp_path
    frontends.frontends.cache_clear()
    targets.targets.cache_clear()


def test_it_is_read_and_written_by_name(folder: Path) -> None:
    main(["-O", "m.toy", "-o", "new.toy"])
    assert (folder / "new.toy").read_text() == "toy AbsVal TanH"
    main(["m.toy", "-o", "m.param"])
    main(["m.param", "-o", "again.toy"])
    assert (folder / "again.toy").read_text() == (folder / "m.toy").read_text()


def test_it_is_known_by_its_content_and_by_the_option(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "m.toy").rename(folder / "model")
    main(["model", "--elide-weights"])
    main(["--frontend", "toy", "model", "--elide-weights"])
    first, second = capsys.readouterr().out.split("builtin.module")[1:]
    assert first == second
    assert "ncnn.dropout" in first


def test_many_models_and_reports_and_the_library_know_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(["-O", "m.toy", "--output-dir", "out"])
    assert end.value.code == 0
    assert (folder / "out" / "m.toy").read_text() == "toy AbsVal TanH"
    report(["m.toy"])
    assert "Dropout" in capsys.readouterr().out
    model = ncnn_opt.load("m.toy")
    ncnn_opt.optimize(model)
    ncnn_opt.save(model, "saved.toy")
    assert (folder / "saved.toy").read_text() == "toy AbsVal TanH"
