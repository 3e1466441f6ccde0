"""`pytest -p recorder`: writes which bindings are called, and with which arguments, to the file INTERTWINE_CALLS as
JSON: {name: [[number of positional arguments, their types, names of the others], ...]}. The public functions and
classes of `intertwine` are wrapped, so it is meant for a process of its own."""

import atexit
import functools
import json
import os

from public_names import public

calls = {}


def recorded(name, f):
    calls[name] = found = set()

    @functools.wraps(f, assigned=("__doc__", "__name__"), updated=())
    def call(*a, **k):
        found.add((len(a), " ".join(type(x).__name__ for x in a), tuple(sorted(k))))
        return f(*a, **k)

    return call


def record(owner, name, label):
    value = vars(owner)[name]
    if isinstance(value, property):
        setattr(owner, name, property(recorded(label, value.fget), value.fset, value.fdel, value.__doc__))
    elif isinstance(value, staticmethod) or type(value).__name__ == "nb_func":
        f = recorded(label, getattr(value, "__func__", value))
        setattr(owner, name, staticmethod(f) if isinstance(owner, type) else f)
    elif type(value).__name__ in ("nb_method", "function"):
        setattr(owner, name, recorded(label, value))


for name, (module, value) in public().items():
    if not isinstance(value, type):
        record(module, name, name)
    elif not issubclass(value, BaseException):
        for attribute in list(vars(value)):
            if attribute not in ("__init__", "__new__", "__getstate__", "__setstate__"):
                record(value, attribute, f"{name}.{attribute}")

atexit.register(
    lambda: open(os.environ["INTERTWINE_CALLS"], "w").write(json.dumps({k: sorted(v) for k, v in calls.items()}))
)
