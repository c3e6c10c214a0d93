"""The example of docs/library.md runs, and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from gateway.core.messages import ToolResult
from gateway.ports.model import ModelRequest
from tests.flows.desk import Script, Step, call

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


def _answer(request: ModelRequest) -> Step:
    last = request.messages[-1]
    assert isinstance(last, ToolResult)
    return [f"The {last.content}."]


async def test_the_example_prints_what_the_page_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = PAGE.read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (printed,) = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {"__name__": "library_example"}
    exec(compile(code, str(PAGE), "exec"), names)
    await names["main"](Script([call("deploy", service="api")], _answer), tmp_path)
    assert capsys.readouterr().out == printed
