"""A sweep: how far a box slides, over friction and speed, under two contact models.

    python3 examples/python/sweep.py
"""
from __future__ import annotations

import pathlib

import numpy as np

import abut

WORLD = """<mujoco model="slide"><worldbody><geom name="floor" type="plane" size="5 5 1" friction="0.01"/>
<body name="box" pos="0 0 0.05"><freejoint name="float"/>
<geom name="shell" type="box" size="0.1 0.1 0.05" mass="1"/></body></worldbody></mujoco>"""


def main(runs: int = 40) -> float:
    pathlib.Path("slide.xml").write_text(WORLD)
    table = abut.sweep({
        "world": "slide.xml",
        "seed": 7,
        "runs": runs,
        "set": {"time": 1.5},
        "grid": {"contact": ["st", "ap"]},
        "random": {"geom.shell.friction": {"uniform": [0.2, 0.9]},
                   "v.float": {"uniform": [[1, 0, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0]]}},
        "measure": ["bodies.box.position", "penetration_end.max"],
    }, out="slide", resume=True)
    speed = np.array([float(v.split(",")[0]) for v in table["v.float"]])
    expected = speed**2 / (2 * table["geom.shell.friction"] * 9.81)
    error = np.abs(table["bodies.box.position.0"] / expected - 1).max()
    print(f"{table}\nthe worst run is {error:.2%} off v^2 / (2 mu g)")
    abut.plot(table, ["bodies.box.position.0"], x="geom.shell.friction").savefig("slide.svg")
    return float(error)


if __name__ == "__main__":
    main()
