"""The records of parsed options get each field by its name, where a type checker sees it."""

import ast
import inspect
from collections.abc import Callable
from textwrap import dedent
from typing import Any

import pytest
from ncnn_opt.driver.compile_file import CompileRequest
from ncnn_opt.driver.model_runs import RunRequest
from ncnn_opt.driver.requests import Request
from ncnn_opt.tools.command_line import make_request
from ncnn_opt.tools.compile_command import compile_model
from ncnn_opt.tools.run_command import run


@pytest.mark.parametrize(
    ("record", "maker"),
    [(Request, make_request), (CompileRequest, compile_model), (RunRequest, run)],
)
def test_each_field_is_given(record: type[Any], maker: Callable[..., object]) -> None:
    """A field with a default that is left out would ignore its option."""
    tree = ast.parse(dedent(inspect.getsource(maker)))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    (call,) = (each for each in calls if ast.unparse(each.func) == record.__name__)
    assert {each.arg for each in call.keywords} == {*inspect.signature(record).parameters}
