"""What representations say of layers, without PyTorch: type checkers read it with the stubs of the package."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ActivationRule"]


@dataclass(frozen=True)
class ActivationRule:
    """May functions of one kind stand between layers? True in conditions if they may."""

    allowed: bool
    reason: str
    """One sentence."""

    def __bool__(self) -> bool:
        return self.allowed

    def __str__(self) -> str:
        return f"{'yes' if self.allowed else 'no'}: {self.reason}"
