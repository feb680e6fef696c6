// Jolt from npm, a WASM build (single precision, one thread, no SIMD in this flavour), in the race
// of engines:
//
//   node jolt.mjs path/to/node_modules/jolt-physics
//
// As it comes: 10 velocity and 2 position steps, slop and convex radius as they are. Bodies never
// sleep and have no damping. Its scratch memory, which the package fixes, has room for 20,000 pairs
// in contact.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fromYtoZ, isHinge, serve } from './participant.mjs';

const folder = path.resolve(process.argv[2]);
const script = pathToFileURL(path.join(folder, 'dist/jolt-physics.wasm-compat.js')).href;
const Jolt = await (await import(script)).default();
const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json')));

const kFixed = 0, kMoving = 1; // layers
const kMostPairs = 20000;
const vec = (v) => new Jolt.Vec3(...v);
const rvec = (v) => new Jolt.RVec3(...v);
const quat = ([w, x, y, z]) => new Jolt.Quat(x, y, z, w);

function shapeSettings({ kind, half, vertices }) {
  const [radius, length] = half;
  const upright = (settings) =>
    new Jolt.RotatedTranslatedShapeSettings(vec([0, 0, 0]), quat(fromYtoZ), settings);
  if (kind === 'box') return new Jolt.BoxShapeSettings(vec(half), Math.min(0.05, ...half));
  if (kind === 'sphere') return new Jolt.SphereShapeSettings(radius);
  if (kind === 'capsule') return upright(new Jolt.CapsuleShapeSettings(length, radius));
  if (kind === 'cylinder') return upright(new Jolt.CylinderShapeSettings(length, radius));
  if (kind === 'plane') return new Jolt.PlaneShapeSettings(new Jolt.Plane(vec([0, 0, 1]), 0));
  const hull = new Jolt.ConvexHullShapeSettings();
  for (const v of vertices) hull.mPoints.push_back(vec(v));
  return hull;
}

function shapeOf(solid) {
  let settings;
  if (solid.shapes.length === 1) {
    settings = shapeSettings(solid.shapes[0]);
  } else {
    settings = new Jolt.StaticCompoundShapeSettings();
    for (const s of solid.shapes)
      settings.AddShapeShapeSettings(vec(s.position), quat(s.turn), shapeSettings(s), 0);
  }
  const made = settings.Create();
  if (made.HasError()) throw new Error(made.GetError().c_str());
  const shape = made.Get();
  shape.AddRef();
  // the scene's centre of mass is the origin, Jolt's that of the volume
  const c = shape.GetCenterOfMass();
  const offset = [-c.GetX(), -c.GetY(), -c.GetZ()];
  if (solid.mass === 0 || Math.hypot(...offset) === 0) return shape;
  const moved = new Jolt.OffsetCenterOfMassShapeSettings(vec(offset), settings).Create().Get();
  moved.AddRef();
  return moved;
}

class World {
  constructor(scene) {
    this.step_ = scene.step;
    this.jolt = new Jolt.JoltInterface(this.settings(scene));
    this.system = this.jolt.GetPhysicsSystem();
    this.bodies = this.system.GetBodyInterface();
    this.gravity([0, 0, -9.81]);
    this.filter = scene.joints.length ? new Jolt.GroupFilterTable(scene.solids.length) : undefined;
    for (const { a, b } of scene.joints) if (a >= 0) this.filter.DisableCollision(a, b);
    this.all = scene.solids.map((solid, i) => this.body(solid, i, scene.friction));
    this.moving = this.all.filter((_, i) => scene.solids[i].mass > 0);
    for (const joint of scene.joints) this.join(joint);
    this.system.OptimizeBroadPhase();
  }

  settings(scene) {
    const layers = new Jolt.ObjectLayerPairFilterTable(2);
    if (scene.collides) {
      layers.EnableCollision(kFixed, kMoving);
      layers.EnableCollision(kMoving, kMoving);
    }
    const broad = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
    broad.MapObjectToBroadPhaseLayer(kFixed, new Jolt.BroadPhaseLayer(kFixed));
    broad.MapObjectToBroadPhaseLayer(kMoving, new Jolt.BroadPhaseLayer(kMoving));
    const settings = new Jolt.JoltSettings();
    settings.mObjectLayerPairFilter = layers;
    settings.mBroadPhaseLayerInterface = broad;
    settings.mObjectVsBroadPhaseLayerFilter =
      new Jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, layers, 2);
    settings.mMaxBodies = scene.solids.length + 10;
    settings.mMaxBodyPairs = 16384 + 32 * scene.solids.length;
    settings.mMaxContactConstraints = kMostPairs;
    return settings;
  }

  body(solid, i, friction) {
    const moves = solid.mass > 0;
    const settings = new Jolt.BodyCreationSettings(
      shapeOf(solid), rvec(solid.position), quat(solid.turn),
      moves ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static, moves ? kMoving : kFixed);
    settings.mFriction = friction;
    settings.mAllowSleeping = false;
    settings.mLinearDamping = settings.mAngularDamping = 0;
    if (moves) {
      settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
      settings.mMassPropertiesOverride.mMass = solid.mass;
      settings.mMassPropertiesOverride.mInertia =
        Jolt.Mat44.prototype.sScaleVec3(vec(solid.inertia));
    }
    if (this.filter) settings.mCollisionGroup = new Jolt.CollisionGroup(this.filter, 0, i);
    const body = this.bodies.CreateBody(settings);
    this.bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
    Jolt.destroy(settings);
    return body;
  }

  join(joint) {
    const settings = isHinge(joint)
      ? new Jolt.HingeConstraintSettings() : new Jolt.PointConstraintSettings();
    settings.mPoint1 = settings.mPoint2 = rvec(joint.anchor);
    if (isHinge(joint)) {
      const [x, y, z] = joint.axis;
      const across = Math.abs(x) < 0.7 ? [0, z, -y] : [-z, 0, x];
      const long = Math.hypot(...across);
      settings.mHingeAxis1 = settings.mHingeAxis2 = vec(joint.axis);
      settings.mNormalAxis1 = settings.mNormalAxis2 = vec(across.map((v) => v / long));
    }
    const first = joint.a < 0 ? this.jolt.sGetFixedToWorldBody() : this.all[joint.a];
    this.system.AddConstraint(settings.Create(first, this.all[joint.b]));
    Jolt.destroy(settings);
  }

  gravity(g) {
    this.system.SetGravity(vec(g));
  }

  step() {
    this.jolt.Step(this.step_, 1);
  }

  motions() {
    return this.moving.map((body) => {
      const p = body.GetPosition();
      const at = [p.GetX(), p.GetY(), p.GetZ()];
      const q = body.GetRotation();
      const turn = [q.GetW(), q.GetX(), q.GetY(), q.GetZ()];
      const v = body.GetLinearVelocity();
      const linear = [v.GetX(), v.GetY(), v.GetZ()];
      const w = body.GetAngularVelocity();
      return [...at, ...turn, ...linear, w.GetX(), w.GetY(), w.GetZ()];
    });
  }

  delete() {
    Jolt.destroy(this.jolt);
  }
}

serve({
  engine: `Jolt ${version} WASM`, // of the package, which has a version of its own
  methods: ['default'],
  load: (scene) => {
    if (4 * scene.solids.length > kMostPairs)
      throw new Error('its scratch memory has no room for the contacts of more than 5000 solids');
    return new World(scene);
  },
});
