"""The executors of rotmnist.py and subspaces.py: processes of this machine, or a cluster of Dask."""

from __future__ import annotations

import concurrent.futures
import contextlib
import multiprocessing
from collections.abc import Iterator

import torch
from intertwine import DomainError


def _one_thread() -> None:
    torch.set_num_threads(1)


def processes(count: int) -> concurrent.futures.ProcessPoolExecutor:
    """As many processes, of one thread each."""
    return concurrent.futures.ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_one_thread)


@contextlib.contextmanager
def on_cluster(address: str, program: str) -> Iterator[concurrent.futures.Executor]:
    """The executor of the Dask scheduler at an address such as tcp://host:8786, and the connection closed at the end.
    The workers get the file `program`, whose functions are sent to them. DomainError if Dask is not installed or nobody
    answers."""
    try:
        from distributed import Client
    except ImportError:
        raise DomainError("--cluster needs Dask, which is not installed: pip install distributed") from None
    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise DomainError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        for file in (__file__, program):
            client.upload_file(file)
        yield client.get_executor()
