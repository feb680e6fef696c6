"""The viewer of the browser, from Python."""
from __future__ import annotations

import html
import sys
import webbrowser
from typing import Optional

from . import _abut


class Viewing:
    """A viewer that runs; as the value of a notebook's cell, it shows itself.

    >>> viewing = abut.view(sim, state, open_browser=False)
    >>> viewing.address.startswith("http://127.0.0.1:")
    True
    >>> viewing.close()
    """

    def __init__(self, viewer: _abut.Viewer, height: int) -> None:
        self._viewer = viewer
        self._height = height
        self.address: str = viewer.address

    def close(self) -> None:
        """Ends the run and its server."""
        self._viewer.close()

    def __enter__(self) -> Viewing:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return (f'<iframe src="{html.escape(self.address)}" width="100%" height="{self._height}" '
                'style="border:0"></iframe>')

    def __repr__(self) -> str:
        return f"<abut.Viewing at {self.address}>"


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def view(simulator: _abut.Simulator, state: Optional[_abut.State] = None, *, port: int = 0,
         paused: bool = False, height: int = 480, open_browser: Optional[bool] = None) -> Viewing:
    """A live, interactive run from a state on, in the browser or in a notebook's cell.

    The run is the viewer's own: the state stays as it is. open_browser: None opens one outside
    notebooks.

    >>> with abut.view(sim, state, open_browser=False) as viewing:
    ...     "iframe" in viewing._repr_html_()
    True
    """
    start = state if state is not None else simulator.model.state()
    viewing = Viewing(_abut.Viewer(simulator, start, port, paused), height)
    if open_browser or (open_browser is None and not _in_notebook()):
        webbrowser.open(viewing.address)
    return viewing
