// Frames and films from bytes: the other half of abut/view/scene/frame.cpp and film.cpp.

export const Number_ = {
  kinetic: 0, potential: 1, deepest: 2, jointError: 3, contactForce: 4, stepMs: 5, speed: 6,
} as const;

export enum Phase { near, impact, sticking, sliding }

// Pairs that touch, read where they lie: a frame may have ten thousand. The words of one: geom A, geom B,
// phase, end of its points; normal, point, force; friction.
const pairWords = 14;
export class Pairs {
  readonly length: number;
  constructor(private u: Uint32Array, private f: Float32Array) {
    this.length = u.length / pairWords;
  }
  private vec(i: number, at: number) {
    return this.f.subarray(pairWords * i + at, pairWords * i + at + 3);
  }
  a = (i: number) => this.u[pairWords * i];
  b = (i: number) => this.u[pairWords * i + 1];
  phase = (i: number): Phase => this.u[pairWords * i + 2];
  pointsEnd = (i: number) => this.u[pairWords * i + 3];
  normal = (i: number) => this.vec(i, 4);
  newton = (i: number) => Math.hypot(...this.vec(i, 10)); // size of the force
  friction = (i: number) => this.f[pairWords * i + 13];
}

export interface Frame {
  lane: number;
  time: number;
  step: number;
  generation: number;
  paused: boolean;
  diverged: boolean;
  numbers: Float32Array;
  poses: Float32Array; // 7 a body: position, quaternion xyzw
  velocities: Float32Array; // 6 a body, or none: linear, angular
  pairs: Pairs;
  points: Float32Array; // 6 a point: position, force on B
  features: { side: number; points: Float32Array }[];
  triangles: Float32Array; // 9 a triangle
  boxes: Float32Array; // 6 a box
  joints: Float32Array; // 7 a joint: two ends, error
}

const frameMagic = 0x31464241; // ABF1
const filmMagic = 0x31434241; // ABC1
const headerWords = 16;

export function decodeFrame(buffer: ArrayBuffer, byteOffset = 0): Frame {
  const u = new Uint32Array(buffer, byteOffset, headerWords);
  if (u[0] !== frameMagic) throw new Error("not a frame");
  const time = new DataView(buffer, byteOffset).getFloat64(8, true);
  const [bodies, pairs, points, featureWords, triangles, boxes, joints, numbers, velocities] = u.slice(7, 16);
  let at = byteOffset + 4 * headerWords;
  const floats = (n: number) => {
    const out = new Float32Array(buffer, at, n);
    at += 4 * n;
    return out;
  };
  const frame: Frame = {
    lane: u[1], time, step: u[4], generation: u[5],
    paused: (u[6] & 1) !== 0, diverged: (u[6] & 2) !== 0,
    numbers: floats(numbers), poses: floats(7 * bodies), velocities: floats(6 * velocities),
    pairs: new Pairs(new Uint32Array(buffer, at, pairWords * pairs), floats(pairWords * pairs)),
    points: new Float32Array(), features: [], triangles: new Float32Array(),
    boxes: new Float32Array(), joints: new Float32Array(),
  };
  frame.points = floats(6 * points);
  for (const end = at + 4 * featureWords; at < end;) {
    const head = new Uint32Array(buffer, at, 2);
    at += 8;
    frame.features.push({ side: head[0], points: floats(3 * head[1]) });
  }
  frame.triangles = floats(9 * triangles);
  frame.boxes = floats(6 * boxes);
  frame.joints = floats(7 * joints);
  return frame;
}

export interface Film {
  times: number[]; // ascending, one a moment
  moments: (Frame | undefined)[][]; // by time, then by lane; a lane that ended early keeps its last
  lanes: number;
}

export function decodeFilm(buffer: ArrayBuffer): Film {
  const head = new Uint32Array(buffer, 0, 2);
  if (head[0] !== filmMagic) throw new Error("not a film");
  const frames: Frame[] = [];
  for (let i = 0, at = 8; i < head[1]; ++i) {
    const length = new Uint32Array(buffer, at, 1)[0];
    frames.push(decodeFrame(buffer, at + 4));
    at += 4 + length;
  }
  const lanes = 1 + frames.reduce((most, f) => Math.max(most, f.lane), 0);
  const film: Film = { times: [], moments: [], lanes };
  for (const frame of frames) {
    const last = film.times.length - 1;
    if (last < 0 || frame.time > film.times[last] + 1e-9) {
      film.times.push(frame.time);
      film.moments.push(last < 0 ? new Array(lanes) : [...film.moments[last]]);
    }
    film.moments[film.moments.length - 1][frame.lane] = frame;
  }
  return film;
}

// The last moment that is not after `time`.
export function momentAt(film: Film, time: number): number {
  let low = 0, high = film.times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (film.times[middle] <= time + 1e-9) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function fromBase64(text: string): ArrayBuffer {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}
