"""A lattice for each space group, in its usual setting, without more symmetry than it must have."""

import numpy as np


def lattice_of(number):
    """Rows: edges of a cell that the group in its usual setting leaves as it is."""
    if number <= 2:
        return np.array([[1, 0, 0], [0.2, 1.1, 0], [0.3, 0.15, 1.2]])
    if number <= 15:
        return np.array([[1, 0, 0], [0, 1.1, 0], [0.3, 0, 1.2]])
    if number <= 74:
        return np.diag([1, 1.1, 1.2])
    if number <= 142:
        return np.diag([1, 1, 1.2])
    if number <= 194:
        return np.array([[1, 0, 0], [-0.5, np.sqrt(0.75), 0], [0, 0, 1.2]])
    return np.eye(3)
