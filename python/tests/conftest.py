import json
import os
import pathlib
import re
import shutil
import sys
import warnings

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def solved(problem):
    """The optimum of a reduced problem by Clarabel, and the values of its blocks."""
    pytest.importorskip("cvxpy", reason="cvxpy is not installed")
    asked = problem.to_cvxpy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = asked.solve(solver="CLARABEL")
    assert asked.status in ("optimal", "optimal_inaccurate")
    return value, [x.value for x in asked.variables()]


def reference(name):
    return json.loads((ROOT / "tests" / "data" / name).read_text())


def compare_pictures(folder, page):
    """Pictures that a page saves are those in docs/pictures, byte for byte; INTERTWINE_UPDATE_PICTURES=1 writes them
    there. Returns their names."""
    shown = set(re.findall(r"\(pictures/(\w+\.svg)\)", page.read_text()))
    saved = [picture for picture in folder.glob("*.svg") if picture.name in shown]
    for picture in saved:
        kept = ROOT / "docs" / "pictures" / picture.name
        if "INTERTWINE_UPDATE_PICTURES" in os.environ:
            shutil.copy(picture, kept)
        assert kept.read_bytes() == picture.read_bytes(), (
            f"{picture.name}: run with INTERTWINE_UPDATE_PICTURES=1 and look at it"
        )
    return [picture.name for picture in saved]


@pytest.fixture(autouse=True)
def default_dtype():
    """Pages that set the default type of PyTorch set it for themselves alone."""
    torch = sys.modules.get("torch")
    before = torch and torch.get_default_dtype()
    yield
    if torch := sys.modules.get("torch"):
        torch.set_default_dtype(before or torch.float32)


@pytest.fixture
def S4():
    from intertwine import Group

    return Group("S4")


@pytest.fixture(scope="module")
def dask():
    """Two workers of Dask: the address of their scheduler, and an executor."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with distributed.Client(cluster) as client:
        yield cluster.scheduler_address, client.get_executor()
    try:
        cluster.close()
    except TimeoutError:  # workers that were killed because they took more than four seconds to end
        warnings.warn("the cluster of Dask did not close in its time", stacklevel=1)


@pytest.fixture
def whole_scripts(monkeypatch):
    """Where the scheduler is in this process, it imports the scripts that it gets from its scratch space: here they
    stay where they are."""
    for name in ("executors", "rotmnist", "subspaces"):
        if name in sys.modules:
            monkeypatch.setattr(sys.modules[name], "__file__", str(ROOT / "examples" / "training" / f"{name}.py"))
