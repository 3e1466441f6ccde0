"""Sub-interpreters are refused with a sentence, and the main interpreter goes on."""

import subprocess
import sys

import pytest

PROGRAM = """
import {module} as interpreters
{first}
def answer(code):
    try:
        {run}
    except interpreters.RunFailedError as error:
        return str(error)
for module in ("intertwine", "intertwine._core"):
    print(answer("import " + module))
import intertwine
print(intertwine.Group("S4").order)
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module of sub-interpreters has another name")
@pytest.mark.parametrize("first", ["", "import intertwine"])
def test_sub_interpreters_are_refused(first):
    code = PROGRAM.format(
        module="_xxsubinterpreters", first=first, run="return interpreters.run_string(interpreters.create(), code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    refused, again, order = done.stdout.splitlines()
    assert done.returncode == 0 and order == "24", done.stderr
    assert "ImportError" in refused and "sub-interpreter" in refused and again == refused
