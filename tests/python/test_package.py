"""Worlds in code, pickles, settings, contacts, sensors, own models, derivatives, pictures, the viewer."""
import copy
import pathlib
import pickle
import urllib.request

import numpy as np
import pytest

import abut

WORLDS = pathlib.Path(__file__).parents[2] / "worlds"


def run_hash(model, steps=20, **simulator):
    state = model.state()
    abut.Simulator(model, **simulator).step(state, steps)
    return state.hash()


def test_world_in_code_is_the_world_of_the_file():
    world = abut.World("w")
    world.timestep = 0.001
    world.ground.plane(name="floor", friction=0.3)
    arm = world.body("arm", [0, 0, 1])
    arm.hinge("shoulder", [0, 1, 0], damping=0.1)
    arm.capsule([0, 0, 0], [0.4, 0, 0], 0.03, name="limb", mass=1)
    world.motor("push", "shoulder", gear=2, ctrlrange=[-1, 1])
    in_code = world.compile()
    in_file = abut.load("""<mujoco model="w"><option timestep="0.001"/><worldbody>
        <geom name="floor" type="plane" size="0 0 1" friction="0.3"/>
        <body name="arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping="0.1"/>
        <geom name="limb" type="capsule" fromto="0 0 0 0.4 0 0" size="0.03" mass="1"/></body></worldbody>
        <actuator><motor name="push" joint="shoulder" gear="2" ctrlrange="-1 1"/></actuator></mujoco>""")
    assert run_hash(in_code) == run_hash(in_file)
    assert in_code.actuator("push").ctrl_range == [-1, 1]
    with pytest.raises(TypeError, match="no field 'colour'"):
        arm.sphere(0.1, colour="red")
    with pytest.raises(abut.WorldError):
        abut.World().body("b").free()
        world.body("arm")
        world.compile()


def test_builders_keep_what_they_return():
    """A reference to a part outlives the variable of its world."""
    body = abut.World().body("b")
    for i in range(100):
        body.sphere(0.1, name=f"g{i}")
    assert body.sphere(0.2).size[0] == pytest.approx(0.2)


@pytest.mark.parametrize("name", ["pendulum", "arm6", "humanoid", "diff_drive", "four_bar", "showcase"])
def test_pickled_models_have_the_same_future(name):
    if name not in abut.worlds():
        pytest.skip(f"there is no world {name}")
    model = abut.load(name)
    again = pickle.loads(pickle.dumps(model))
    assert run_hash(again) == run_hash(model)
    assert again.geom_names == model.geom_names and again.warnings == model.warnings


def test_pickled_settings_and_states(ball_world):
    model = ball_world.compile().with_settings({"gravity": [0, 0, -1], "multipoint.ki": 2, "step": 1 / 300})
    state = model.state()
    sim = abut.Simulator(model, contact="multipoint")
    state.v[:3] = [0.3, 0, -1]
    state.force[0] = 0.25
    state.body("ball").push([0, 0.1, 0])
    sim.step(state, 30)
    twin, = pickle.loads(pickle.dumps([state]))
    assert twin.hash() == state.hash() and twin == state
    sim.step(state, 30)
    abut.Simulator(twin.model, contact="multipoint").step(twin, 30)
    assert twin.hash() == state.hash() and twin.model.step == 1 / 300
    with pytest.raises(ValueError, match="cut short"):
        _cut(ball_world)


def _cut(world):
    function, arguments, bytes_ = world.__reduce_ex__(2)[:3]
    empty = function(*arguments)
    empty.__setstate__(bytes_[:-20])


def test_settings_of_models_are_keywords(ball_world):
    model = ball_world.compile()
    sim = abut.Simulator(model, contact="multipoint", settings={"multipoint.ki": 2})
    assert sim.settings["contact"] == "multipoint" and sim.model is not model
    state = model.state()
    sim.step(state)          # the states of a model go with its other settings
    with pytest.raises(ValueError, match="did you mean 'multipoint.ki'"):
        abut.Simulator(model, settings={"multipoint.kj": 2})
    with pytest.raises(ValueError, match="there are .*st"):
        abut.Simulator(model, contact="sst")
    assert abut.Simulator(model, integrator="rk4", contact="deepest", step=1e-4).settings["integrator"] == "rk4"


def test_default_contact_is_the_librarys(ball_world):
    default = abut.Simulator(ball_world.compile()).settings["contact"]
    assert default == next(iter(abut.models()))


def test_contacts_have_points_and_forces():
    world = abut.World()
    world.ground.plane(name="floor")
    box = world.body("box", [0, 0, 0.1])
    box.free()
    box.box([0.2, 0.2, 0.1], name="shell", mass=3)
    model = world.compile()
    state, sim = model.state(), abut.Simulator(model)
    sim.step(state, 200)
    pair, = sim.contacts()
    assert (pair.a, pair.b, pair.body_a, pair.body_b) == ("floor", "shell", "world", "box")
    assert pair.forces.sum(axis=0)[2] == pytest.approx(3 * 9.81, rel=1e-6)
    assert pair.points.shape == pair.forces.shape and len(pair.normal_forces) == len(pair.points)
    assert len(pair.gaps) == len(pair.patch_points) == 4 and np.abs(pair.gaps).max() < 1e-4
    found, = state.contacts(within=1e-3)
    assert (found.a, found.b) == ("floor", "shell") and len(found.manifold) == 4
    assert found.normal == pytest.approx([0, 0, 1])
    assert state.contacts(within=-1) == []


def test_sensors():
    world = abut.World()
    world.gravity = [0, 0, -10]
    world.ground.plane(name="floor")
    box = world.body("box", [0, 0, 0.1])
    box.free()
    box.box([0.1, 0.1, 0.1], mass=1)
    box.site("s")
    world.sensor("imu", "accelerometer", "site", "s")
    world.sensor("height", "framepos", "body", "box")
    model = world.compile()
    state, sim = model.state(), abut.Simulator(model)
    sim.step(state, 100)
    assert sim.sensors(state)["imu"] == pytest.approx([0, 0, 10], abs=1e-5)
    assert state.sensors()["height"][2] == pytest.approx(0.1, abs=1e-5)
    assert model.sensor("imu").size == 3


def test_names_index(ball_world):
    model = ball_world.compile()
    state = model.state()
    assert model.joint("float").q == slice(0, 7, 1) and int(model.body("ball")) == 1
    state.joint("float").q[:3] = [1, 2, 3]
    assert list(state.q[model.joint("float").q][:3]) == [1, 2, 3]
    assert state.body(1).position == pytest.approx([1, 2, 3])
    state.body("ball").wrench[2] = 5
    assert state.body("ball").wrench[2] == 5
    for names in (model.body, model.joint, model.geom, state.body, state.geom):
        with pytest.raises(KeyError, match="no .* 'bell'|no .* 'flaot'|did you mean"):
            names("bell")
        with pytest.raises(IndexError):
            names(99)


def test_driven_bodies():
    model = abut.load("""<mujoco><worldbody><body name="hand" mocap="true"><geom size="0.1"/></body>
        </worldbody></mujoco>""")
    state = model.state()
    state.body("hand").drive([1, 2, 3], [0, 1, 0, 0], velocity=[1, 0, 0])
    assert state.body("hand").position == pytest.approx([1, 2, 3])
    assert state.body("hand").velocity == pytest.approx([1, 0, 0])


def test_a_run_that_diverges_raises():
    model = abut.load("""<mujoco><option gravity="0 0 0"/><worldbody><body name="b"><joint type="slide"/>
        <geom size="0.1"/></body></worldbody></mujoco>""")
    state = model.state()
    state.v[0] = 1e9
    with pytest.raises(abut.Diverged, match="at body 'b'"):
        abut.Simulator(model).run(state, time=1)


def test_own_model_errors_reach_the_caller(ball_world):
    model = ball_world.compile()
    abut.add_contact_model("broken", lambda pair: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        abut.Simulator(model, contact="broken").step(model.state(), 50)
    abut.add_contact_model("broken", lambda pair: np.zeros((7, 3)))
    with pytest.raises(ValueError, match="1 x 3 numbers"):
        abut.Simulator(model, contact="broken").step(model.state(), 50)
    with pytest.raises(TypeError):
        abut.add_contact_model("nothing", 3)
    with pytest.raises(ValueError):
        abut.add_contact_model("st", lambda pair: None)


def test_cones_and_free_rows():
    # a block pushed along the floor: sticks below mu n
    A, push = np.eye(3), np.array([-1.0, 0.3, 0.0])
    stick = abut.solve(A, push, cones=[([0, 1, 2], 0.5)])
    assert stick.status == "solved" and stick.z == pytest.approx([1, -0.3, 0], abs=1e-8)
    assert abut.solve(A, push, free=[0, 1, 2]).z == pytest.approx([1, -0.3, 0])
    assert abut.solve(np.eye(2), [-1, 3], hi_of=[(1, 0, 0.5)]).z == pytest.approx([1, -0.5])


# --- derivatives ------------------------------------------------------------------------------------

def test_derivatives_of_a_pendulum():
    """Semi-implicit Euler: v' = v - h k sin q, q' = q + h v'."""
    model = abut.load("""<mujoco><option timestep="0.01"/><worldbody><body><joint axis="0 1 0"/>
        <geom size="0.1" pos="0 0 -1" mass="2"/></body></worldbody>
        <actuator><motor joint="h"/></actuator></mujoco>""".replace('<joint axis', '<joint name="h" axis'))
    state = model.state()
    state.q[0], state.v[0] = 0.4, 1.1
    inertia = 2 + 0.4 * 2 * 0.01
    h, k = 0.01, 2 * 9.81 / inertia
    d = abut.Simulator(model).derivatives(state)
    c = -h * k * np.cos(0.4)
    assert d.exists
    assert d.A == pytest.approx(np.array([[1 + h * c, h], [c, 1]]), abs=1e-6)
    assert d.B == pytest.approx(np.array([[h * h / inertia], [h / inertia]]), abs=1e-6)


@pytest.mark.parametrize("contact", ["st", "ap", "fast"])
def test_derivatives_while_sliding(contact):
    """A sliding box feels mu g along its way: v' does not depend on where it is, v is carried over."""
    if contact not in abut.models():
        pytest.skip(f"there is no model {contact}")
    world = abut.World()
    world.timestep = 0.002
    world.ground.plane(friction=0.4)
    box = world.body("box", [0, 0, 0.05])
    box.free()
    box.box([0.1, 0.1, 0.05], mass=1, friction=0.4)
    model = world.compile()
    state, sim = model.state(), abut.Simulator(model, contact=contact)
    sim.step(state, 20)
    state.v[:] = [1, 0, 0, 0, 0, 0]
    sim.step(state, 5)
    d = sim.derivatives(state)
    assert all(not d.why_not[c] for c in (0, 1, 6))
    assert d.A[6, 6] == pytest.approx(1, abs=1e-6) and d.A[0, 6] == pytest.approx(0.002, abs=1e-6)
    assert d.A[6, 0] == pytest.approx(0, abs=1e-6)
    # sideways speed turns the friction: v_y' = v_y (1 - h mu g / v_x)
    assert d.A[7, 7] == pytest.approx(1 - 0.002 * 0.4 * 9.81 / state.v[0], abs=2e-5)


def test_analytic_derivatives_are_those_of_differences():
    """The arm with its servos: no contact, and every column to 1e-6."""
    model = abut.load("arm6")
    sim = abut.Simulator(model, contact="none")
    state = model.state()
    state.q[:] += 0.3
    state.v[:] = np.linspace(-1, 1, model.nv)
    analytic = sim.derivatives(state, method="analytic")
    stepped = sim.derivatives(state, method="differences")
    assert (analytic.method, stepped.method) == ("analytic", "differences")
    assert analytic.exists
    assert analytic.A == pytest.approx(stepped.A, abs=1e-6) and analytic.B == pytest.approx(stepped.B, abs=1e-6)


def test_analytic_derivatives_say_why_there_are_none():
    model = abut.load("drop")
    sim, state = abut.Simulator(model, contact="multipoint"), model.state()
    d = sim.derivatives(state, method="analytic")
    assert not d.exists and np.isnan(d.A).all() and "has memory" in d.why_not[0]
    assert sim.derivatives(state).method == "differences"
    with pytest.raises(ValueError, match="method 'analytical': there are automatic, analytic, differences"):
        sim.derivatives(state, method="analytical")


def test_derivatives_say_where_they_do_not_exist():
    """A ball that just touches: pressed down it is stopped, pulled up it flies."""
    world = abut.World()
    world.gravity = [0, 0, 0]
    world.ground.plane(name="floor")
    ball = world.body("ball", [0, 0, 0.1])
    ball.free()
    ball.sphere(0.1, name="shell", mass=1)
    model = world.compile()
    d = abut.Simulator(model, contact="ap").derivatives(model.state())
    assert not d.exists and "floor shell" in d.why_not[8] and d.why_not[6] == ""
    for contact in ("st", "deepest"):
        d = abut.Simulator(model, contact=contact).derivatives(model.state())
        assert not d.exists and d.why_not[2] and d.why_not[6] == ""


# --- pictures and pages -------------------------------------------------------------------------------

def test_pictures_show_the_world(ball_world):
    state = ball_world.compile().state()
    image = abut.render(state, width=160, height=120)
    assert image.dtype == np.uint8 and image.shape == (120, 160, 3)
    middle, corner = image[60, 80].astype(int), image[110, 5].astype(int)
    assert np.ptp(middle) > 40 and np.ptp(corner) < 40       # a coloured ball on a grey floor
    state.q[2] = 100
    far = abut.render(state, width=160, height=120, distance=1, target=[0, 0, 0.1])
    assert np.ptp(far[60, 80].astype(int)) < 40
    with pytest.raises(ValueError):
        abut.render(state, width=0)


def test_viewer_serves_its_page(ball_world):
    model = ball_world.compile()
    try:
        viewing = abut.view(abut.Simulator(model), open_browser=False, paused=True)
    except RuntimeError as error:
        pytest.skip(str(error))
    with viewing, urllib.request.urlopen(viewing.address) as page:
        text = page.read().decode()
    assert page.status == 200 and "<script" in text
    assert viewing.address in viewing._repr_html_()
    with pytest.raises(OSError):
        urllib.request.urlopen(viewing.address, timeout=2)


def test_environment():
    env = abut.Environment("arm6", action_steps=4, time=0.1, noise=0.1, keyframe="home",
                           reward=lambda s, a: float(s.q[0]), render_mode="rgb_array", width=32, height=24)
    first, info = env.reset(seed=5)
    again, _ = env.reset(seed=5)
    other, _ = env.reset(seed=6)
    assert np.array_equal(first, again) and not np.array_equal(first, other) and info == {}
    assert env.observation_space.shape == first.shape
    env.action_space.seed(1)
    truncated = False
    for _ in range(1000):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        if terminated or truncated:
            break
    assert truncated and reward == observation[0]
    assert env.render().shape == (24, 32, 3)
    with pytest.raises(ValueError):
        abut.Environment("arm6", render_mode="human")
    env.close()


def test_copies_of_worlds_are_their_own(ball_world):
    twin = copy.deepcopy(ball_world)
    twin.body("another")
    twin.timestep = 0.5
    assert ball_world.compile().nbody == 2 and twin.compile().nbody == 3


def test_worlds_by_name():
    assert abut.load("pendulum").nv == abut.load(WORLDS / "pendulum.xml").nv
    with pytest.raises(FileNotFoundError, match="did you mean 'pendulum'"):
        abut.load("pendolum")
