"""The public names of the package and of its modules, for tests that look at all of them."""

import intertwine

MODULES = [intertwine, *(getattr(intertwine, name) for name in ("sf", "gl", "chem", "sdp", "tables"))]


def public():
    """By name: the module that it is imported from, and the value. Modules are none of them. A name that an earlier
    module has too stands with the name of its module, as sdp.Certificate."""
    found = {}
    for module in MODULES:
        for name in module.__all__:
            value = vars(module)[name]
            if value not in MODULES:
                short = module.__name__.rpartition(".")[2]
                found[name if name not in found else f"{short}.{name}"] = (module, value)
    return found
