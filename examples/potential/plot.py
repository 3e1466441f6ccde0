"""The figure of train.py --plot: errors while training, and forces as they are found and as they should be."""

from __future__ import annotations

import importlib.util

from torch import Tensor


def draw(path: str, curve: list[tuple[int, dict[str, float]]], found: Tensor, right: Tensor) -> str:
    """Write the figure to a file .png or .svg, and say so; or say why there is none."""
    if importlib.util.find_spec("matplotlib") is None:
        return "no plot: matplotlib is not installed (pip install matplotlib)"
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "intertwine"  # the same bytes in every run
    import matplotlib.pyplot as plot

    figure, (left, other) = plot.subplots(1, 2, figsize=(9, 4), layout="constrained")
    units = {"forces": "meV/Å", "energies": "meV/atom", "stress": "meV/Å³"}
    for name in curve[0][1]:
        left.plot([step for step, _ in curve], [e[name] for _, e in curve], ".-", label=f"{name} ({units[name]})")
    left.set(xlabel="step", ylabel="mean absolute error", yscale="log")
    left.legend()
    other.plot(right.flatten().numpy(), found.flatten().numpy(), ".", markersize=2, rasterized=True)
    end = float(right.abs().max())
    other.plot([-end, end], [-end, end], "k-", linewidth=0.5)
    other.set(xlabel="force (eV/Å)", ylabel="force of the network (eV/Å)", title="test frames", aspect="equal")
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)
    plot.close(figure)
    return f"{path} has the errors and the forces"
