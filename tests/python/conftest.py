"""The world of the docstrings' examples (abut/__init__.py), and a folder of its own for each test that writes."""
import os

import pytest

import abut


@pytest.fixture
def in_scratch(tmp_path):
    before = os.getcwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(before)


@pytest.fixture
def ball_world():
    world = abut.World()
    world.ground.plane(name="floor")
    ball = world.body("ball", [0, 0, 0.1])
    ball.free("float")
    ball.sphere(0.1, name="shell", mass=2)
    return world
