// MuJoCo's npm package, a WASM build, in the race of forward dynamics. Speaks the protocol
// of participant.h:
//
//   node mujoco_wasm.mjs path/to/node_modules/@mujoco/mujoco/mujoco.js
//
// "mass-matrix" is the calls of native MuJoCo, one by one; each crosses from JavaScript
// and some copy an array. "mj_forward" crosses once, and does a little more.

import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const mj = await (await import(pathToFileURL(path.resolve(process.argv[2])).href)).default();
const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\n');

class Scene {
  constructor(file, samples) {
    mj.FS.writeFile('/world.xml', fs.readFileSync(file));
    this.model = mj.MjModel.from_xml_path('/world.xml');
    this.data = new mj.MjData(this.model);
    this.samples = samples;
    this.bias = new mj.DoubleBuffer(this.model.nv);
    this.solution = new mj.DoubleBuffer(this.model.nv);
    this.force = new Float64Array(this.model.nv);
    this.refreshViews();
  }

  // WASM memory is not collected, and holds two gigabytes at most.
  delete() {
    for (const held of [this.bias, this.solution, this.data, this.model]) held.delete();
  }

  // Views of WASM memory are lost when it grows.
  refreshViews() {
    this.qpos = this.data.qpos;
    this.qvel = this.data.qvel;
    this.applied = this.data.qfrc_applied;
    this.biasView = this.bias.GetView();
  }

  evaluate(method, k) {
    const { model, data, force, biasView } = this;
    const { q, v, tau } = this.samples[k];
    this.qpos.set(q);
    this.qvel.set(v);
    if (method === 'mj_forward') {
      this.applied.set(tau);
      mj.mj_forward(model, data);
      return;
    }
    mj.mj_kinematics(model, data);
    mj.mj_comPos(model, data);
    mj.mj_makeM(model, data);
    mj.mj_factorM(model, data);
    mj.mj_comVel(model, data);
    mj.mj_rne(model, data, 0, this.bias);
    for (let i = 0; i < force.length; ++i) force[i] = tau[i] - biasView[i];
    mj.mj_solveM(model, data, this.solution, force);
  }

  acceleration(method) {
    return Array.from(method === 'mj_forward' ? this.data.qacc_smooth : this.solution.GetView());
  }

  answer(method) {
    this.refreshViews();
    return this.samples.flatMap((_, k) => {
      this.evaluate(method, k);
      return this.acceleration(method);
    });
  }

  time(method, seconds) {
    this.refreshViews();
    const batch = (rounds) => {
      const start = performance.now();
      for (let r = 0; r < rounds; ++r)
        for (let k = 0; k < this.samples.length; ++k) this.evaluate(method, k);
      return performance.now() - start;
    };
    const deadline = performance.now() + 1000 * seconds;
    let rounds = 1;
    while (batch(rounds) < 1 && rounds < 1 << 20) rounds *= 2;
    let fastest = batch(rounds);
    while (performance.now() < deadline) fastest = Math.min(fastest, batch(rounds));
    return 1000 * fastest / (rounds * this.samples.length);
  }
}

function readStates(file) {
  const numbers = Float64Array.from(fs.readFileSync(file, 'utf8').trim().split(/\s+/), Number);
  const [nq, nv, count] = numbers;
  let at = 3;
  const take = (n) => numbers.slice(at, (at += n));
  return Array.from({ length: count }, () => ({ q: take(nq), v: take(nv), tau: take(nv) }));
}

say({ engine: `MuJoCo ${mj.mj_versionString()} WASM` });
let scene;

function load(flat, world, states) {
  scene?.flat.delete();
  scene = undefined;
  const samples = readStates(states);
  const flatScene = new Scene(flat, samples);
  // the world itself, which native MuJoCo may be too old to read: an answer that owes
  // nothing to our loader (not by mj_forward, which adds the world's dampers and servos)
  const original = new Scene(world, samples);
  const answer = original.answer('mass-matrix');
  original.delete();
  scene = { answer, flat: flatScene };
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [command, ...words] = line.split(' ');
  if (command === 'load') {
    try {
      load(...words);
      say({ methods: ['mass-matrix', 'mj_forward'] });
    } catch (error) {
      say({ refused: error.message });
    }
  } else if (command === 'answer') {
    const [method] = words;
    say({ acceleration: method === 'mj_forward' ? scene.flat.answer(method) : scene.answer });
  } else if (command === 'time') {
    const [method, seconds] = words;
    say({ us: scene.flat.time(method, Number(seconds)) });
  }
}
