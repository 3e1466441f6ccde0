"""Scripts as modules."""

import importlib.machinery
import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "scripts"


def script(name):
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(FOLDER))
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(FOLDER / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
