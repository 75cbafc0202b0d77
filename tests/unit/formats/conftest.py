"""The real ncnn runtime as an oracle for how it reads parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

# Of one parameter: ncnn's type code, as int (default 77), as float (default 77.0), words of array.
Seen = tuple[int, int, float, tuple[int, ...]]
Load = Callable[[bytes], list[dict[int, Seen]] | None]

ABSENT = 77


@pytest.fixture(scope="session")
def runtime_reads(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """A function that has ncnn load a file and tells what the layers of type `Spy` were given.

    None if ncnn refuses the file. Text or binary, where Spy is custom layer 0.
    """
    ncnn: Any = pytest.importorskip("ncnn")
    seen: list[dict[int, Seen]] = []

    class Spy(ncnn.Layer):
        def load_param(self, pd: Any) -> int:
            params: dict[int, Seen] = {}
            for id_ in range(32):
                if pd.type(id_) != 0:
                    mat = pd.get(id_, ncnn.Mat())
                    words = () if mat.empty() else tuple(np.array(mat).view(np.int32).tolist())
                    as_float = pd.get(id_, float(ABSENT))
                    params[id_] = pd.type(id_), pd.get(id_, ABSENT), as_float, words
            seen.append(params)
            return 0

    alive: list[Any] = []
    file = tmp_path_factory.mktemp("runtime") / "model"

    def create() -> Any:
        alive.append(Spy())
        return alive[-1]

    def destroy(layer: Any) -> None:
        del layer

    def load(data: bytes) -> list[dict[int, Seen]] | None:
        seen.clear()
        alive.clear()
        file.write_bytes(data)
        net = ncnn.Net()
        net.register_custom_layer("Spy", create, destroy)
        binary = data.startswith(b"\xdd\x85\x76\x00")
        code = net.load_param_bin(str(file)) if binary else net.load_param(str(file))
        result = list(seen) if code == 0 else None
        net.clear()
        return result

    return load
