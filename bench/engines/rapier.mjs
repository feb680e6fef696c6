// Rapier from npm, a WASM build (single precision, one thread), in the race of engines:
//
//   node rapier.mjs path/to/node_modules/@dimforge/rapier3d-compat
//
// As it comes: 4 solver iterations. Bodies never sleep.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { conjugate, fromYtoZ, isHinge, multiply, rotate, serve, subtract } from './participant.mjs';

const folder = path.resolve(process.argv[2]);
const Rapier = (await import(pathToFileURL(path.join(folder, 'dist/rapier.mjs')).href)).default;
await Rapier.init({});

const vec = ([x, y, z]) => ({ x, y, z });
const quat = ([w, x, y, z]) => ({ w, x, y, z });
const upright = { w: 1, x: 0, y: 0, z: 0 };

function shapeOf({ kind, half, vertices }) {
  const [radius, length] = half;
  const { ColliderDesc } = Rapier;
  if (kind === 'box') return ColliderDesc.cuboid(...half);
  if (kind === 'sphere') return ColliderDesc.ball(radius);
  if (kind === 'capsule') return ColliderDesc.capsule(length, radius);
  if (kind === 'cylinder') return ColliderDesc.cylinder(length, radius);
  if (kind === 'plane') return new ColliderDesc(new Rapier.HalfSpace(vec([0, 0, 1])));
  return ColliderDesc.convexHull(new Float32Array(vertices.flat()));
}

class World {
  constructor(scene) {
    this.world = new Rapier.World(vec([0, 0, -9.81]));
    this.world.timestep = scene.step;
    this.all = scene.solids.map((solid) => this.body(solid, scene));
    this.moving = this.all.filter((_, i) => scene.solids[i].mass > 0);
    for (const joint of scene.joints) this.join(joint, scene);
  }

  body(solid, scene) {
    const moves = solid.mass > 0;
    const desc = moves ? Rapier.RigidBodyDesc.dynamic() : Rapier.RigidBodyDesc.fixed();
    desc.setTranslation(...solid.position).setRotation(quat(solid.turn)).setCanSleep(false);
    if (moves)
      desc.setAdditionalMassProperties(solid.mass, vec([0, 0, 0]), vec(solid.inertia), upright);
    const body = this.world.createRigidBody(desc);
    if (!scene.collides) return body;
    for (const shape of solid.shapes) {
      const round = shape.kind === 'capsule' || shape.kind === 'cylinder';
      const turn = round ? multiply(shape.turn, fromYtoZ) : shape.turn;
      const collider = shapeOf(shape).setDensity(0).setFriction(scene.friction);
      collider.setTranslation(...shape.position).setRotation(quat(turn));
      this.world.createCollider(collider, body);
    }
    return body;
  }

  join(joint, scene) {
    const local = (i, v) => (i < 0 ? v : rotate(conjugate(scene.solids[i].turn), v));
    const anchor = (i) =>
      vec(local(i, i < 0 ? joint.anchor : subtract(joint.anchor, scene.solids[i].position)));
    const axis = (i) => vec(local(i, joint.axis));
    const { a, b } = joint;
    const first = a < 0 ? this.world.createRigidBody(Rapier.RigidBodyDesc.fixed()) : this.all[a];
    const data = isHinge(joint)
      ? Rapier.JointData.revoluteWithAxes(anchor(a), anchor(b), axis(a), axis(b))
      : Rapier.JointData.spherical(anchor(a), anchor(b));
    this.world.createImpulseJoint(data, first, this.all[b], true).setContactsEnabled(false);
  }

  gravity(g) {
    this.world.gravity = vec(g);
  }

  step() {
    this.world.step();
  }

  motions() {
    return this.moving.map((body) => {
      const p = body.translation(), q = body.rotation(), v = body.linvel(), w = body.angvel();
      return [p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z];
    });
  }

  delete() {
    this.world.free();
  }
}

serve({
  engine: `Rapier ${Rapier.version()} WASM`,
  methods: ['default'],
  load: (scene) => new World(scene),
});
