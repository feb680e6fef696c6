"""Worlds by file or by name."""
from __future__ import annotations

import difflib
import os
import pathlib
from typing import Union

from . import _abut

Source = Union[str, "os.PathLike[str]"]
_PACKAGE = pathlib.Path(__file__).resolve().parent  # now: the path may be relative to a folder that is left


def _folders() -> list[pathlib.Path]:
    candidates = [
        pathlib.Path("worlds"),
        _PACKAGE / "share/abut/worlds",       # of a wheel
        _PACKAGE.parents[3] / "worlds",       # of a checkout, in build/release/python/abut
        pathlib.Path("/usr/share/abut/worlds"),
        pathlib.Path("/usr/local/share/abut/worlds"),
    ]
    return [folder for folder in candidates if folder.is_dir()]


def worlds() -> list[str]:
    """Names of the worlds that come with abut.

    >>> "pendulum" in abut.worlds()
    True
    """
    names = {
        str(file.relative_to(folder).with_suffix(""))
        for folder in _folders()
        for file in folder.rglob("*.xml")
        if "parts" not in file.parts
    }
    return sorted(names)


def world_file(name: Source) -> str:
    """The file of a world by its path, or by its name.

    >>> abut.world_file("pendulum").endswith("pendulum.xml")
    True
    """
    text = os.fspath(name)
    if os.path.isfile(text):
        return text
    for folder in _folders():
        for file in (folder / text, folder / f"{text}.xml"):
            if file.is_file():
                return str(file)
    near = difflib.get_close_matches(pathlib.Path(text).stem, worlds(), 1)
    hint = f"; did you mean '{near[0]}'?" if near else "; abut.worlds() lists all"
    raise FileNotFoundError(f"{text}: no such file or world{hint}")


def _source(source: Source) -> str:
    text = os.fspath(source)
    return text if text.lstrip().startswith("<") else world_file(text)


def load(source: Source, coordinates: str = "", floating_base: bool = False) -> _abut.Model:
    """A model of an MJCF or URDF file, of a world by its name, or of MJCF or URDF text.

    >>> abut.load("pendulum").nv
    1
    """
    return _abut.load(_source(source), coordinates, floating_base)


def load_world(source: Source, coordinates: str = "", floating_base: bool = False) -> _abut.World:
    """The same as a World, to be changed before it is compiled.

    >>> world = abut.load_world("pendulum")
    >>> world.gravity = [0, 0, -1.6]
    >>> float(world.compile().gravity[2])
    -1.6
    """
    return _abut.load_world(_source(source), coordinates, floating_base)
