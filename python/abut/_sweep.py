"""Sweeps: many runs of a world (docs/sweeps.md), here or on a cluster."""
from __future__ import annotations

import argparse
import csv
import functools
import importlib
import json
import os
import pathlib
import sys
from typing import Any, Callable, Iterator, Mapping, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _abut
from ._worlds import world_file

Plan = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Progress = Callable[[int, int], None]


def _find_world(name: str, folder: str) -> str:
    beside = pathlib.Path(folder) / name
    return str(beside) if beside.is_file() else world_file(name)


class SweepTable:
    """The table of a sweep: columns by name, a row a run.

    >>> plan = {"world": "pendulum", "set": {"time": 0.1}, "grid": {"v": [1, 2]}, "measure": ["q"]}
    >>> table = abut.sweep(plan, out="pendulum-sweep")
    >>> len(table), table.varied, table.measures
    (2, ['v'], ['q'])
    >>> table["v"].tolist(), table["status"].tolist()
    ([1.0, 2.0], ['done', 'done'])
    """

    def __init__(self, file: Union[str, "os.PathLike[str]"], hash: str = "",
                 varied: Optional[list[str]] = None, measures: Optional[list[str]] = None) -> None:
        self.file = str(file)
        self.hash = hash
        with open(file, newline="", encoding="utf-8") as lines:
            rows = list(csv.reader(lines))
        self.columns: dict[str, npt.NDArray[Any]] = {}
        for i, name in enumerate(rows[0]):
            self.columns[name] = _column(name, [row[i] for row in rows[1:]])
        names = [n for n in rows[0] if n not in ("run", "seed", "hash", "status", "reason")]
        self.varied = names if varied is None else varied
        self.measures = [n for n in names if n not in self.varied] if measures is None else measures

    @property
    def failed(self) -> int:
        """How many runs are not done; their rows have the reason."""
        return int(np.sum(self.columns["status"] != "done"))

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns["run"])

    def __repr__(self) -> str:
        return f"<abut.SweepTable {self.file}: {len(self)} runs, {self.failed} failed, hash {self.hash}>"


def _column(name: str, cells: list[str]) -> npt.NDArray[Any]:
    if name == "run":
        return np.array([int(c) for c in cells], dtype=np.int64)
    if name == "seed":
        return np.array([int(c) for c in cells], dtype=np.uint64)
    if name not in ("hash", "status", "reason"):
        try:
            return np.array([float(c) if c else np.nan for c in cells])
        except ValueError:
            pass
    return np.array(cells, dtype=object)


@functools.lru_cache(maxsize=4)
def _plan(source: str, folder: str, is_text: bool) -> _abut.SweepPlan:
    return _abut.SweepPlan(source, folder, _find_world, is_text)


def _lines(source: str, folder: str, is_text: bool, runs: list[int]) -> list[str]:
    """What a worker of Dask does: the lines of some runs."""
    return _plan(source, folder, is_text).lines(runs)


def _by_dask(arguments: tuple[str, str, bool], out: str, resume: bool, workers: int, client: Any,
             progress: Optional[Progress]) -> None:
    distributed: Any = importlib.import_module("distributed")
    plan = _plan(*arguments)
    journal = _abut.SweepJournal(plan, out, "dask", resume)
    missing = journal.missing(plan)
    if not missing:
        return
    plan.lines([])  # what is wrong with the plan is known before anybody waits
    own = client is None
    if own:
        client = distributed.Client(n_workers=workers, threads_per_worker=1, processes=True,
                                    dashboard_address=None)
    try:
        size = max(1, min(100, len(missing) // (8 * workers)))
        tasks = [client.submit(_lines, *arguments, missing[i:i + size], pure=False)
                 for i in range(0, len(missing), size)]
        done = 0
        for task in distributed.as_completed(tasks):
            for line in task.result():
                journal.add(line)
                done += 1
            if progress:
                progress(done, len(missing))
    finally:
        if own:
            client.close()


def sweep(plan: Plan, out: Union[str, "os.PathLike[str]", None] = None, *, on: str = "local",
          threads: int = 0, workers: int = 2, resume: bool = False, client: Any = None,
          progress: Optional[Progress] = None) -> SweepTable:
    """Makes the runs of a plan, a .toml or .json file or a dict with the same fields, and returns their table.

    The folder `out` keeps each row as soon as its run is over; with resume=True a sweep that was cut off
    goes on, and nothing is repeated. on="local" uses threads; on="dask" the client, or as many worker
    processes as `workers` says. `abut sweep` of the command line has mpi and slurm too. The table has the
    same bytes for every engine. A run that fails is a row with its reason.

    >>> plan = {"world": "pendulum", "runs": 3, "random": {"q": {"uniform": [-1, 1]}},
    ...         "set": {"time": 0.1, "contact": "none"}, "measure": ["energy.kinetic"]}
    >>> table = abut.sweep(plan, "random-pendulum")
    >>> len(table), table.failed, len(table.hash)
    (3, 0, 16)
    """
    if isinstance(plan, Mapping):
        arguments = (json.dumps(plan), os.getcwd(), True)
        name = "sweep"
    else:
        arguments = (os.fspath(plan), "", False)
        name = pathlib.Path(plan).stem
    folder = os.fspath(out) if out is not None else name
    ready = _plan(*arguments)
    if on == "local":
        ready.run_local(folder, threads, resume, progress)
    elif on == "dask":
        _by_dask(arguments, folder, resume, workers, client, progress)
    else:
        raise ValueError(f"on={on!r}: there are 'local' and 'dask'; `abut sweep` of the command line has "
                         "mpi and slurm too")
    result = ready.finish(folder)
    columns = ready.columns
    first_measure = 2 + ready.varied
    return SweepTable(result["table"], result["hash"], columns[2:first_measure], columns[first_measure:-3])


def main() -> None:
    """`abut sweep --on dask`."""
    parser = argparse.ArgumentParser(prog="abut sweep --on dask")
    parser.add_argument("file")
    parser.add_argument("--out")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--json", action="store_true")
    a = parser.parse_args()
    try:
        table = sweep(a.file, a.out, on="dask", workers=a.workers, resume=a.resume)
    except (ValueError, OSError, RuntimeError, ImportError) as error:
        print(f"abut: {error}", file=sys.stderr)
        sys.exit(2)
    if a.json:
        print(json.dumps({"runs": len(table), "failed": table.failed, "table": table.file,
                          "hash": table.hash}, indent=2))
    else:
        print(f"{len(table)} runs, {table.failed} failed\n  table       {table.file}, table.h5\n"
              f"  hash        {table.hash}")


if __name__ == "__main__":
    main()
