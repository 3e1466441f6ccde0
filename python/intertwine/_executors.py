"""What a pool of processes can be sent."""

from __future__ import annotations

import concurrent.futures
import pickle
from typing import Any

from ._errors import DomainError

__all__ = ["require_sendable"]


def require_sendable(executor: Any, task: Any, what: str) -> None:
    """DomainError if a pool of processes cannot be sent this: told by the pool, it would never come to an end (CPython
    3.11)."""
    if not isinstance(executor, concurrent.futures.ProcessPoolExecutor):
        return  # threads take everything, and Dask sends more than pickle does
    try:
        pickle.dumps(task)
    except Exception as error:
        why = "a function of a module (or functools.partial of one), not a lambda nor a function inside another"
        raise DomainError(f"{what} for processes is {why}: {error}") from None
