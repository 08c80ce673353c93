from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

def multipletests(
    pvals: Sequence[float], alpha: float = ..., method: str = ...
) -> tuple[NDArray[np.bool_], NDArray[np.float64], float, float]: ...
