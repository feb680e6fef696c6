"""Rollouts of the humanoid on two threads: abut from Python against MuJoCo, in steps a second.

    PYTHONPATH=build/bench/python /usr/bin/python3 bench/rollouts/compare.py \\
        --mujoco build/bench/bench/rollouts_mujoco --wasm build/bench/npm/node_modules/@mujoco/mujoco/mujoco.js

Every engine takes the same runs from the same states under the same controls: `drives` on the floor, by its
wheels, with its arms moving; `falls` with no floor below. Native MuJoCo is Debian's (2.2); the npm package is
WebAssembly under node, and slower than the same version would be natively. Engines take turns, and the
fastest round of each counts: other programs can only add time. What an engine computes of contacts differs:
abut has Coulomb's exact cone and rigid contact, MuJoCo a pyramid and soft contact, each as its default.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile
from time import perf_counter

import numpy as np

import abut

WORLD = pathlib.Path(__file__).parents[2] / "worlds" / "humanoid.xml"
HERE = pathlib.Path(__file__).parent


def starts(model, runs: int, height: float):
    random = np.random.default_rng(1)
    states = []
    for _ in range(runs):
        state = model.state(keyframe="home")
        state.q[2] += height
        state.v[6:] = random.uniform(-0.2, 0.2, model.nv - 6)
        states.append(state)
    return states


def controls_of(model, runs: int, steps: int):
    """Targets of servos, another every 50 steps."""
    random = np.random.default_rng(2)
    few = random.uniform(-0.5, 0.5, (runs, steps // 50 + 1, model.nu))
    return np.repeat(few, 50, axis=1)[:, :steps, :].copy()


def peer(command) -> dict:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return {"absent": (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]}
    return json.loads(done.stdout.splitlines()[-1])


def race(name: str, height: float, words) -> None:
    model = abut.load(str(WORLD))
    states = starts(model, words.runs, height)
    controls = controls_of(model, words.runs, words.steps)
    engines = {}
    with tempfile.TemporaryDirectory() as folder:
        numbers = f"{folder}/numbers"
        q_v = [np.concatenate([s.q, s.v]) for s in states]
        head = [words.runs, words.steps, model.nq, model.nv, model.nu]
        np.concatenate([head, np.concatenate(q_v), controls.ravel()]).astype(float).tofile(numbers)
        peers = {}
        if words.mujoco:
            peers["native MuJoCo"] = [words.mujoco, str(WORLD), numbers, str(words.threads)]
        if words.wasm:
            peers["MuJoCo WASM"] = ["node", str(HERE / "mujoco_wasm.mjs"), words.wasm, str(WORLD), numbers,
                                    str(words.threads)]
        for _ in range(words.rounds):
            start = perf_counter()
            abut.rollout(model, states, controls, words.steps, threads=words.threads)
            engines.setdefault(f"abut {abut.__version__}", []).append(perf_counter() - start)
            for peer_name, command in peers.items():
                answer = peer(command)
                if "absent" in answer:
                    print(f"{name}: {peer_name}: {answer['absent']}")
                    continue
                engines.setdefault(f"{peer_name} {answer['version']}", []).append(answer["seconds"])
    first = None
    for engine, seconds in engines.items():
        rate = words.runs * words.steps / min(seconds)
        first = first or rate
        print(f"{name:8} {engine:24} {rate:10.0f} steps/s   abut is {first / rate:.2f} times as fast")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mujoco", help="the program rollouts_mujoco")
    parser.add_argument("--wasm", help="mujoco.js of the npm package")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=16)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    words = parser.parse_args()
    race("drives", 0, words)
    race("falls", 50, words)
