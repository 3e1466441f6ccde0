"""What is made once for given arguments and kept, also where a compiler records the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import torch

__all__ = ["kept"]

_Made = TypeVar("_Made")
_MOST = 1024


class _Values:
    """An attribute for each value. A compiler looks at attributes one by one, when they are asked for."""


_values = _Values()
_names: dict[tuple[Any, ...], str] = {}
_made = 0


def kept(make: Callable[..., _Made]) -> Callable[..., _Made]:
    """The function with its last results kept. Its arguments are hashable.

    torch.compile calls it while it records, and takes what it finds as a constant of the program.
    """

    @torch._dynamo.assume_constant_result  # type: ignore[untyped-decorator]
    def name_of(*given: Any) -> str:
        global _made
        key = (make, *given)
        found = _names.pop(key, None)
        if found is None:
            found, _made = f"value{_made}", _made + 1
            setattr(_values, found, make(*given))
            if len(_names) >= _MOST:
                delattr(_values, _names.pop(next(iter(_names))))
        _names[key] = found  # the last one used stands last
        return found

    def find(*given: Any) -> _Made:
        value: _Made = getattr(_values, name_of(*given))
        return value

    return find
