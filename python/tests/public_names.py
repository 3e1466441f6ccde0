"""The public names of the package and of its modules, for tests that look at all of them."""

import intertwine

MODULES = [intertwine, *(getattr(intertwine, name) for name in ("sf", "gl", "chem", "sdp", "tables"))]


def public():
    """By name: the module that it is imported from, and the value. Modules are none of them."""
    return {
        name: (module, vars(module)[name])
        for module in MODULES
        for name in module.__all__
        if vars(module)[name] not in MODULES
    }
