"""scripts/fuzz-bindings: a small run finds nothing, and what is to be found is found."""

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "fuzz-bindings"

BROKEN = f"""
import importlib.machinery, importlib.util
loader = importlib.machinery.SourceFileLoader("fuzz_bindings", {os.fspath(SCRIPT)!r})
fuzz = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzz_bindings", loader))
loader.exec_module(fuzz)
def wrong(kind):
    raise kind("wrong")
class Calls:
    kinds = iter([ValueError, SystemError, MemoryError])
    def __init__(self, rng): pass
    def draw(self):
        kind = next(self.kinds)
        return f"{{kind.__name__}}()", lambda: wrong(kind)
fuzz.Calls = Calls
fuzz.worker(1, 0, 3)
"""


def test_random_arguments_find_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, SCRIPT, "--batch", "0", "--calls", "60"], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0 and " 0 findings" in done.stdout and "'answered'" in done.stdout, done.stdout


def test_strange_exceptions_are_findings():
    done = subprocess.run([sys.executable, "-c", BROKEN], capture_output=True, text=True)
    found = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("FINDING")]
    assert found == ["SystemError:", "MemoryError:"] and "'ValueError': 1" in done.stdout, done.stderr
