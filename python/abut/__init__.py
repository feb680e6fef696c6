"""Rigid bodies, right where solids touch.

>>> import abut
>>> model = abut.load("<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>")
>>> state = model.state()
>>> sim = abut.Simulator(model)
>>> sim.step(state)
>>> state.time
0.002
"""
from ._abut import (  # noqa: F401
    Answer,
    Body,
    Contact,
    Model,
    PairForce,
    Recording,
    Shape,
    Simulator,
    State,
    WorldError,
    box,
    capsule,
    contact,
    cylinder,
    hull,
    load,
    rollout,
    solve,
    sphere,
)

__all__ = [
    "Answer",
    "Body",
    "Contact",
    "Model",
    "PairForce",
    "Recording",
    "Shape",
    "Simulator",
    "State",
    "WorldError",
    "box",
    "capsule",
    "contact",
    "cylinder",
    "hull",
    "load",
    "rollout",
    "solve",
    "sphere",
]
