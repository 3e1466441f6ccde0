"""softmax(q k^T) v under masks: PyTorch's fused kernels, and plain operators for the derivatives that these have not."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function, forward_ad
from torch.nn.functional import scaled_dot_product_attention

from .. import DomainError
from ._ops import functorch, tracing

__all__ = ["Masks", "attend"]


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, causal: bool) -> Tensor:
    """The attention of [..., tokens, d], with derivatives of every order.

    mask: True where a row may attend to a column, or what is added to its score; every row has a column that it sees.
    """
    if _is_differentiated_forward():
        return _composite(q, k, v, mask, causal)
    y = scaled_dot_product_attention(q, k, v, mask, is_causal=causal)
    if not y.requires_grad or torch.compiler.is_compiling() or tracing() or functorch():
        return y
    return _Again.apply(y, q, k, v, mask, causal)  # type: ignore[no-untyped-call,no-any-return]


def _is_differentiated_forward() -> bool:
    """Is forward mode at work, or a derivative of a derivative in torch.func?"""
    if forward_ad._current_level >= 0:
        return True
    if not functorch():
        return False
    keys = [level.key() for level in torch._C._functorch.get_interpreter_stack() or ()]
    kinds = torch._C._functorch.TransformType
    return kinds.Jvp in keys or keys.count(kinds.Grad) > 1


# torch.compile calls it rather than reading it; while it compiles, it enters transformations as they are entered.
_is_differentiated_forward._dynamo_marked_constant = True  # type: ignore[attr-defined]


def _composite(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, causal: bool) -> Tensor:
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if causal:
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool, device=q.device).tril()
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf) if mask.dtype == torch.bool else scores + mask
    return scores.softmax(-1) @ v


class _Again(Function):
    """The output y of a fused kernel. A derivative that is to be differentiated again is that of plain operators; any
    other goes on to the kernel's own."""

    @staticmethod
    def forward(ctx: Any, y: Tensor, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, causal: bool) -> Tensor:
        ctx.save_for_backward(q, k, v, mask)
        ctx.causal = causal
        return y.view_as(y)

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> Any:
        if not torch.is_grad_enabled():
            return g, None, None, None, None, None
        q, k, v, mask = given = ctx.saved_tensors
        wanted = [t for t in given if t is not None and t.requires_grad]
        y = _composite(q, k, v, mask, ctx.causal)
        found = iter(torch.autograd.grad(y, wanted, g, create_graph=True))
        return None, *(next(found) if t is not None and t.requires_grad else None for t in given), None


class Masks:
    """Masks of one call, as torch.nn.MultiheadAttention takes them, for x [*batch, tokens, channels, dim V].

    key_padding_mask [*batch, tokens]: True, or -inf, at what is no token. attn_mask [tokens, tokens], [*batch, tokens,
    tokens] or [*batch, heads, tokens, tokens]: True where a row may not attend to a column, or what is added to scores.
    """

    def __init__(self, x: Tensor, heads: int, key_padding_mask: Any, attn_mask: Any) -> None:
        *batch, tokens, _, _ = x.shape
        self.padded: Tensor | None = None
        """[*batch, tokens], True at what is no token."""
        self.allowed: Tensor | None = None
        self.added: Tensor | None = None
        """Of [*batch, heads, tokens, tokens], or what broadcasts to it."""
        if key_padding_mask is not None:
            self._check("key_padding_mask", key_padding_mask, x, [[*batch, tokens]], "")
            self._take(key_padding_mask[..., None, None, :])
            floating = key_padding_mask.is_floating_point()
            self.padded = key_padding_mask == -math.inf if floating else key_padding_mask
        if attn_mask is not None:
            shapes = [[tokens, tokens], [*batch, tokens, tokens], [*batch, heads, tokens, tokens]]
            flat = [math.prod(batch) * heads, tokens, tokens]
            hint = (
                f": write attn_mask.unflatten(0, {(*batch, heads)}) for masks of every head"
                if isinstance(attn_mask, Tensor) and list(attn_mask.shape) == flat
                else ""
            )
            self._check("attn_mask", attn_mask, x, shapes, hint)
            of_batch = attn_mask.dim() > 2 and list(attn_mask.shape) != shapes[2]
            self._take(attn_mask.unsqueeze(-3) if of_batch else attn_mask)

    @staticmethod
    def _check(name: str, mask: Any, x: Tensor, shapes: list[list[int]], hint: str) -> None:
        if not isinstance(mask, Tensor) or not (mask.dtype == torch.bool or mask.is_floating_point()):
            found = mask.dtype if isinstance(mask, Tensor) else type(mask).__name__
            raise DomainError(
                f"{name} is a boolean tensor, True where nobody may look, or numbers that are added to scores,"
                f" not {found}"
            )
        if list(mask.shape) not in shapes:
            wanted = " or ".join(str(s) for k, s in enumerate(shapes) if s not in shapes[:k])
            raise DomainError(
                f"the {name} has the shape {list(mask.shape)}, and an input of the shape {list(x.shape)} takes"
                f" {wanted}{hint}"
            )
        if mask.device != x.device:
            raise DomainError(f"the {name} is on {mask.device} and the input on {x.device}: move it, {name}.to(...)")

    def _take(self, mask: Tensor) -> None:
        if mask.dtype == torch.bool:
            self.allowed = ~mask if self.allowed is None else self.allowed & ~mask
        else:
            self.added = mask if self.added is None else self.added + mask

    def cleared(self, x: Tensor, dims: int = 2) -> Tensor:
        """x with 0 in place of what is no token, whatever stands there; `dims` are behind its tokens."""
        if self.padded is None:
            return x
        return x.masked_fill(self.padded.reshape(*self.padded.shape, *(1 for _ in range(dims))), 0)

    def bounded(self, mask: Tensor | None, causal: bool, like: Tensor) -> tuple[Tensor | None, bool, Tensor | None]:
        """Joins the layer's own mask (boolean, or added to scores) with one of columns: gives a mask, whether to be
        causal, and the rows that see nothing, which have a mask of others."""
        if self.allowed is None and self.added is None:
            return mask, causal and mask is None, None
        allowed, added = self.allowed, None if self.added is None else self.added.to(like.dtype)
        if causal:
            tokens = like.shape[-2]
            before = torch.ones(tokens, tokens, dtype=torch.bool, device=like.device).tril()
            allowed = before if allowed is None else allowed & before
        if mask is not None and mask.dtype == torch.bool:
            allowed = mask if allowed is None else allowed & mask
        elif mask is not None:
            added = mask if added is None else added + mask
        if added is not None:
            seen = added > -math.inf
            allowed = seen if allowed is None else allowed & seen
        assert allowed is not None
        alone = ~allowed.any(-1, keepdim=True)
        if added is None:
            return allowed | alone, False, alone
        return added.masked_fill(~allowed, -math.inf).masked_fill(alone, 0), False, alone
