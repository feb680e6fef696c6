"""A robot with a controller: the arm arm6 follows a path by computed torque.

The controller is the usual one: u = M (a_wanted + kp e + kd e') + bias, which inverse_dynamics() gives.

    python3 examples/python/robot_controller.py
"""
from __future__ import annotations

import numpy as np
import numpy.typing as npt

import abut

Array = npt.NDArray[np.float64]


def wanted(t: float, n: int) -> tuple[Array, Array, Array]:
    """Joint angles of a smooth path, their rates and accelerations."""
    rate = np.linspace(0.8, 1.6, n)
    size = np.linspace(0.6, 0.2, n)
    return (size * (1 - np.cos(rate * t)), size * rate * np.sin(rate * t), size * rate**2 * np.cos(rate * t))


def main(time: float = 4.0) -> float:
    world = abut.load_world("arm6")
    world.timestep = 0.001
    model = world.compile()
    state = model.state()
    # the servos of the model would pull too
    sim = abut.Simulator(model, contact="none", settings={"actuation": False})
    worst = 0.0

    def control(s: abut.State) -> None:
        q, v, a = wanted(s.time, model.nv)
        torque = s.inverse_dynamics(a + 400 * (q - s.q) + 40 * (v - s.v))
        s.force[:] = torque     # generalized forces, one a joint

    def observe(s: abut.State) -> None:
        nonlocal worst
        worst = max(worst, float(np.abs(wanted(s.time, model.nv)[0] - s.q).max()))

    sim.run(state, time, control, observe)
    print(f"{model.name}: {model.nv} joints followed the path within {worst:.2e} rad for {time} s")
    return worst


if __name__ == "__main__":
    main()
