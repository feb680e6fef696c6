"""Rigid bodies, right where solids touch.

>>> import abut
>>> model = abut.load("<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>")
>>> state = model.state()
>>> sim = abut.Simulator(model)
>>> sim.step(state)
>>> state.time
0.002

docs/python.md is the guide. The examples of all docstrings of this package run in one world, a ball of
2 kg on a floor:

    world = abut.World()
    world.ground.plane(name="floor")
    ball = world.body("ball", [0, 0, 0.1])
    ball.free("float"), ball.sphere(0.1, name="shell", mass=2)
    model = world.compile()
    state, sim = model.state(), abut.Simulator(model)
"""
from ._abut import (
    ActuatorDesc,
    Answer,
    Body,
    BodyDesc,
    Contact,
    Diverged,
    Geom,
    GeomDesc,
    Joint,
    JointDesc,
    Model,
    ModelActuator,
    ModelBody,
    ModelGeom,
    ModelJoint,
    ModelSensor,
    ModelSite,
    OwnPair,
    PairContact,
    PairForce,
    Recording,
    Shape,
    Simulator,
    Site,
    SiteDesc,
    State,
    StepDerivatives,
    SweepError,
    World,
    WorldError,
    __version__,
    add_contact_model,
    box,
    capsule,
    contact,
    cylinder,
    ellipsoid,
    hull,
    models,
    render,
    rollout,
    solve,
    solvers,
    sphere,
)
from ._env import Environment
from ._plot import plot
from ._sweep import SweepTable, sweep
from ._view import Viewing, view
from ._worlds import load, load_world, world_file, worlds

__all__ = [
    "ActuatorDesc", "Answer", "Body", "BodyDesc", "Contact", "Diverged", "Environment", "Geom", "GeomDesc",
    "Joint", "JointDesc", "Model", "ModelActuator", "ModelBody", "ModelGeom", "ModelJoint", "ModelSensor",
    "ModelSite", "OwnPair", "PairContact", "PairForce", "Recording", "Shape", "Simulator", "Site",
    "SiteDesc", "State", "StepDerivatives", "SweepError", "SweepTable", "Viewing", "World", "WorldError",
    "__version__", "add_contact_model", "box", "capsule", "contact", "cylinder", "ellipsoid", "hull",
    "load", "load_world", "models", "plot", "render", "rollout", "solve", "solvers", "sphere", "sweep",
    "view", "world_file", "worlds",
]
