"""Fits friction to a recorded toss: a box lands, slides and turns; which coefficient was it?

The toss is recorded with a coefficient that the fit does not see, and the measurement has noise of a
millimetre. The fit compares positions of many tosses at once and narrows the range down.

    python3 examples/python/fit_friction.py
"""
from __future__ import annotations

import numpy as np
import numpy.typing as npt

import abut

STEPS = 300
Array = npt.NDArray[np.float64]


def toss(friction: float) -> Array:
    """Positions of the box after each step: steps x 3."""
    world = abut.World("toss")
    world.ground.plane(name="floor", friction=friction)
    box = world.body("box", [0, 0, 0.12], [0.98, 0.1, 0.15, 0])
    box.free("float")
    box.box([0.06, 0.05, 0.04], name="shell", mass=0.4, friction=friction)
    model = world.compile()
    state = model.state()
    state.v[:] = [1.5, 0.3, 0, 0.2, 0.5, 2]
    rows: Array = abut.rollout(model, [state], steps=STEPS, threads=1)[0, :, :3]
    return rows


def main(hidden: float = 0.37) -> float:
    measured = toss(hidden) + np.random.default_rng(3).normal(0, 1e-3, (STEPS, 3))

    def misfit(friction: float) -> float:
        return float(np.sqrt(np.mean((toss(friction) - measured) ** 2)))

    low, high = 0.05, 1.0
    for _ in range(5):
        candidates = np.linspace(low, high, 9)
        errors = [misfit(float(mu)) for mu in candidates]
        best = int(np.argmin(errors))
        print(f"friction {candidates[best]:.4f}: off by {1e3 * errors[best]:.3f} mm")
        low, high = candidates[max(best - 1, 0)], candidates[min(best + 1, 8)]
    found = float(candidates[best])
    print(f"hidden {hidden}, found {found:.4f}")
    return found


if __name__ == "__main__":
    main()
