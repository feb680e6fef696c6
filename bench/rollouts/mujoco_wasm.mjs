// Rollouts of a world in MuJoCo's npm package, a WASM build, for bench/rollouts/compare.py:
//
//   node mujoco_wasm.mjs path/to/node_modules/@mujoco/mujoco/mujoco.js WORLD NUMBERS THREADS
//
// NUMBERS is described in mujoco.cpp. Every thread is a worker with a module of its own, since the package
// has one thread; each takes every n-th run. The clock starts when all are ready.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

const [module, world, file, threads] = isMainThread ? process.argv.slice(2) : workerData.words;

function numbers() {
  const bytes = fs.readFileSync(file);
  const all = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  const [runs, steps, nq, nv, nu] = all;
  return { all, runs, steps, nq, nv, nu, controls: 5 + runs * (nq + nv) };
}

async function work() {
  const mj = await (await import(pathToFileURL(path.resolve(module)).href)).default();
  mj.FS.writeFile('/world.xml', fs.readFileSync(world));
  const model = mj.MjModel.from_xml_path('/world.xml');
  const data = new mj.MjData(model);
  const n = numbers();
  const roll = (run, steps) => {
    mj.mj_resetData(model, data);
    const at = 5 + run * (n.nq + n.nv);
    data.qpos.set(n.all.subarray(at, at + n.nq));
    data.qvel.set(n.all.subarray(at + n.nq, at + n.nq + n.nv));
    const ctrl = data.ctrl;
    for (let s = 0; s < steps; ++s) {
      const from = n.controls + (run * n.steps + s) * n.nu;
      ctrl.set(n.all.subarray(from, from + n.nu));
      mj.mj_step(model, data);
    }
    return data.qpos.reduce((a, b) => a + b, 0);
  };
  roll(0, Math.min(50, n.steps)); // so that the code is compiled
  parentPort.postMessage({ version: mj.mj_versionString() });
  await new Promise((go) => parentPort.once('message', go));
  let sum = 0;
  for (let run = workerData.index; run < n.runs; run += Number(threads)) sum += roll(run, n.steps);
  parentPort.postMessage({ sum });
}

async function lead() {
  const words = process.argv.slice(2);
  const workers = Array.from({ length: Number(threads) }, (_, index) =>
    new Worker(new URL(import.meta.url), { workerData: { words, index } }));
  const answers = () => Promise.all(workers.map((w) =>
    new Promise((done, fail) => { w.once('message', done); w.once('error', fail); })));
  const [{ version }] = await answers();
  const ended = answers();
  const start = performance.now();
  for (const w of workers) w.postMessage('go');
  const sum = (await ended).reduce((a, b) => a + b.sum, 0);
  const seconds = (performance.now() - start) / 1000;
  console.log(JSON.stringify({ version, seconds, sum }));
  for (const w of workers) await w.terminate();
}

await (isMainThread ? lead() : work());
