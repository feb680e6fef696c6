// MuJoCo from npm, a WASM build (one thread), in the race of engines:
//
//   node mujoco.mjs path/to/node_modules/@mujoco/mujoco
//
// As it comes, and with elliptic cones and hard contacts as native MuJoCo (mujoco.cpp).

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { serve } from './participant.mjs';

const module = path.join(path.resolve(process.argv[2]), 'mujoco.js');
const mj = await (await import(pathToFileURL(module).href)).default();

class World {
  constructor(scene, stem, method) {
    const roomy = fs.readFileSync(stem + '.xml', 'utf8').replace('<option', '<size memory="600M"/><option');
    mj.FS.writeFile('/scene.xml', method === 1 ? this.hard(roomy, scene.step) : roomy);
    this.model = mj.MjModel.from_xml_path('/scene.xml');
    this.data = new mj.MjData(this.model);
    const body = mj.mjtObj.mjOBJ_BODY.value;
    this.ids = [];
    scene.solids.forEach((solid, i) => {
      if (solid.mass > 0) this.ids.push(mj.mj_name2id(this.model, body, `s${i}`));
    });
  }

  hard(xml, step) {
    return xml
      .replace('<option', '<option cone="elliptic" impratio="10"')
      .replace("<geom friction", `<geom solref="${2 * step} 1" solimp="0.99 0.9999 0.001" friction`);
  }

  gravity(g) {
    this.model.opt.gravity.set(g);
  }

  step() {
    mj.mj_step(this.model, this.data);
  }

  motions() {
    const { model, data } = this;
    mj.mj_kinematics(model, data);
    mj.mj_comPos(model, data);
    mj.mj_comVel(model, data);
    const p = data.xpos, q = data.xquat, twist = data.cvel, com = data.subtree_com, root = model.body_rootid;
    return this.ids.map((b) => {
      const x = Array.from(p.slice(3 * b, 3 * b + 3));
      const [w0, w1, w2, v0, v1, v2] = twist.slice(6 * b, 6 * b + 6);
      const [rx, ry, rz] = x.map((c, k) => c - com[3 * root[b] + k]); // cvel is about this point
      return [...x, ...q.slice(4 * b, 4 * b + 4), v0 + w1 * rz - w2 * ry, v1 + w2 * rx - w0 * rz,
        v2 + w0 * ry - w1 * rx, w0, w1, w2];
    });
  }

  delete() {
    this.data.delete();
    this.model.delete();
  }
}

serve({
  engine: `MuJoCo ${mj.mj_versionString()} WASM`,
  methods: ['default', 'elliptic hard'],
  load: (scene, stem, method) => new World(scene, stem, method),
});
