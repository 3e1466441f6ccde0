import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)
    yield
    torch.compiler.reset()

