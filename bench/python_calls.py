"""What Python adds to a step, and what a sweep adds to a bare loop over runs.

    PYTHONPATH=build/release/python /usr/bin/python3 bench/python_calls.py --tool build/release/abut

The first figure is the time of sim.step(state) called n times less that of sim.step(state, n), in
microseconds a call. The second is that of 10,000 runs of a small world: processor time of a loop in Python that
steps them one after the other, over that of `abut sweep`, files and all. The best of several rounds counts:
others use the machine too.
"""
import argparse
import csv
import pathlib
import resource
import subprocess
import tempfile
from time import process_time

import abut


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


def of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sweep(tool: str, runs: int, steps: int, rounds: int) -> float:
    model = abut.load("pendulum")
    keyframe = model.keyframe_names[0]  # where the tool starts this world
    state, start, sim = model.state(), model.state(keyframe), abut.Simulator(model)
    with tempfile.TemporaryDirectory() as folder:
        plan = pathlib.Path(folder) / "plan.toml"
        plan.write_text(f'world = "pendulum"\nruns = {runs}\nmeasure = ["q"]\nset.time = {steps * model.step}\n'
                        "[random]\nv = {uniform = [-1, 1]}\n")
        swept = []
        for i in range(rounds):
            before = of_children()
            subprocess.run([tool, "sweep", str(plan), "--out", f"{folder}/{i}", "--threads", "1"], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            swept.append(of_children() - before)
        rows = list(csv.DictReader((pathlib.Path(folder) / "0/table.csv").open()))
        speeds, ends = [float(row["v"]) for row in rows], [float(row["q"]) for row in rows]

        def bare() -> None:
            for v, q in zip(speeds, ends):
                state.copy_from(start)
                state.v[0] = v
                sim.step(state, steps)
                assert state.q[0] == q

        return best(rounds, bare) / min(swept)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default="build/release/abut", help="the program abut")
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=2)
    words = parser.parse_args()
    print(f"sim.step from Python: {overhead():.2f} us a call besides the step")
    ratio = sweep(words.tool, words.runs, words.steps, words.rounds)
    print(f"a sweep of {words.runs} runs of {words.steps} steps: {ratio:.1%} of the speed of the bare loop")
