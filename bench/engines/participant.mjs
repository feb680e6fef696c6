// An engine under node in the race of engines: the protocol of participant.h.
//
//   serve({ engine: 'Name 1.0 WASM', methods: ['default'], load(scene, stem, method) { return world; } });
//
// A world has step(), gravity([x, y, z]), motions() (rows of 13 numbers, of the solids that move)
// and delete(). load throws an Error for what the engine can't do.

import fs from 'node:fs';
import readline from 'node:readline';

const say = (answer) => process.stdout.write(JSON.stringify(answer) + '\n');
const mean = (ms) => (ms.length ? ms.reduce((a, b) => a + b, 0) / ms.length : 0);

function race(load, words) {
  const [method, , steps, fall, window, samples, seconds] = words.map(Number);
  const stem = words[10];
  const scene = JSON.parse(fs.readFileSync(stem + '.json'));
  const world = load(scene, stem, method);
  const ms = [], sampled = [];
  let before = world.motions();
  const deadline = performance.now() + 1000 * seconds;
  while (ms.length < steps && (ms.length === 0 || performance.now() < deadline)) {
    if (ms.length + window === steps) before = world.motions();
    if (scene.shake > 0) {
      const time = ms.length * scene.step;
      world.gravity([-scene.shake * Math.sin(2 * Math.PI * scene.shakeHz * time), 0, -9.81]);
    }
    const start = performance.now();
    world.step();
    ms.push(performance.now() - start);
    const share = (n) => Math.floor((n * samples) / steps);
    if (share(ms.length) !== share(ms.length - 1)) sampled.push(world.motions());
  }
  const answer = {
    falling_ms: mean(ms.slice(0, fall)),
    settled_ms: mean(ms.slice(-window)),
    steps: ms.length,
    hash: '',
    before,
    after: world.motions(),
    samples: sampled,
  };
  world.delete();
  return answer;
}

export async function serve({ engine, methods, load }) {
  say({ engine });
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [command, ...words] = line.split(' ');
    if (command !== 'run') {
      say({ methods, threads: 1 });
      continue;
    }
    try {
      say(race(load, words));
    } catch (error) {
      say({ refused: String(error?.message ?? error).split('\n')[0] });
    }
  }
}

// Quaternions here are wxyz, as in the scenes.
export const multiply = (a, b) => [
  a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
  a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
  a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1],
];
export const conjugate = (a) => [a[0], -a[1], -a[2], -a[3]];
export const rotate = (q, v) => multiply(multiply(q, [0, ...v]), conjugate(q)).slice(1);
export const subtract = (a, b) => a.map((x, k) => x - b[k]);
// Round solids of the scenes are about z; of these engines, about y.
export const fromYtoZ = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];
export const isHinge = (joint) => joint.axis.some((x) => x !== 0);
