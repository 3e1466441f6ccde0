"""The errors of intertwine. Each message is one sentence: what is wrong, where, and what to do."""

from __future__ import annotations

import re

__all__ = ["Error", "ParseError", "DomainError", "LimitError", "FileError", "VerificationError", "InternalError"]


_PIECE = 90  # how much is shown of one element, list or sum
_LONG = re.compile(
    r"(?:\(\d+(?:,\d+)+\))+|\[[^\[\]]*\]|[^\s+]+(?: \+ [^\s+]+)+"
)  # cycles of a permutation, a list of numbers, the terms of a sum
_WHOLE = 900  # what is cut in the middle, where there is nothing of these kinds


def brief(message: str) -> str:
    """The message with long elements, lists and sums cut in their middle, where it is longer than a screen is wide."""
    if len(message) <= 2 * _PIECE:
        return message
    message = _LONG.sub(lambda piece: _cut(piece[0], _PIECE), message)
    return _cut(message, _WHOLE)


def _cut(text: str, most: int) -> str:
    """The beginning and the end of a text."""
    end = most // 4
    return text if len(text) <= most else f"{text[: most - end - 5]} ... {text[-end:]}"


class Error(ValueError):
    """Base of all errors that a wrong input, a limit or a false claim can cause.

    Its text cuts long elements, lists and sums in their middle; `args[0]` is the whole message.
    """

    def __str__(self) -> str:
        return brief(str(self.args[0])) if len(self.args) == 1 else super().__str__()


class ParseError(Error):
    """Text that does not parse. `text` is the whole input and `position` the place in it (0-based) that the message is
    about."""

    text: str
    position: int

    def __init__(self, message: str, text: str = "", position: int = 0) -> None:
        super().__init__(message, text, position)
        self.text = text
        # The library counts bytes.
        self.position = len(text.encode()[:position].decode(errors="ignore"))

    def __str__(self) -> str:
        message = str(self.args[0])
        if not self.text:
            return message
        start = max(0, self.position - 38) if len(self.text) > 76 else 0
        shown = self.text[start : start + 76]
        shown = "".join(c if c.isprintable() else " " for c in shown)
        lead = "..." if start > 0 else ""
        tail = "..." if start + 76 < len(self.text) else ""
        column = len(lead) + self.position - start
        return f"{message}\n  {lead}{shown}{tail}\n  {' ' * column}^"


class DomainError(Error):
    """An argument outside the mathematics: no bijection, degrees that differ, images that are no homomorphism."""


class _NoSuchProperty(DomainError, AttributeError):
    """A property that the kind of a group or of a representation has not, so that hasattr() says False."""


class LimitError(Error):
    """The answer would exceed a limit of memory, time or size; the message has the number and says how to raise it."""


class FileError(Error):
    """A file that cannot be read or written, or whose contents are damaged, hostile or inconsistent."""


class VerificationError(Error):
    """A claim was checked and found false."""


class InternalError(RuntimeError):
    """A self-check failed: a fault of intertwine. Please report it."""


_NoSuchProperty.__name__ = _NoSuchProperty.__qualname__ = "DomainError"
for _error in (
    _NoSuchProperty,
    Error,
    ParseError,
    DomainError,
    LimitError,
    FileError,
    VerificationError,
    InternalError,
):
    _error.__module__ = "intertwine"
del _error
