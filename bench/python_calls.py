"""What Python adds to a step, and what a sweep adds to a bare loop over runs.

    PYTHONPATH=build/release/python /usr/bin/python3 bench/python_calls.py

The first figure is the time of sim.step(state) called n times less that of sim.step(state, n), in
microseconds a call; the second the processor time of the runs of a sweep over that of a loop in Python
that steps the same runs. The best of several rounds counts: others use the machine too.
"""
import json
import os
import tempfile
from time import perf_counter, process_time

import abut
from abut import _abut
from abut._sweep import _find_world


def best(times: int, work) -> float:
    seconds = []
    for _ in range(times):
        start = process_time()
        work()
        seconds.append(process_time() - start)
    return min(seconds)


def overhead(calls: int = 100_000) -> float:
    model = abut.load("pendulum")
    state, sim = model.state(), abut.Simulator(model)

    def one_by_one() -> None:
        step = sim.step
        for _ in range(calls):
            step(state)

    def empty() -> None:
        for _ in range(calls):
            pass

    return 1e6 * (best(7, one_by_one) - best(7, lambda: sim.step(state, calls)) - best(3, empty)) / calls


def sweep(runs: int = 300, steps: int = 500) -> float:
    model = abut.load("pendulum")
    state, start, sim = model.state(), model.state(), abut.Simulator(model)
    plan = {"world": "pendulum", "runs": runs, "set": {"time": steps * model.step}, "measure": ["q"],
            "random": {"v": {"uniform": [-1, 1]}}}
    with tempfile.TemporaryDirectory() as folder:
        ready = _abut.SweepPlan(json.dumps(plan), os.getcwd(), _find_world, True)
        ready.lines([0])
        lines = ready.lines(range(runs))
        speeds = [float(line.split(",")[2]) for line in lines]

        def bare() -> None:
            for v in speeds:
                state.copy_from(start)
                state.v[0] = v
                sim.step(state, steps)

        def swept() -> None:
            plan["seed"] = 1
            again = _abut.SweepPlan(json.dumps(plan), os.getcwd(), _find_world, True)
            again.run_local(f"{folder}/{perf_counter()}", 1, False, None)

        return best(5, bare) / best(5, swept)


if __name__ == "__main__":
    print(f"sim.step from Python: {overhead():.2f} us a call besides the step")
    print(f"a sweep of 300 runs of 500 steps: {sweep():.1%} of the speed of the bare loop")
