"""Other people's packages that tests stand beside."""

import sys

import torch


def without_operators_of_torchvision():
    """Lets packages import torchvision that never call it. Beside a PyTorch for CPUs the one of PyPI lacks its
    operators, two of which it asks for by name."""
    try:
        import torchvision  # noqa: F401
    except ImportError:
        pass
    except RuntimeError:
        for name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
            del sys.modules[name]
        for name in ("nms", "qnms"):
            torch.library.define(f"torchvision::{name}", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
