"""Queries, dynamics, solvers, rollouts and files, against closed forms and one-by-one runs."""
import pathlib
import subprocess

import numpy as np
import pytest

import abut

PENDULUM = """<mujoco><option timestep="0.001"/><worldbody><body name="bob">
<joint name="pin" type="hinge" axis="0 1 0"/><geom type="sphere" size="0.1" pos="0 0 -1" mass="2"/>
</body></worldbody><actuator><motor joint="pin"/></actuator></mujoco>"""
BALL = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body name="ball" pos="0 0 0.3">
<freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2"/></body></worldbody></mujoco>"""


def test_body_moves_as_a_pendulum_does():
    state = abut.load(PENDULUM).state()
    state.q[:], state.v[:] = [0.3], [2]
    body = state.body("bob")
    assert np.allclose(body.angular_velocity, [0, 2, 0], atol=1e-14)
    assert np.allclose(body.velocity, 0, atol=1e-14)  # the frame's origin is on the axis
    assert np.allclose(body.rotation @ [0, 0, -1], [-np.sin(0.3), 0, -np.cos(0.3)], atol=1e-14)
    assert np.allclose(body.quaternion, [np.cos(0.15), 0, np.sin(0.15), 0], atol=1e-14)


def test_dynamics_of_a_pendulum():
    state = abut.load(PENDULUM).state()
    state.q[:] = [0.3]
    inertia = 2 + 0.4 * 2 * 0.01
    assert state.mass_matrix()[0, 0] == pytest.approx(inertia, rel=1e-12)
    assert state.bias()[0] == pytest.approx(2 * 9.81 * np.sin(0.3), rel=1e-12)
    assert state.inverse_dynamics([5])[0] == pytest.approx(5 * inertia + state.bias()[0], rel=1e-12)
    J = state.jacobian("bob", [-np.sin(0.3), 0, -np.cos(0.3)])
    assert np.allclose(J[:, 0], [-np.cos(0.3), 0, np.sin(0.3), 0, 1, 0], atol=1e-12)
    state.v[:] = [2]
    assert state.measures()["kinetic"] == pytest.approx(inertia * 2, rel=1e-12)
    with pytest.raises(ValueError, match="2 numbers given, this world wants 1"):
        state.inverse_dynamics([1, 2])


def test_contact_of_two_boxes():
    box = abut.box([1, 1, 1])
    apart = abut.contact(box, box, [0, 0, 0], [0.5, 0, 2.25])
    assert apart.distance == pytest.approx(0.25, abs=1e-12) and apart.volume == 0
    deep = abut.contact(box, box, [0, 0, 0], [0.5, 0, 1.9])
    assert deep.distance == pytest.approx(-0.1, abs=1e-12)
    assert np.allclose(deep.normal, [0, 0, 1])
    assert deep.volume == pytest.approx(0.1 * 1.5 * 2, rel=1e-9)
    assert len(deep.gaps) == 4 and np.allclose(deep.gaps, -0.1)
    assert np.allclose(np.array(deep.points_b) - deep.points_a, [0, 0, -0.1])


def test_contact_of_a_hull_is_that_of_its_box():
    corners = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    pose = [0.3, 0.1, 2.2, 0.9, 0.1, 0.3, 0.2]
    a = abut.contact(abut.box([1, 1, 1]), abut.sphere(0.5), [0, 0, 0], pose)
    b = abut.contact(abut.hull(corners), abut.sphere(0.5), [0, 0, 0], pose)
    assert a.distance == pytest.approx(0.7, abs=1e-12) and b.distance == pytest.approx(0.7, abs=1e-12)
    for bad in (lambda: abut.sphere(-1), lambda: abut.hull([[0, 0, 0]]),
                lambda: abut.contact(abut.sphere(1), abut.sphere(1), [0, 0], [0, 0, 3])):
        with pytest.raises(ValueError):
            bad()


def test_solve():
    A, b = np.array([[2.0, 1], [1, 2]]), np.array([-1.0, 1])
    answer = abut.solve(A, b)
    assert answer.status == "solved" and np.allclose(answer.z, [0.5, 0])
    assert np.allclose(answer.w, A @ answer.z + b)
    boxed = abut.solve(A, b, lo=[0, 0], hi=[0.25, 1])
    assert np.allclose(boxed.z, [0.25, 0])
    with pytest.raises(ValueError, match="n x n"):
        abut.solve(A, [1.0])
    with pytest.raises(ValueError):
        abut.solve(A, b, solver="nonsense")


@pytest.mark.parametrize("contact", ["st", "volumetric"])
def test_rollout_has_the_bits_of_one_by_one(contact):
    model = abut.load(BALL)
    states = []
    for i in range(7):
        state = model.state()
        state.v[:] = [0.1 * i, 0, -1, i, 1, 0]
        states.append(state)
    one = abut.rollout(model, states, steps=300, threads=1, contact=contact)
    assert np.array_equal(one, abut.rollout(model, states, steps=300, threads=3, contact=contact))
    for state, row in zip(states, one):
        sim = abut.Simulator(model, contact=contact)
        sim.step(state, 300)
        assert np.array_equal(row[-1], np.concatenate([state.q, state.v]))


def test_rollout_takes_controls():
    model = abut.load(PENDULUM)
    controls = np.random.default_rng(1).normal(size=(2, 20, 1))
    rows = abut.rollout(model, [model.state()] * 2, controls, steps=20)
    state, sim = model.state(), abut.Simulator(model)
    for u in controls[1]:
        state.ctrl[:] = u
        sim.step(state)
    assert np.array_equal(rows[1, -1], [state.q[0], state.v[0]])
    with pytest.raises(ValueError, match=r"\(2, 10, 1\)"):
        abut.rollout(model, [model.state()] * 2, controls, steps=10)
    with pytest.raises(ValueError, match="another model"):
        abut.rollout(model, [abut.load(PENDULUM).state()], steps=1)


def test_a_saved_state_goes_on(tmp_path):
    model = abut.load(BALL)
    state, sim = model.state(), abut.Simulator(model)
    sim.step(state, 200)
    state.save(str(tmp_path / "half.state"))
    twin = model.load_state(str(tmp_path / "half.state"))
    sim.step(state, 50)
    abut.Simulator(model).step(twin, 50)
    assert twin.hash() == state.hash()


def test_recording_of_the_tool(tmp_path):
    tool = pathlib.Path(abut.__file__).parents[2] / "abut"
    if not tool.exists():
        pytest.skip("the tool is not built beside the module")
    (tmp_path / "ball.xml").write_text(BALL)
    subprocess.run([tool, "run", "ball.xml", "--time", "0.1", "--record", "r.h5", "--quiet"],
                   cwd=tmp_path, check=True)
    recording = abut.Recording(str(tmp_path / "r.h5"))
    assert len(recording) == 51 and recording["q"].shape == (51, 7) and recording.ended == "done"
    model = abut.load(str(tmp_path / "ball.xml"))
    state = model.state()
    abut.Simulator(model).step(state, 50)
    assert np.array_equal(recording["q"][-1], state.q) and recording.hashes()[-1] == state.hash()
    with pytest.raises(KeyError):
        recording["nonsense"]


def test_a_robot_of_urdf_text():
    text = """<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
        <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
    assert abut.load(text).joint_names == ["j"]
    with pytest.raises(abut.WorldError, match="<mujoco> .MJCF. or <robot> .URDF."):
        abut.load("<robots/>")
