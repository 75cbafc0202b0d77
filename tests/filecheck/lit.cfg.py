"""Configuration of the lit tests: `lit tests/filecheck`.

Programs of this environment are forked off a process that has imported them, see
`tests/support/warm_processes.py`; `PROCESSES=new lit tests/filecheck` starts each of them.
"""

import os
import shutil
import sys

tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.append(os.path.join(tests, "support"))
from warm_tests import WarmShTest  # noqa: E402

config.name = "ncnn-opt"  # noqa: F821  # pyright: ignore
config.test_format = WarmShTest(execute_external=False)  # noqa: F821  # pyright: ignore
config.suffixes = [".mlir", ".param", ".test"]  # noqa: F821  # pyright: ignore
config.excludes = ["Inputs"]  # noqa: F821  # pyright: ignore
config.test_source_root = os.path.dirname(__file__)  # noqa: F821  # pyright: ignore

# The tools of the environment that lit itself runs in.
tools = os.path.dirname(sys.executable)
config.environment["PATH"] = os.pathsep.join([tools, os.environ["PATH"]])  # noqa: F821  # pyright: ignore

config.substitutions += [  # noqa: F821  # pyright: ignore
    # text -> IR -> text -> IR -> text, in the custom and in the generic form. Each CHECK is a whole
    # line: nothing may be printed behind it.
    ("ROUNDTRIP", "ncnn-opt %s | ncnn-opt | filecheck --match-full-lines %s"),
    ("GENERIC", "ncnn-opt --print-op-generic %s | ncnn-opt | filecheck --match-full-lines %s"),
    # Errors as output, one for each piece of the file.
    (
        "INVALID",
        "ncnn-opt --split-input-file --verify-diagnostics --parsing-diagnostics %s | filecheck %s",
    ),
]

# Tests that need a program of others are skipped without it.
for version in (19, 22):
    if shutil.which(f"mlir-opt-{version}"):  # as Debian names it
        config.available_features.add(f"mlir-opt-{version}")  # noqa: F821  # pyright: ignore
    else:
        lit_config.note(f"needs mlir-{version}-tools: its tests are skipped")  # noqa: F821  # pyright: ignore
