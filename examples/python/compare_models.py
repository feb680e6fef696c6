"""Compares contact models: the same box slides to rest under each.

A box that starts at v slides v^2 / (2 mu g), whatever its mass.

    python3 examples/python/compare_models.py
"""
from __future__ import annotations

from time import perf_counter

import abut

MU, SPEED, GRAVITY = 0.4, 1.5, 9.81


def build() -> abut.Model:
    world = abut.World("slide")
    world.timestep = 0.002
    world.ground.plane(name="floor", friction=MU)
    box = world.body("box", [0, 0, 0.05])
    box.free("float")
    box.box([0.1, 0.1, 0.05], name="shell", mass=1, friction=MU)
    return world.compile()


def main() -> dict[str, float]:
    model = build()
    expected = SPEED**2 / (2 * MU * GRAVITY)
    found: dict[str, float] = {}
    print(f"closed form: {expected:.5f} m\n{'model':<12} {'slid (m)':>10} {'error':>9} {'sunk (m)':>10} {'steps/s':>9}")
    for contact in ("st", "ap", "fast", "deepest", "volumetric", "multipoint"):
        if contact not in abut.models():
            continue
        state, sim = model.state(), abut.Simulator(model, contact=contact)
        state.joint("float").v[0] = SPEED
        start = perf_counter()
        steps = sim.run(state, time=1)
        found[contact] = float(state.q[0])
        sunk = state.measures()["penetration"]
        print(f"{contact:<12} {state.q[0]:>10.5f} {state.q[0] / expected - 1:>9.2%} {sunk:>10.1e} "
              f"{steps / (perf_counter() - start):>9.0f}")
    return found


if __name__ == "__main__":
    main()
