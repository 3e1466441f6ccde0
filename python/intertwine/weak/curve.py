"""How often training succeeds, against a dimension: measured with many seeds, in one process or many, and gone on with
after an interruption."""

from __future__ import annotations

import concurrent.futures
import json
import math
import numbers
import os
import pathlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import DomainError, FileError
from .._executors import require_sendable
from .._progress import Bar

__all__ = ["Crossing", "Curve", "success_curve"]

Make = Callable[[int, Sequence[int]], Sequence[float | Mapping[str, float]]]
Row = dict[str, Any]


class Crossing(NamedTuple):
    """Where a curve passes a level, with an interval; infinite where it does not."""

    value: float
    low: float
    high: float


def wilson(successes: int, trials: int, z: float = 1.959964) -> tuple[float, float]:
    """The interval of Wilson (1927) for a probability: it stays in [0, 1] and is right near its ends."""
    p, n = successes / trials, trials
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z * z / n)), min(1.0, (middle + half) / (1 + z * z / n))


def _rising(p: Sequence[float], weight: Sequence[int]) -> list[float]:
    """The nearest non-decreasing sequence (pool adjacent violators; Ayer et al. 1955)."""
    blocks: list[list[float]] = []
    for value, w in zip(p, weight):
        blocks.append([value, w, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            v, more, n = blocks.pop()
            u = blocks[-1]
            u[0], u[1], u[2] = (u[0] * u[1] + v * more) / (u[1] + more), u[1] + more, u[2] + n
    return [value for value, _, n in blocks for _ in range(int(n))]


def _crossing(dims: Sequence[int], p: Sequence[float], q: float) -> float:
    """By linear interpolation; 0 where the curve begins above q, since dimension 0 was not measured."""
    at = next((k for k, value in enumerate(p) if value >= q), None)
    if at is None:
        return math.inf
    if at == 0:
        return float(dims[0]) if p[0] == q else 0.0
    a, b = p[at - 1], p[at]
    return dims[at - 1] + (dims[at] - dims[at - 1]) * (q - a) / (b - a)


@dataclass(frozen=True)
class Curve:
    """P(loss <= target) against d, from rows {"d", "seed", "loss", ...}, one a run."""

    rows: list[Row]
    target: float

    @property
    def dims(self) -> list[int]:
        """The dimensions, increasing."""
        return sorted({row["d"] for row in self.rows})

    def _good(self, row: Row) -> bool:
        return row["loss"] is not None and row["loss"] <= self.target

    @property
    def trials(self) -> list[int]:
        """For each dimension the number of runs."""
        return [sum(row["d"] == d for row in self.rows) for d in self.dims]

    @property
    def successes(self) -> list[int]:
        """For each dimension how many of them reached the target."""
        return [sum(row["d"] == d and self._good(row) for row in self.rows) for d in self.dims]

    @property
    def probability(self) -> list[float]:
        """successes / trials."""
        return [k / n for k, n in zip(self.successes, self.trials)]

    @property
    def wilson(self) -> list[tuple[float, float]]:
        """95 % intervals of the probabilities (Wilson 1927)."""
        return [wilson(k, n) for k, n in zip(self.successes, self.trials)]

    def d(self, q: float, *, resamples: int = 1000, seed: int = 0) -> Crossing:
        """Where P passes q, by linear interpolation of the nearest non-decreasing curve, with a 95 % interval.

        The interval is that of the bootstrap over seeds (Efron 1979), widened to the two measured dimensions between
        which the curve passes q: between them nothing was seen. A value of 0 says that P >= q already at the first
        dimension, infinity that it is below at the last.
        """
        if not 0 < q <= 1:
            raise DomainError(f"q is a probability above 0, not {q!r}")
        dims, trials = self.dims, self.trials
        rising = _rising(self.probability, trials)
        value = _crossing(dims, rising, q)
        choose = random.Random(seed)
        found = sorted(
            _crossing(dims, _rising([k / n for k, n in sample], [n for _, n in sample]), q)
            for sample in self._resampled(choose, resamples)
        )
        low, high = (found[round(share * (resamples - 1))] for share in (0.025, 0.975)) if found else (value, value)
        below = max((d for d, p in zip(dims, rising) if p < q), default=0)
        above = min((d for d, p in zip(dims, rising) if p >= q), default=math.inf)
        return Crossing(value, float(min(low, below)), float(max(high, above)))

    def _resampled(self, choose: random.Random, resamples: int) -> Iterator[list[tuple[int, int]]]:
        """Seeds drawn with replacement: one seed's runs stay together, as they may share examples and initial weights."""
        good: dict[Any, dict[int, bool]] = {}
        for row in self.rows:
            good.setdefault(row["seed"], {})[row["d"]] = self._good(row)
        runs, dims = list(good.values()), self.dims
        for _ in range(resamples):
            drawn = [choose.choice(runs) for _ in runs]
            counts = [(sum(run.get(d, False) for run in drawn), sum(d in run for run in drawn)) for d in dims]
            if all(n for _, n in counts):
                yield counts

    def mean(self, name: str, *, resamples: int = 1000, seed: int = 0) -> list[tuple[float, float, float]]:
        """For each dimension the mean of what runs say under this name, and its 95 % interval by bootstrap over the
        runs. What was not finite is left out."""
        choose, found = random.Random(seed), []
        for d in self.dims:
            values = [row[name] for row in self.rows if row["d"] == d and row[name] is not None] or [math.nan]
            means = sorted(sum(choose.choices(values, k=len(values))) / len(values) for _ in range(resamples))
            found.append(
                (
                    sum(values) / len(values),
                    means[round(0.025 * (resamples - 1))],
                    means[round(0.975 * (resamples - 1))],
                )
            )
        return found

    def __str__(self) -> str:
        lines = [f"{'d':>8} {'successes':>11}  P (95 %)"]
        for d, k, n, (low, high) in zip(self.dims, self.successes, self.trials, self.wilson):
            lines.append(f"{d:>8} {f'{k}/{n}':>11}  {k / n:.3f} ({low:.3f} to {high:.3f})")
        return "\n".join(lines)


# --- Measuring -----------------------------------------------------------------------------------------------------------------


def _measured(make: Make, d: int, seeds: Sequence[int]) -> list[Row]:
    """In a worker: the rows of one call."""
    found = make(d, seeds)
    if isinstance(found, Mapping) or not hasattr(found, "__iter__"):
        raise DomainError(
            f"make({d}, seeds) gave {found!r}; it gives a list, with one result for each of the {len(seeds)} seeds"
        )
    values = list(found)
    if len(values) != len(seeds):
        raise DomainError(f"make({d}, seeds) gave {len(values)} results for {len(seeds)} seeds")
    rows = []
    for seed, value in zip(seeds, values):
        row: Row = {"d": d, "seed": seed, **(dict(value) if isinstance(value, Mapping) else {"loss": value})}
        if "loss" not in row:
            raise DomainError(
                f"make({d}, seeds) gave {sorted(value) if isinstance(value, Mapping) else value}; every result is a number or has a 'loss'"
            )
        numbers = {name: float(number) for name, number in row.items() if name not in ("d", "seed")}
        # JSON has neither infinities nor nan: such a run has not reached anything.
        rows.append(
            {
                "d": d,
                "seed": seed,
                **{name: number if math.isfinite(number) else None for name, number in numbers.items()},
            }
        )
    return rows


class _Store:
    """Rows in a file of JSON lines, each written as soon as it is there; the first line says of what."""

    def __init__(self, path: os.PathLike[str] | str | None, key: str) -> None:
        self.rows: dict[tuple[int, int], Row] = {}
        self._path = None if path is None else pathlib.Path(path)
        if self._path is None:
            return
        if self._path.exists():
            self._read(key)
        else:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._write([{"experiment": key}])

    def _read(self, key: str) -> None:
        assert self._path is not None
        data = self._path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]  # a line without an end was being written when the run was killed
        if len(whole) < len(data):
            with open(self._path, "r+b") as file:
                file.truncate(len(whole))
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                row = json.loads(line)
                if number == 1:
                    found = row["experiment"]
                else:
                    self.rows[row["d"], row["seed"]] = {**row, "loss": row["loss"]}
            except (ValueError, KeyError, TypeError):
                raise FileError(
                    f"{self._path}, line {number}: not a row of results; remove the file to begin anew"
                ) from None
            if number == 1 and found != key:
                raise DomainError(f"{self._path} has the results of {found!r}, not of {key!r}: name another file")
        if not whole:
            self._write([{"experiment": key}])

    def add(self, rows: Sequence[Row]) -> None:
        self.rows.update({(row["d"], row["seed"]): row for row in rows})
        if self._path is not None:
            self._write(rows)

    def _write(self, rows: Sequence[Row]) -> None:
        assert self._path is not None
        with open(self._path, "a", encoding="utf-8") as file:
            file.write("".join(json.dumps(row, allow_nan=False) + "\n" for row in rows))
            file.flush()
            os.fsync(file.fileno())


def success_curve(
    make: Make,
    dims: Sequence[int],
    seeds: int | Sequence[int],
    target: float,
    *,
    executor: concurrent.futures.Executor | Callable[[], concurrent.futures.Executor] | None = None,
    batch: int | None = None,
    path: os.PathLike[str] | str | None = None,
    key: str = "",
    progress: bool | str = False,
    retries: int = 3,
) -> Curve:
    """Runs make(d, seeds) for all dimensions and seeds and counts how often the loss is at most the target.

    make(d, seeds) trains the runs of these seeds, best side by side in one batch, and gives for each its loss, or a
    mapping with "loss" and other numbers. With an executor of processes it is a function of a module (or
    functools.partial of one), so that it can be sent to them. batch: how many seeds a call gets, by default all.

    executor: any of concurrent.futures, such as ProcessPoolExecutor(2) or Dask's client.get_executor(); None computes
    here. A pool whose worker died is broken for good. `lambda: ProcessPoolExecutor(2)` makes it again, and the rest is
    done, up to `retries` times.

    path: a file of JSON lines that gets every result when it is there. A run that was killed, called again, does only
    what is missing. key: what the file is of; results of another key are refused. progress: a bar on the standard error
    stream, perhaps with a label.
    """
    if isinstance(seeds, bool):
        raise DomainError("seeds are a number of runs, or a list of integers")
    dims, seeds = list(dims), list(range(int(seeds)) if isinstance(seeds, (int, numbers.Integral)) else seeds)
    if (
        not dims
        or not seeds
        or not all(isinstance(n, numbers.Integral) and not isinstance(n, bool) for n in (*dims, *seeds))
        or min(dims) < 1
    ):
        raise DomainError("dims and seeds are integers, at least one of each, and dimensions are positive")
    dims, seeds = sorted({int(d) for d in dims}), list(dict.fromkeys(int(s) for s in seeds))
    if batch is not None and (not isinstance(batch, int) or batch < 1):
        raise DomainError(f"batch is a positive number of seeds, not {batch!r}")
    if math.isnan(target):
        raise DomainError("the target is a loss, not nan")
    store = _Store(path, key)
    bar = Bar() if progress else None
    try:
        for attempt in range(retries + 1):
            work = [
                (d, part)
                for d in dims
                for part in _parts([s for s in seeds if (d, s) not in store.rows], batch or len(seeds))
            ]
            try:
                _work(
                    make,
                    work,
                    executor,
                    store,
                    bar,
                    progress if isinstance(progress, str) else "runs",
                    len(dims) * len(seeds),
                )
                break
            except concurrent.futures.BrokenExecutor as error:
                if not callable(executor) or attempt == retries:
                    kept = (
                        "what was done is in the file, and the same call goes on from there"
                        if path is not None
                        else "path= keeps what was done"
                    )
                    raise concurrent.futures.BrokenExecutor(f"a worker died ({error}): {kept}") from error
    finally:
        if bar:
            bar.close()
    return Curve([store.rows[d, s] for d in dims for s in seeds], target)


def _parts(seeds: list[int], size: int) -> list[list[int]]:
    return [seeds[k : k + size] for k in range(0, len(seeds), size)]


def _work(
    make: Make, work: list[tuple[int, list[int]]], executor: Any, store: _Store, bar: Bar | None, label: str, total: int
) -> None:
    def told(rows: list[Row]) -> None:
        store.add(rows)
        if bar:
            bar(label, min(len(store.rows), total), total)

    if executor is None:
        for d, part in work:
            told(_measured(make, d, part))
        return
    own = callable(executor)
    pool = executor() if own else executor
    try:
        require_sendable(pool, make, "make")
        futures = [pool.submit(_measured, make, d, part) for d, part in work]
        try:
            broken: concurrent.futures.BrokenExecutor | None = None
            for future in concurrent.futures.as_completed(futures):
                try:
                    told(future.result())
                except concurrent.futures.BrokenExecutor as error:
                    broken = error  # others may have come to an end before
            if broken:
                raise broken
        finally:
            for future in futures:
                future.cancel()
    finally:
        if own:
            pool.shutdown(cancel_futures=True)
