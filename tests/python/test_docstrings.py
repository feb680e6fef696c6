"""Every example in a docstring of the package runs, and what users call has one."""
import doctest
import inspect
import pickle

import numpy as np
import pytest

import abut
from abut import _abut


def documented():
    """(name, docstring) of the package, its functions and classes, and their members."""
    yield "abut", abut.__doc__
    for name in abut.__all__:
        thing = getattr(abut, name)
        if isinstance(thing, str):
            continue
        yield f"abut.{name}", inspect.getdoc(thing)
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    yield f"abut.{name}.{member}", getattr(value, "__doc__", None)


EXAMPLES = [(name, text) for name, text in documented() if text and ">>>" in text]


@pytest.mark.parametrize("name,text", EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_example(name, text, ball_world, in_scratch):
    model = ball_world.compile()
    names = {"abut": abut, "np": np, "pickle": pickle, "world": ball_world, "model": model,
             "state": model.state(), "sim": abut.Simulator(model)}
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(text), names, name, None, 0)
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_what_users_call_has_an_example():
    texts = dict(documented())
    functions = [n for n in abut.__all__ if inspect.isroutine(getattr(abut, n))]
    assert len(functions) > 15
    missing = [n for n in functions if ">>>" not in (texts[f"abut.{n}"] or "")]
    classes = ["Model", "State", "Simulator", "World", "BodyDesc", "Body", "Joint", "PairForce", "Contact",
               "Recording", "StepDerivatives", "Environment", "SweepTable", "Viewing", "Answer"]
    missing += [n for n in classes if ">>>" not in (texts[f"abut.{n}"] or "")]
    assert missing == []


def test_everything_has_a_docstring():
    """Of the package; members that only name a field of MJCF need none."""
    bare = [name for name, text in documented() if not text and name.count(".") == 1]
    assert bare == []


def test_extension_has_nothing_else():
    """What the extension has is in the package, or is its own business."""
    inside = {"SweepPlan", "SweepJournal", "Viewer"}
    public = {name for name in vars(_abut) if not name.startswith("_")}
    assert public - set(abut.__all__) == inside
