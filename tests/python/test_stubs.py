"""The type stub has what the module has, and mypy --strict accepts the package and the examples."""
import ast
import importlib.util
import inspect
import pathlib
import subprocess
import sys

import pytest

import abut
from abut import _abut

ROOT = pathlib.Path(__file__).parents[2]
STUB = ast.parse((ROOT / "python/abut/_abut.pyi").read_text())


def members_of(node, classes):
    names = set()
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in classes:
            names |= members_of(classes[base.id], classes)
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            names.add(item.name)
        elif isinstance(item, ast.AnnAssign):
            names.add(item.target.id)
    return names


def test_stub_has_what_the_module_has():
    classes = {n.name: n for n in STUB.body if isinstance(n, ast.ClassDef)}
    functions = {n.name for n in STUB.body if isinstance(n, ast.FunctionDef)}
    module = {n: v for n, v in vars(_abut).items() if not n.startswith("_")}
    public = {n for n in classes if not n.startswith("_")} | functions
    assert public == set(module)
    for name, node in classes.items():
        if name.startswith("_") or issubclass(module[name], Exception):
            continue
        have = {m for m in dir(module[name]) if not m.startswith("_")}
        told = {m for m in members_of(node, classes) if not m.startswith("_")}
        assert told == have, name


def test_arguments_are_those_of_the_module():
    """pybind11 writes each signature into the first line of the docstring."""
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            first = inspect.getdoc(getattr(_abut, node.name)).splitlines()[0]
            for argument in node.args.args:
                assert f"{argument.arg}:" in first, (node.name, argument.arg, first)


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None,
                    reason="mypy is not installed (python3-mypy)")
def test_mypy_is_content(tmp_path):
    package = pathlib.Path(abut.__file__).parent
    examples = sorted(str(f) for f in (ROOT / "examples/python").glob("*.py"))
    assert len(examples) == 6
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file",
                           str(ROOT / "pyproject.toml"), "--cache-dir", str(tmp_path / "cache"),
                           "--no-error-summary", *examples],
                          env={"MYPYPATH": str(package.parent), "PATH": "/usr/bin:/bin"}, cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
