"""Arguments of a wrong kind are answered with one sentence, not with what Python finds wrong deep inside.

What a parameter takes is read from its annotation, and only when something has gone wrong: nothing is written twice,
and right calls cost nothing. Only kinds are looked at; what is in a list, and whether a number is too large, is the
matter of the function itself."""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, Union, get_args, get_origin

from . import DomainError, Error, Group, Hom, Representation, Table

_SAID: dict[type, str] = {
    Representation: "a representation such as Group('S4').rep('perm')",
    Hom: "the maps V >> U",
    Group: "a group such as Group('S4')",
    Table: "a table such as load_table('layer.safetensors')",
    int: "an integer",
    float: "a number",
    str: "a string",
}


def _kind(member: Any) -> tuple[str, Callable[[object], bool]] | None:
    """What a member of an annotation is called, and what belongs to it; nothing if it is not a plain kind."""
    if member is type(None):
        return "", lambda value: value is None
    origin = get_origin(member) or member
    if origin is Callable:
        return "a function", callable
    if origin is Mapping:
        return "a dict", lambda value: isinstance(value, Mapping)
    if origin in (Sequence, Iterable, list, tuple):
        return "a list", lambda value: hasattr(value, "__iter__") and not isinstance(value, (*_SAID,))
    if not isinstance(member, type) or origin is not member or member is Any or getattr(member, "_is_protocol", False):
        return None
    if member in (int, float):
        method = "__index__" if member is int else "__float__"
        return _SAID[member], lambda value: hasattr(value, method) or hasattr(value, "__index__")
    name = f"{'an' if member.__name__[0] in 'AEIOU' else 'a'} {member.__name__}"
    return _SAID.get(member, name), lambda value: isinstance(value, member)


def _checks(f: Callable[..., Any]) -> dict[str, tuple[str, list[Callable[[object], bool]]]]:
    """By the name of a parameter: what it is, and what says so."""
    found = {}
    for name, parameter in inspect.signature(f).parameters.items():
        annotation = parameter.annotation
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if isinstance(annotation, str):
            try:
                annotation = eval(annotation, dict(vars(sys.modules[f.__module__])))
            except NameError:  # a name that only type checkers import
                continue
        union = get_origin(annotation) in (Union, types.UnionType)
        kinds = [_kind(member) for member in (get_args(annotation) if union else (annotation,))]
        plain = [kind for kind in kinds if kind is not None]
        if len(plain) == len(kinds) and annotation not in (bool, parameter.empty):
            found[name] = (" or ".join(dict.fromkeys(said for said, _ in plain if said)), [check for _, check in plain])
    return found


def _shown(value: object) -> str:
    if value is None or isinstance(value, (str, int, float)):
        text = repr(value)
        return text if len(text) <= 40 else text[:40] + "…"
    return f"{'an' if type(value).__name__[0] in 'AEIOU' else 'a'} {type(value).__name__}"


def _wrong(f: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> str | None:
    """What is to be said of the first argument that is of a wrong kind."""
    try:
        given = inspect.signature(f).bind(*arguments, **keywords).arguments
    except TypeError:  # one is missing, or there is one too many: Python says that in one sentence
        return None
    for name, (said, checks) in _checks(f).items():
        if name in given and not any(belongs(given[name]) for belongs in checks):
            hint = (
                f": write Group('…').rep({given[name]!r})"
                if isinstance(given[name], str) and _SAID[Representation] in said
                else ""
            )
            return f"{name} is {said}, not {_shown(given[name])}{hint}"
    return None


def checked(f: Callable[..., Any]) -> Callable[..., Any]:
    """f, with DomainError for what Python raises in it when an argument is of a wrong kind. What f says itself is
    better, and stands."""

    @functools.wraps(f)
    def call(*arguments: Any, **keywords: Any) -> Any:
        try:
            return f(*arguments, **keywords)
        except Error:
            raise
        except (TypeError, AttributeError, ValueError) as error:
            if said := _wrong(f, arguments, keywords):
                raise DomainError(said) from error
            raise

    call._explains_arguments = True  # type: ignore[attr-defined]
    return call


def check_arguments(package: dict[str, Any]) -> None:
    """The functions and classes that a package exports explain their arguments."""
    for name in package["__all__"]:
        value = package[name]
        if hasattr(value, "_explains_arguments"):
            continue
        if inspect.isfunction(value):
            package[name] = checked(value)
            setattr(sys.modules[value.__module__], name, package[name])  # the same function, or it could not be pickled
        elif inspect.isclass(value) and not is_dataclass(value):
            owner = next(cls for cls in value.__mro__ if "__init__" in vars(cls))
            start = vars(owner)["__init__"]
            if owner.__module__.startswith("intertwine.") and not hasattr(start, "_explains_arguments"):
                owner.__init__ = checked(start)
            for method, made in list(vars(value).items()):
                if (
                    isinstance(made, classmethod)
                    and not method.startswith("_")
                    and not hasattr(made.__func__, "_explains_arguments")
                ):
                    setattr(value, method, classmethod(checked(made.__func__)))
