"""Sub-interpreters of Python are refused before they load the extension, whose functions would end with them."""

import importlib
import sys

try:
    _interpreters = importlib.import_module("_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters")
except ImportError:  # a Python without sub-interpreters
    pass
else:
    if _interpreters.get_current() != _interpreters.get_main():
        raise ImportError(
            "intertwine works in the main interpreter of Python alone, and this is a sub-interpreter; import it in a "
            "process of its own"
        )
