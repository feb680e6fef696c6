"""A contact model of one's own: Hunt and Crossley (1975), in Python and in numbers.

The force at a point is k d^1.5 (1 + a d'), with friction that opposes slip. Python is called in every
stage of every step, which costs: the example says how much.

    python3 examples/python/own_model.py
"""
from __future__ import annotations

from time import perf_counter

import numpy as np
import numpy.typing as npt

import abut


class HuntCrossley:
    """k d^1.5 (1 + a d')"""

    def __init__(self, stiffness: float = 1e6, damping: float = 1.0) -> None:
        self.stiffness, self.damping = stiffness, damping

    def forces(self, pair: abut.OwnPair) -> npt.NDArray[np.float64]:
        depth = np.maximum(-pair.gaps, 0)
        rate = -pair.velocities @ pair.normal
        press = np.maximum(self.stiffness * depth**1.5 * (1 + self.damping * rate), 0)
        slip = pair.velocities + np.outer(rate, pair.normal)
        speed = np.maximum(np.linalg.norm(slip, axis=1), 1e-3)
        forces: npt.NDArray[np.float64] = np.outer(press, pair.normal)
        forces -= (pair.friction * press / speed)[:, None] * slip
        return forces


def build() -> abut.Model:
    world = abut.World("ball")
    world.timestep = 0.0005
    world.ground.plane(name="floor")
    ball = world.body("ball", [0, 0, 0.3])
    ball.free("float")
    ball.sphere(0.1, name="shell", mass=1)
    return world.compile()


def main() -> tuple[float, float]:
    abut.add_contact_model("hunt-crossley", HuntCrossley(), "force k d^1.5 (1 + a d'), in Python")
    model = build()
    seconds = {}
    for contact in ("hunt-crossley", "deepest"):
        state, sim = model.state(), abut.Simulator(model, contact=contact)
        start = perf_counter()
        steps = sim.run(state, time=3)
        seconds[contact] = (perf_counter() - start) / steps
        if contact == "hunt-crossley":
            sunk = 0.1 - float(state.q[2])
    expected = (9.81 / 1e6) ** (2 / 3)
    print(f"at rest the ball sinks {sunk:.4e} m; closed form (m g / k)^(2/3) = {expected:.4e} m")
    print(f"{1e6 * seconds['hunt-crossley']:.1f} us a step in Python, {1e6 * seconds['deepest']:.1f} us of "
          "deepest in C++")
    return sunk, expected


if __name__ == "__main__":
    main()
