// Asks MuJoCo what the worlds should do, and writes its answers down as JSON.
//
//   node make_fixtures.mjs --out DIR [--root DIR] [--states N] [--steps] FILE...
//
// For each model: its sizes, names and compiled inertias, and at N states (default 3: the
// reference pose at rest, then random ones from a generator seeded by the file's name) the
// mass matrix, bias, passive and actuator forces, smooth acceleration, poses and energies.
// With --steps also where each integrator gets to after 1 and 10 steps, contacts and
// constraints switched off. Key names follow MuJoCo's own where they have a counterpart.
//
// Needs MuJoCo's npm package: `npm install @mujoco/mujoco`, or MUJOCO_JS=path/to/mujoco.js.
// Models that MuJoCo refuses are reported on stderr and skipped; the exit code is then 1.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// ---- command line

const options = { out: '.', root: process.cwd(), states: 3, steps: false };
const files = [];
for (let args = process.argv.slice(2); args.length > 0;) {
  const arg = args.shift();
  if (arg === '--steps') options.steps = true;
  else if (arg === '--states') options.states = Number(args.shift());
  else if (arg === '--out' || arg === '--root') options[arg.slice(2)] = path.resolve(args.shift());
  else files.push(path.resolve(arg));
}
if (files.length === 0) {
  console.error('usage: make_fixtures.mjs --out DIR [--root DIR] [--states N] [--steps] FILE...');
  process.exit(2);
}

const packagePath = process.env.MUJOCO_JS ? pathToFileURL(path.resolve(process.env.MUJOCO_JS)).href : '@mujoco/mujoco';
const mj = await (await import(packagePath)).default();

// ---- files: MuJoCo's WASM build sees a file system of its own

// The value of an attribute of the first <compiler> that has it, in this file.
function compilerAttribute(xml, name) {
  return xml.match(new RegExp(`<compiler\\b[^>]*\\b${name}\\s*=\\s*["']([^"']*)["']`))?.[1];
}

// Copies a model, what it includes and its assets into the virtual file system under their
// real paths. `main` is the file that asset directories are relative to, also for includes.
function copyModel(file, copied = new Set(), main = file, assetDirs = new Set(['.'])) {
  if (copied.has(file)) return copied;
  const bytes = fs.readFileSync(file);
  copied.add(file);
  mj.FS.mkdirTree(path.dirname(file));
  mj.FS.writeFile(file, bytes);

  const xml = bytes.toString().replace(/<!--[\s\S]*?-->/g, '');
  for (const name of ['meshdir', 'assetdir', 'texturedir']) {
    const dir = compilerAttribute(xml, name);
    if (dir !== undefined) assetDirs.add(dir);
  }
  for (const [, name] of xml.matchAll(/\bfile(?:name|right|left|up|down|front|back)?\s*=\s*["']([^"']+)["']/g)) {
    const places = [path.dirname(file), path.dirname(main)];
    const candidates = places.flatMap(place => [...assetDirs].map(dir => path.resolve(place, dir, name)));
    for (const candidate of new Set(candidates)) {
      if (!fs.existsSync(candidate) || !fs.statSync(candidate).isFile()) continue;
      if (candidate.endsWith('.xml')) {
        // an attached model (<model file>) has asset directories of its own
        copyModel(candidate, copied, xml.includes('<model ') ? candidate : main, assetDirs);
      } else if (!copied.has(candidate)) {
        copied.add(candidate);
        mj.FS.mkdirTree(path.dirname(candidate));
        mj.FS.writeFile(candidate, fs.readFileSync(candidate));
      }
    }
  }
  return copied;
}

// ---- random states

function hashOf(text) {
  let hash = 2166136261;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 16777619);
  return hash >>> 0;
}

// mulberry32: uniform in [0, 1)
function makeRandom(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function randomQuaternion(random) {
  const q = Array.from({ length: 4 }, () => random() + random() + random() - 1.5);
  const norm = Math.hypot(...q);
  return q.map(x => x / norm);
}

const between = (random, low, high) => low + (high - low) * random();

// The package cannot read MuJoCo's flags (arrays of bool): a range that is not empty counts.
const hasRange = (ranges, i) => ranges[2 * i] < ranges[2 * i + 1];

// Controls lie within their ranges, or with `stray` > 0 up to that share outside, where
// MuJoCo clamps them.
function randomise(model, data, random, stray) {
  const jointType = { free: 0, ball: 1, slide: 2, hinge: 3 };
  for (let j = 0; j < model.njnt; ++j) {
    const at = model.jnt_qposadr[j];
    const type = model.jnt_type[j];
    if (type === jointType.free) {
      for (let k = 0; k < 3; ++k) data.qpos[at + k] = model.qpos0[at + k] + between(random, -0.5, 0.5);
      randomQuaternion(random).forEach((x, k) => { data.qpos[at + 3 + k] = x; });
    } else if (type === jointType.ball) {
      randomQuaternion(random).forEach((x, k) => { data.qpos[at + k] = x; });
    } else if (hasRange(model.jnt_range, j)) {
      data.qpos[at] = between(random, model.jnt_range[2 * j], model.jnt_range[2 * j + 1]);
    } else {
      const reach = type === jointType.slide ? 0.5 : 1.5;
      data.qpos[at] = model.qpos0[at] + between(random, -reach, reach);
    }
  }
  for (let i = 0; i < model.nv; ++i) data.qvel[i] = between(random, -1, 1);
  for (let i = 0; i < model.nu; ++i) {
    const [low, high] = hasRange(model.actuator_ctrlrange, i) ? model.actuator_ctrlrange.slice(2 * i, 2 * i + 2) : [-1, 1];
    const beyond = stray * (high - low);
    data.ctrl[i] = between(random, low - beyond, high + beyond);
  }
  for (let i = 0; i < model.na; ++i) data.act[i] = between(random, -1, 1);
  for (let i = 0; i < model.nmocap; ++i) {
    for (let k = 0; k < 3; ++k) data.mocap_pos[3 * i + k] += between(random, -0.5, 0.5);
    randomQuaternion(random).forEach((x, k) => { data.mocap_quat[4 * i + k] = x; });
  }
}

// ---- what MuJoCo says

const list = view => Array.from(view, x => (Object.is(x, -0) ? 0 : x));

// mj_id2name of the npm package answers with stray bytes for a thing without a name.
const kUnnamed = 'emsc';

function names(model, kind, count) {
  const type = mj.mjtObj[`mjOBJ_${kind.toUpperCase()}`].value;
  return Array.from({ length: count }, (_, i) => {
    const name = mj.mj_id2name(model, type, i);
    return name && name !== kUnnamed ? name : `${kind}#${i}`;
  });
}

function describeModel(model) {
  const all = {
    timestep: model.opt.timestep,
    integrator: ['Euler', 'RK4', 'implicit', 'implicitfast', 'discrete'][model.opt.integrator],
    joints: names(model, 'joint', model.njnt),
    tendons: names(model, 'tendon', model.ntendon),
    actuators: names(model, 'actuator', model.nu),
    sites: names(model, 'site', model.nsite),
    keys: names(model, 'key', model.nkey),
  };
  const arrays = [
    'qpos0', 'qpos_spring', 'body_parentid', 'body_mass', 'body_inertia', 'body_pos', 'body_quat', 'body_ipos',
    'body_iquat', 'body_gravcomp', 'jnt_type', 'jnt_bodyid', 'jnt_range', 'jnt_stiffness', 'dof_armature',
    'dof_damping', 'dof_frictionloss', 'geom_type', 'geom_bodyid', 'geom_size', 'geom_pos', 'geom_quat',
    'tendon_range', 'tendon_stiffness', 'tendon_damping', 'tendon_lengthspring',
    'actuator_gear', 'actuator_ctrlrange', 'actuator_forcerange',
    'hfield_nrow', 'hfield_ncol', 'hfield_size', 'hfield_data', 'key_qpos', 'key_qvel', 'key_act', 'key_ctrl', 'key_mpos', 'key_mquat',
  ];
  for (const name of arrays) if (model[name]?.length > 0) all[name] = list(model[name]);
  for (const [name, value] of Object.entries(all)) if (Array.isArray(value) && value.length === 0) delete all[name];
  return all;
}

function denseMassMatrix(model, data) {
  const dense = new mj.DoubleBuffer(model.nv * model.nv);
  try {
    mj.mj_fullM(model, data, dense);
    return list(dense.GetView());
  } finally {
    dense.delete();
  }
}

function describeState(model, data) {
  // what the state is, before MuJoCo computes anything from it
  const state = { q: list(data.qpos), v: list(data.qvel) };
  if (model.nu > 0) state.ctrl = list(data.ctrl);
  if (model.na > 0) state.act = list(data.act);
  if (model.nmocap > 0) {
    state.mocap_pos = list(data.mocap_pos);
    state.mocap_quat = list(data.mocap_quat);
  }

  mj.mj_forward(model, data);
  mj.mj_energyPos(model, data);
  mj.mj_energyVel(model, data);
  Object.assign(state, {
    M: model.nv > 0 ? denseMassMatrix(model, data) : [],
    bias: list(data.qfrc_bias),
    passive: list(data.qfrc_passive),
    actuator: list(data.qfrc_actuator),
    qacc_smooth: list(data.qacc_smooth),
    energy: list(data.energy),
    ncon: data.ncon,
    xpos: list(data.xpos),
    xquat: list(data.xquat),
    xipos: list(data.xipos),
    geom_xpos: list(data.geom_xpos),
  });
  // the parts of the passive force, where there are any
  for (const part of ['spring', 'damper', 'gravcomp', 'fluid']) {
    const force = list(data[`qfrc_${part}`]);
    if (force.some(x => x !== 0)) state[part] = force;
  }
  if (model.nsite > 0) state.site_xpos = list(data.site_xpos);
  if (model.ntendon > 0) {
    state.ten_length = list(data.ten_length);
    state.ten_velocity = list(data.ten_velocity);
  }
  if (model.nu > 0) {
    state.actuator_length = list(data.actuator_length);
    state.actuator_velocity = list(data.actuator_velocity);
    state.actuator_force = list(data.actuator_force);
  }
  if (model.na > 0) state.act_dot = list(data.act_dot);
  return state;
}

// Where the integrators get to from the state `from`. Euler treats joint damping implicitly
// in MuJoCo; "Euler-explicit" is the same with that switched off.
function describeSteps(model, data, from) {
  const flags = model.opt.disableflags;
  const own = model.opt.integrator;
  const disable = name => mj.mjtDisableBit[`mjDSBL_${name}`].value;
  const smooth = flags | disable('CONTACT') | disable('CONSTRAINT');
  const integrators = [
    ['Euler', 0, smooth], ['Euler-explicit', 0, smooth | disable('EULERDAMP')],
    ['RK4', 1, smooth], ['implicit', 2, smooth], ['implicitfast', 3, smooth],
  ];
  const steps = [];
  for (const [name, integrator, disabled] of integrators) {
    model.opt.integrator = integrator;
    model.opt.disableflags = disabled;
    for (const count of [1, 10]) {
      restore(model, data, from);
      for (let i = 0; i < count; ++i) mj.mj_step(model, data);
      const step = { integrator: name, count, q: list(data.qpos), v: list(data.qvel) };
      if (model.na > 0) step.act = list(data.act);
      steps.push(step);
    }
  }
  model.opt.integrator = own;
  model.opt.disableflags = flags;
  return steps;
}

function restore(model, data, state) {
  mj.mj_resetData(model, data);
  data.qpos.set(state.q);
  data.qvel.set(state.v);
  if (state.ctrl) data.ctrl.set(state.ctrl);
  if (state.act) data.act.set(state.act);
  if (state.mocap_pos) {
    data.mocap_pos.set(state.mocap_pos);
    data.mocap_quat.set(state.mocap_quat);
  }
}

// ---- one model, start to end

function makeFixture(file) {
  const name = path.relative(options.root, file);
  const copied = copyModel(file);
  let model, data;
  try {
    model = mj.MjModel.from_xml_path(file);
    data = new mj.MjData(model);
    const fixture = {
      file: name, mujoco: mj.mj_versionString(),
      nq: model.nq, nv: model.nv, nbody: model.nbody, ngeom: model.ngeom, neq: model.neq, nu: model.nu, na: model.na,
      bodies: names(model, 'body', model.nbody),
      mass: list(model.body_mass).reduce((sum, x) => sum + x, 0),
      model: describeModel(model), states: [],
    };
    const random = makeRandom(hashOf(name));
    for (let i = 0; i < options.states; ++i) {
      mj.mj_resetData(model, data);
      if (i > 0) randomise(model, data, random, i > 1 ? 0.25 : 0);
      fixture.states.push(describeState(model, data));
    }
    if (options.steps && model.nv > 0) {
      fixture.steps = { from_state: options.states - 1, results: describeSteps(model, data, fixture.states.at(-1)) };
    }
    return fixture;
  } finally {
    data?.delete();
    model?.delete();
    for (const each of copied) mj.FS.unlink(each);
  }
}

// One key a line, so that a change of a fixture reads as one in a diff; below `depth`
// objects only one line an object.
function format(value, indent = '', depth = 2) {
  const isLeaf = Array.isArray(value) ? typeof value[0] !== 'object' : typeof value !== 'object' || depth < 0;
  if (isLeaf) return JSON.stringify(value);
  const inner = indent + ' ';
  const entries = Array.isArray(value)
    ? value.map(x => inner + format(x, inner, depth - 1))
    : Object.entries(value).map(([key, x]) => `${inner}${JSON.stringify(key)}: ${format(x, inner, depth - 1)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${entries.join(',\n')}\n${indent}${close}`;
}

// Emscripten throws C++ exceptions as numbers or objects of its own.
function messageOf(error) {
  const message = error?.message ?? mj.getExceptionMessage?.(error) ?? error;
  return String(Array.isArray(message) ? message.join(' ') : message).replace(/\s+/g, ' ').trim();
}

fs.mkdirSync(options.out, { recursive: true });
let failed = 0;
for (const file of files) {
  const parts = path.relative(options.root, file).replace(/\.(xml|urdf)$/, '').split(path.sep);
  const out = path.join(options.out, `${parts.slice(-2).join('__')}.json`);
  try {
    const text = format(makeFixture(file));
    if (/[^"]null/.test(text)) throw new Error('a result is not finite');
    fs.writeFileSync(out, text + '\n');
    console.log(`${file}\t${out}`);
  } catch (error) {
    ++failed;
    console.error(`skipped\t${file}\t${messageOf(error)}`);
  }
}
process.exit(failed > 0 ? 1 : 0);
