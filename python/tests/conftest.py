import json
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def reference(name):
    return json.loads((ROOT / "tests" / "data" / name).read_text())


@pytest.fixture
def S4():
    from intertwine import Group

    return Group("S4")
