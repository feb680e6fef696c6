"""Plots by matplotlib."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from . import _abut

if TYPE_CHECKING:
    from ._sweep import SweepTable

# of Okabe and Ito, distinguishable by colour-blind readers
_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
_RECORDED = ["measures/kinetic", "measures/potential", "measures/penetration_max"]


def _figure(rows: int) -> tuple[Any, Any]:
    import matplotlib.pyplot as pyplot

    figure, axes = pyplot.subplots(rows, 1, sharex=True, squeeze=False, figsize=(7, 1.2 + 2 * rows),
                                   constrained_layout=True)
    return figure, axes


def _plot_recording(recording: _abut.Recording, names: Sequence[str]) -> Any:
    time = recording["time"]
    figure, axes = _figure(len(names))
    for axis, name in zip(axes[:, 0], names):
        values = recording[name]
        for i, line in enumerate(np.atleast_2d(values.T)):
            label = f"{name}[{i}]" if values.ndim > 1 else name
            axis.plot(time, line, color=_COLOURS[i % len(_COLOURS)], linewidth=1.2, label=label)
        axis.set_ylabel(name)
        if values.ndim > 1 and values.shape[1] <= 8:
            axis.legend(fontsize="small", ncol=4)
    axes[-1, 0].set_xlabel("time (s)")
    return figure


def _plot_table(table: SweepTable, names: Sequence[str], x: Optional[str]) -> Any:
    varied = [key for key in table.varied if table[key].dtype.kind == "f"]
    if x is None and not varied:
        raise ValueError("no varied key of this sweep is a number; name a column: plot(table, x='..')")
    against = x if x is not None else varied[0]
    # a colour for each word; lists of numbers, of which every run has its own, are no words
    words = [key for key in table.varied
             if table[key].dtype.kind != "f" and len(set(table[key])) <= len(_COLOURS)]
    groups = [" ".join(str(table[key][i]) for key in words) for i in range(len(table))]
    figure, axes = _figure(len(names))
    for axis, name in zip(axes[:, 0], names):
        for i, group in enumerate(dict.fromkeys(groups)):
            rows = np.array([g == group for g in groups])
            order = np.argsort(table[against][rows], kind="stable")
            at, values = table[against][rows][order], table[name][rows][order]
            # points of runs that differ in nothing else are joined
            joined = len(np.unique(at)) == len(at) and set(table.varied) <= {against, *words}
            axis.plot(at, values, marker="o", markersize=3, color=_COLOURS[i % len(_COLOURS)],
                      linestyle="-" if joined else "", linewidth=1, label=group)
        axis.set_ylabel(name)
        if words:
            axis.legend(fontsize="small")
    axes[-1, 0].set_xlabel(against)
    return figure


def plot(source: Union[_abut.Recording, SweepTable], names: Optional[Sequence[str]] = None,
         x: Optional[str] = None) -> Any:
    """A matplotlib figure of a recording over time, or of the measures of a sweep over a varied key.

    >>> steps = sim.run(state, 0.1, record="plotted.h5")
    >>> figure = abut.plot(abut.Recording("plotted.h5"), ["q"])
    >>> [axis.get_ylabel() for axis in figure.axes]
    ['q']
    """
    if isinstance(source, _abut.Recording):
        known = names if names is not None else [name for name in _RECORDED if name in source]
        return _plot_recording(source, known)
    return _plot_table(source, names if names is not None else source.measures, x)
