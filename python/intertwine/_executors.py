"""The executors of the programs: processes of this machine, or a cluster of Dask."""

from __future__ import annotations

import concurrent.futures
import contextlib
import multiprocessing
import pickle
from collections.abc import Iterator
from typing import Any

from ._errors import DomainError

__all__ = ["on_cluster", "processes", "require_sendable"]


def require_sendable(executor: Any, task: Any, what: str) -> None:
    """DomainError if a pool of processes cannot be sent this: told by the pool, it would never come to an end (CPython 3.11)."""
    if not isinstance(executor, concurrent.futures.ProcessPoolExecutor):
        return  # threads take everything, and Dask sends more than pickle does
    try:
        pickle.dumps(task)
    except Exception as error:
        why = "a function of a module (or functools.partial of one), not a lambda nor a function inside another"
        raise DomainError(f"{what} for processes is {why}: {error}") from None


def _one_thread() -> None:
    import torch

    torch.set_num_threads(1)


def processes(count: int) -> concurrent.futures.ProcessPoolExecutor:
    """As many processes, of one thread each."""
    return concurrent.futures.ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_one_thread)


@contextlib.contextmanager
def on_cluster(address: str) -> Iterator[concurrent.futures.Executor]:
    """The executor of the Dask scheduler at an address such as tcp://host:8786, and the connection closed at the end. DomainError if Dask is not installed or
    nobody answers."""
    try:
        from distributed import Client  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        raise DomainError("--cluster needs Dask, which is not installed: pip install distributed") from None
    try:
        client = Client(address)  # type: ignore[no-untyped-call,unused-ignore]
    except (OSError, ValueError) as error:
        raise DomainError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        yield client.get_executor()
