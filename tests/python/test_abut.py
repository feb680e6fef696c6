"""The Python module against closed forms, and against itself in pieces."""
import copy
import doctest

import numpy as np
import pytest

import abut

BALL = """<mujoco><option timestep="0.001"/><worldbody><geom type="plane" size="1 1 1"/>
<body name="ball" pos="0 0 {}"><freejoint/><geom size="0.1" mass="2"/></body></worldbody></mujoco>"""
MOTOR = """<mujoco><option gravity="0 0 0" timestep="0.001"/><worldbody><body name="cart">
<joint name="rail" type="slide" axis="1 0 0"/><geom size="0.1" mass="2"/></body></worldbody>
<actuator><motor name="push" joint="rail"/></actuator></mujoco>"""


def test_free_fall_is_a_parabola():
    model = abut.load(BALL.format(10))
    state = model.state()
    assert abut.Simulator(model).run(state, time=1) == 1000
    assert state.body("ball").position[2] == pytest.approx(10 - 9.81 / 2, abs=1e-9)


def test_a_resting_ball_presses_with_its_weight():
    model = abut.load(BALL.format(0.1))
    state, sim = model.state(), abut.Simulator(model, contact="st")
    sim.step(state, 100)
    assert sum(abs(c.force[2]) for c in sim.contacts()) == pytest.approx(2 * 9.81, rel=1e-6)


def test_arrays_are_views():
    state = abut.load(MOTOR).state()
    q = state.q
    state.q[:] = [3]
    assert q[0] == 3 and state.body("cart").position[0] == 3
    state.v = [5]
    assert state.v[0] == 5
    with pytest.raises(ValueError, match="2 numbers given, this world wants 1"):
        state.q = [1, 2]


def test_a_view_outlives_its_state():
    q = abut.load(MOTOR).state().q
    assert q[0] == 0


def test_control_sets_the_force():
    model = abut.load(MOTOR)
    state = model.state()

    def control(s):
        s.ctrl[:] = 6

    abut.Simulator(model).run(state, time=1, control=control)
    assert state.v[0] == pytest.approx(3, rel=1e-9)
    with pytest.raises(ZeroDivisionError):
        abut.Simulator(model).run(state, time=1, control=lambda s: 1 / 0)


def test_copies_have_the_same_future():
    model = abut.load(BALL.format(0.3))
    state, sim = model.state(), abut.Simulator(model)
    sim.step(state, 150)
    twin = copy.deepcopy(state)
    sim.step(state, 100)
    assert twin.hash() != state.hash()
    abut.Simulator(model).step(twin, 100)
    assert twin.hash() == state.hash()


def test_mass_matrix():
    M = abut.load(BALL.format(1)).state().mass_matrix()
    assert np.allclose(np.diag(M), [2, 2, 2] + [2 * 0.4 * 0.01] * 3)


def test_errors_say_what_is_wrong():
    with pytest.raises(abut.WorldError, match="text:1"):
        abut.load("<mujoco><worldbody><geom typ='box'/></worldbody></mujoco>")
    with pytest.raises(KeyError, match="did you mean 'cart'"):
        abut.load(MOTOR).body("cort")
    with pytest.raises(ValueError):
        abut.Simulator(abut.load(MOTOR), contact="nonsense")
    with pytest.raises(ValueError, match="another model"):
        abut.Simulator(abut.load(MOTOR)).step(abut.load(MOTOR).state())


def test_docstring():
    assert doctest.testmod(abut).failed == 0
