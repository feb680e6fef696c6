"""First steps: a world in code, a run, contacts, a picture and a plot.

    python3 examples/python/first_steps.py
"""
from __future__ import annotations

import numpy as np

import abut


def build() -> abut.Model:
    """A box above a floor, tilted."""
    world = abut.World("first steps")
    world.ground.plane(name="floor", friction=0.5)
    box = world.body("box", [0, 0, 0.4], [0.92, 0.3, 0.2, 0.1])
    box.free("float")
    box.box([0.1, 0.1, 0.05], name="shell", mass=1)
    return world.compile()


def main() -> float:
    model = build()
    state = model.state()
    sim = abut.Simulator(model)
    print(f"{model}: contact {sim.settings['contact']}, step {model.step} s")

    sim.run(state, time=2, record="first_steps.h5")
    print(f"after {state.time:.3g} s the box is at {np.round(state.body('box').position, 4)} m")
    weight = 0.0
    for pair in sim.contacts():
        weight += pair.force[2]
        print(f"  {pair.a} presses {pair.b} with {pair.normal_force:.3f} N at {len(pair.points)} points")

    recording = abut.Recording("first_steps.h5")
    abut.plot(recording, ["q", "measures/kinetic"]).savefig("first_steps.svg")
    print(f"first_steps.svg shows {len(recording)} rows; the hash of the last is {recording.hashes()[-1]:016x}")
    return weight


if __name__ == "__main__":
    main()
