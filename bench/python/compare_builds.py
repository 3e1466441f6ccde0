"""Two builds of libintertwine_numeric_c.so in one process, turn about: what a set of compiler options costs.

    python bench/python/compare_builds.py PLAIN.so OTHER.so PROGRAM

The least times of 60 calls each, for reading a table file, W(theta), and the layer in its dense and its lookup form;
both must give the same bits."""

from __future__ import annotations

import ctypes
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

F64, DENSE, LOOKUP = 1, 2, 3
Handle, Count = ctypes.c_void_p, ctypes.c_uint64


def calls(
    library: ctypes.CDLL, path: str, theta: np.ndarray, W: np.ndarray, x: np.ndarray, y: np.ndarray
) -> dict[str, Callable[[], None]]:
    """What is timed, by name; results go to W and y."""
    library.intertwine_last_error.restype = ctypes.c_char_p

    def call(name: str, *words: object) -> None:
        if getattr(library, "intertwine_" + name)(*words) != 0:
            sys.exit(f"{name}: {library.intertwine_last_error().decode()}")

    def data(a: np.ndarray) -> tuple[Handle, Count]:
        return a.ctypes.data_as(Handle), Count(a.size)

    table, layer, ran = Handle(), Handle(), ctypes.c_int()
    call("table_open", path.encode(), ctypes.byref(table))
    call("layer_new", table, F64, *data(theta), None, Count(0), ctypes.byref(layer))

    def read() -> None:
        other = Handle()
        call("table_open", path.encode(), ctypes.byref(other))
        library.intertwine_table_free(other)

    def apply(mode: int) -> Callable[[], None]:
        return lambda: call("layer_apply", layer, Count(len(x)), *data(x), *data(y), mode, 1, ctypes.byref(ran))

    return {
        "read": read,
        "W(theta)": lambda: call("materialise", table, F64, *data(theta), *data(W), Count(0), 1),
        "dense": apply(DENSE),
        "lookup": apply(LOOKUP),
    }


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    libraries, program = [ctypes.CDLL(os.path.abspath(path)) for path in sys.argv[1:3]], sys.argv[3]
    for group, representation in (("S12", "perm^2"), ("p4m(24,24)", "perm")):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "table.safetensors")
            subprocess.run([program, "tie", group, "--in", representation, "--output", path, "--quiet"], check=True)
            with open(path, "rb") as file:
                meta = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))["__metadata__"]
            rows, cols, params = (int(meta["intertwine." + key]) for key in ("rows", "cols", "params"))
            rng = np.random.default_rng(0)
            theta, x = rng.normal(size=params), rng.normal(size=(16, cols))
            results = [(np.zeros((rows, cols)), np.zeros((16, rows))) for _ in libraries]
            timed = [calls(library, path, theta, W, x, y) for library, (W, y) in zip(libraries, results)]
            for name in timed[0]:
                best = [float("inf")] * 2
                for turn in range(60):
                    for k in (turn % 2, 1 - turn % 2):
                        begun = time.perf_counter()
                        timed[k][name]()
                        best[k] = min(best[k], time.perf_counter() - begun)
                if any((a != b).any() for a, b in zip(*results)):
                    sys.exit(f"{name}: the libraries give other bits")
                print(
                    f"{group} {representation}, {rows} x {cols}, {name}: {best[0] * 1e6:.1f} us, the other {best[1] / best[0]:.2f} of it"
                )


main()
