"""Sweeps from Python: the same table for every engine, resumption, failures."""
import pathlib

import numpy as np
import pytest

import abut

PLAN = {
    "world": "slide.xml", "seed": 3, "runs": 4, "set": {"time": 0.2},
    "grid": {"contact": ["st", "ap"]},
    "random": {"geom.shell.friction": {"uniform": [0.2, 0.9]}, "v.float": {"normal": [[1] * 6, [0.1] * 6]}},
    "measure": ["bodies.box.position", "energy.kinetic", "penetration.max"],
}
WORLD = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1" friction="0.01"/>
<body name="box" pos="0 0 0.05"><freejoint name="float"/>
<geom name="shell" type="box" size="0.1 0.1 0.05" mass="1"/></body></worldbody></mujoco>"""


@pytest.fixture
def slide(in_scratch):
    (in_scratch / "slide.xml").write_text(WORLD)
    return in_scratch


def test_table(slide):
    table = abut.sweep(PLAN, "out")
    assert len(table) == 8 and table.failed == 0
    assert table.varied == ["contact", "geom.shell.friction", "v.float"]
    assert table.measures == ["bodies.box.position.0", "bodies.box.position.1", "bodies.box.position.2",
                              "energy.kinetic", "penetration.max"]
    friction = table["geom.shell.friction"]
    assert np.all((friction >= 0.2) & (friction <= 0.9)) and len(set(friction)) == 8
    assert table["run"].tolist() == list(range(8)) and len(set(table["seed"])) == 8
    # a run of its own has the bits of the row
    world = abut.load_world("slide.xml")
    model = world.compile()
    changed = abut.load(WORLD.replace('mass="1"', f'mass="1" friction="{friction[0]!r}"'))
    state = changed.state()
    state.v[:] = [float(x) for x in table["v.float"][0].split(",")]
    abut.Simulator(changed, contact="st").run(state, 0.2)
    assert f"{state.hash():016x}" == table["hash"][0] and model.nv == 6


def test_resume_makes_what_is_missing(slide):
    whole = abut.sweep(PLAN, "whole")
    abut.sweep(PLAN, "cut", threads=1)
    part = next(pathlib.Path("cut/parts").glob("*.rows"))
    lines = part.read_text().splitlines(keepends=True)
    part.write_text("".join(lines[:4]) + lines[4][:30])          # killed within a line
    (slide / "cut/table.csv").unlink()
    done = []
    again = abut.sweep(PLAN, "cut", resume=True, progress=lambda i, n: done.append((i, n)))
    assert again.hash == whole.hash and done[-1] == (5, 5)
    with pytest.raises(abut.SweepError, match="--resume"):
        abut.sweep(PLAN, "cut")
    with pytest.raises(abut.SweepError, match="another sweep"):
        abut.sweep({**PLAN, "seed": 4}, "cut", resume=True)


def test_what_is_varied_and_measured_has_two_columns(slide):
    table = abut.sweep({"world": "slide.xml", "set": {"time": 0.01}, "grid": {"v": [[1, 0, 0, 0, 0, 0]]},
                        "measure": ["v"]}, "out")
    assert table.varied == ["v"] and table["v.0"][0] == pytest.approx(1, abs=0.2)


def test_failures_are_rows(slide):
    table = abut.sweep({"world": "slide.xml", "set": {"time": 0.05}, "measure": ["q"],
                        "grid": {"v.float": ["1,0,0,0,0,0", "1e12,0,0,0,0,0"], "step": [0.001, 0.002]}}, "out")
    assert table["status"].tolist() == ["done", "done", "diverged", "diverged"]
    assert "at body 'box'" in table["reason"][2] and np.isnan(table["q.0"][2]) and table["hash"][2] == ""


def test_bad_plans_say_what_is_wrong(slide):
    for change, what in [({"worlds": 1}, "no such field; did you mean 'world'"),
                         ({"measure": ["energy.kinetik"]}, "did you mean 'energy.kinetic'"),
                         ({"grid": {"contact": ["sst"]}}, "there are"),
                         ({"grid": {"geom.shel.friction": [1]}}, "did you mean 'shell'"),
                         ({"grid": {"geom.shell.frictio": [1]}}, "did you mean 'friction'"),
                         ({"grid": {"gravty": [1]}}, "did you mean 'gravity'"),
                         ({"random": {"q.flaot": {"uniform": [0, 1]}}}, "no joint 'flaot'"),
                         ({"random": {"q": {"uniform": [1, 0]}}}, "low must not be above high"),
                         ({"random": {"q": {"unifrom": [1, 0]}}}, "write one of"),
                         ({"world": "slied.xml"}, "no such file or world")]:
        with pytest.raises((ValueError, FileNotFoundError), match=what):
            abut.sweep({**PLAN, **change}, "out")
    with pytest.raises(ValueError, match="'local' and 'dask'"):
        abut.sweep(PLAN, "out", on="cloud")
