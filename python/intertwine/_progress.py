"""The progress bar of limits(progress=True)."""

from __future__ import annotations

import sys
import time


class Bar:
    """Writes one line to the standard error stream, over and over; nothing in the first half second."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._width = 0

    def __call__(self, phase: str, done: int, total: int) -> None:
        elapsed = time.monotonic() - self._start
        if elapsed < 0.5 or sys.stderr is None:
            return
        if total > 0:
            cells = 24 * done // total
            left = f", {elapsed * (total - done) / done:.0f} s left" if 0 < done < total else ""
            line = f"{phase} [{'#' * cells}{'.' * (24 - cells)}] {100 * done // total} %{left}"
        else:
            line = f"{phase}: {done}" if done else phase
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def close(self) -> None:
        if self._width and sys.stderr is not None:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
