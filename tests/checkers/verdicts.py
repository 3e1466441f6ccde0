"""The checkers, each as a function from files to {file: (status, words)}: 0 accepted, 1 refused, 2 not read or not
checked.

Whatever the files are, each has a verdict of one line, the exit status is the largest, nothing is written to the
standard error (GAP's own errors aside), and the time is bounded.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
WORDS = {"accepted": 0, "refused": 1, "cannot be read": 2, "not read": 2, "not checked": 2}
Verdicts = dict[str, tuple[int, str]]


def read(files: Sequence[Path], out: str, status: int) -> Verdicts:
    found: Verdicts = {}
    names = {str(file) for file in files}
    for line in out.splitlines():
        name, _, words = line.partition(": ")
        if name.startswith("all ") and name.endswith(" files accepted"):
            continue
        assert name in names, f"a line that is no verdict: {line[:300]}"
        assert name not in found, f"two verdicts of one file: {line[:300]}"
        [kind] = [kind for kind in WORDS if words.startswith(kind)]
        found[name] = WORDS[kind], words
    assert found.keys() == names, f"no verdict of {sorted(names - found.keys())[:3]}: {out[-1000:]}"
    assert status == max(found[name][0] for name in names), (status, out[-1000:])
    return found


def python(checker: str, files: Sequence[Path], seconds: int = 20) -> Verdicts:
    command = [sys.executable, str(SOURCE / "checkers" / checker), "--seconds", str(seconds), *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60 + 2 * len(files))
    assert not done.stderr, done.stderr[-2000:]
    return read(files, done.stdout, done.returncode)


def gap(writer: str, files: Sequence[Path]) -> Verdicts:
    program = Path(files[0]).parent / "checks.g"
    command = [sys.executable, str(SOURCE / "checkers" / writer), "--seconds", "20", *map(str, files)]
    written = subprocess.run(command, capture_output=True, text=True, timeout=60 + 2 * len(files))
    assert written.returncode == 0 and not written.stderr, written.stderr[-2000:]
    program.write_text(written.stdout)
    command = ["gap", "-o", "4g", "-A", "-q", str(program)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60 + 2 * len(files)
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith(("/", "all "))]
    return read(files, "\n".join(lines), done.returncode)


def coq(program: Path, files: Sequence[Path]) -> Verdicts:
    done = subprocess.run(
        [program, "--seconds", "20", *files], capture_output=True, text=True, timeout=60 + 2 * len(files)
    )
    assert not done.stderr, done.stderr[-2000:]
    return read(files, done.stdout, done.returncode)


def coq_of_every_form(program: Path, files: Sequence[Path]) -> Verdicts:
    """The verified checker behind the script that writes .safetensors."""
    command = [sys.executable, SOURCE / "checkers" / "check_in_coq.py", program, "--seconds", "20", *files]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60 + 2 * len(files))
    assert not done.stderr, done.stderr[-2000:]
    return read(files, done.stdout, done.returncode)


def verify(program: Path, file: Path) -> tuple[int, str]:
    """Of `intertwine verify`: 0 or 1, and what it says."""
    done = subprocess.run([program, "verify", file], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 2, 3, 4), (file, done.returncode, done.stderr)
    return int(done.returncode != 0), done.stderr.strip()
