"""Rigid bodies, right where solids touch.

>>> import abut
>>> model = abut.load("<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>")
>>> state = model.state()
>>> sim = abut.Simulator(model)
>>> sim.step(state)
>>> state.time
0.002
"""
from ._abut import Model, PairForce, Simulator, State, WorldError, load

__all__ = ["Model", "PairForce", "Simulator", "State", "WorldError", "load"]
