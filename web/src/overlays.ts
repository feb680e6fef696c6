// What shows contact as it is: points, normals, forces, cones, features, common volumes, boxes,
// errors of joints. What solids hide is drawn too, dimmed.
import * as THREE from "three";
import { Phase, type Frame } from "./decode";
import type { Look } from "./look";
import { Merged } from "./merged";
import type { Overlays, Scene } from "./types";

// Instances of one shape, as many as a frame needs.
class Pool {
  readonly drawn: THREE.Mesh[]; // the instances, and the same where solids are before them
  private mesh: THREE.InstancedMesh;
  private merged?: Merged;
  private n = 0;
  private static matrix = new THREE.Matrix4();

  // `plain`: for a renderer on the processor.
  constructor(geometry: THREE.BufferGeometry, material: THREE.Material, order: number, plain: boolean, private most: number) {
    this.mesh = new THREE.InstancedMesh(geometry, material, most);
    this.mesh.setColorAt(0, new THREE.Color());
    const dim = behind(material);
    if (plain) {
      dim.vertexColors = material.vertexColors = true;
      this.merged = new Merged(this.mesh, material);
      this.drawn = [this.merged.mesh, new THREE.Mesh(this.merged.mesh.geometry, dim)];
    } else {
      const hidden = new THREE.InstancedMesh(geometry, dim, 0);
      hidden.instanceMatrix = this.mesh.instanceMatrix;
      hidden.instanceColor = this.mesh.instanceColor;
      this.drawn = [this.mesh, hidden];
    }
    this.drawn.forEach((mesh, i) => {
      mesh.frustumCulled = false;
      mesh.renderOrder = order - 10 * i;
    });
  }
  begin() {
    this.n = 0;
  }
  add(position: THREE.Vector3, turn: THREE.Quaternion, scale: THREE.Vector3, colour: THREE.Color) {
    if (this.n >= this.most) return;
    this.mesh.setMatrixAt(this.n, Pool.matrix.compose(position, turn, scale));
    this.mesh.setColorAt(this.n++, colour);
  }
  end() {
    this.mesh.count = this.n;
    for (const mesh of this.drawn) {
      mesh.visible = this.n > 0;
      if (mesh instanceof THREE.InstancedMesh) mesh.count = this.n;
    }
    if (this.n === 0) return;
    this.merged?.move();
    this.merged?.paint();
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
  dispose() {
    this.mesh.geometry.dispose();
    this.mesh.dispose();
    for (const mesh of this.drawn) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
      if (mesh instanceof THREE.InstancedMesh) mesh.dispose();
    }
  }
}

// Dots or lines of a pixel or some, for thousands: shapes would take too long.
class Swarm {
  readonly object: THREE.Points | THREE.LineSegments;
  private position = new Float32Array();
  private colour = new Float32Array();
  private n = 0;

  constructor(lines: boolean, order: number) {
    const material = { vertexColors: true, toneMapped: false, transparent: true };
    const geometry = new THREE.BufferGeometry();
    this.object = lines ? new THREE.LineSegments(geometry, new THREE.LineBasicMaterial(material))
      : new THREE.Points(geometry, new THREE.PointsMaterial({ ...material, size: 3, sizeAttenuation: false }));
    this.object.frustumCulled = false;
    this.object.renderOrder = order;
  }
  begin() {
    this.n = 0;
  }
  add(p: THREE.Vector3, colour: THREE.Color) {
    if (3 * this.n >= this.position.length) this.grow();
    p.toArray(this.position, 3 * this.n);
    colour.toArray(this.colour, 3 * this.n++);
  }
  private grow() {
    const room = Math.max(6144, 2 * this.position.length);
    this.object.geometry.dispose();
    this.object.geometry = new THREE.BufferGeometry();
    const larger = (name: string, old: Float32Array) => {
      const all = new Float32Array(room);
      all.set(old);
      this.object.geometry.setAttribute(name, new THREE.BufferAttribute(all, 3).setUsage(THREE.DynamicDrawUsage));
      return all;
    };
    this.position = larger("position", this.position);
    this.colour = larger("color", this.colour);
  }
  end() {
    this.object.visible = this.n > 0;
    this.object.geometry.setDrawRange(0, this.n);
    for (const a of Object.values(this.object.geometry.attributes)) a.needsUpdate = true;
  }
  dispose() {
    this.object.geometry.dispose();
    (this.object.material as THREE.Material).dispose();
  }
}

// Of what lies behind solids.
function behind(material: THREE.Material): THREE.Material {
  const dim = material.clone();
  dim.depthFunc = THREE.GreaterDepth;
  dim.depthWrite = false;
  dim.opacity *= 0.28;
  return dim;
}

// Triangles or lines that are written anew for every frame.
class Sheet {
  constructor(readonly object: THREE.Mesh | THREE.LineSegments, order: number) {
    object.frustumCulled = false;
    object.renderOrder = order;
  }
  set(positions: number[] | Float32Array) {
    this.object.geometry.dispose();
    this.object.geometry = new THREE.BufferGeometry();
    this.object.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(positions), 3));
    this.object.visible = positions.length > 0;
  }
  dispose() {
    this.object.geometry.dispose();
    (this.object.material as THREE.Material).dispose();
  }
}

const up = new THREE.Vector3(0, 0, 1);
const plain = (extra: THREE.MeshBasicMaterialParameters = {}) =>
  new THREE.MeshBasicMaterial({ transparent: true, toneMapped: false, ...extra });

export class OverlayDrawing {
  readonly group = new THREE.Group();
  readonly labels: { at: THREE.Vector3; text: string }[] = []; // to be written over the picture
  forceScale = 1;
  many = false; // points of the frame: dots and lines stand for spheres and arrows
  private size: number; // m: what overlays are measured in
  private heaviest: number; // N: a force as long as `size` times some
  private most: number; // points that are drawn by shapes
  private swarms = [new Swarm(false, 30), new Swarm(true, 28)]; // dots and lines, where there are more
  private dots: Pool;
  private shafts: Pool;
  private heads: Pool;
  private cones: Pool;
  private bars: Pool;
  private faces: [Sheet, Sheet];
  private volume: Sheet;
  private volumeEdges: Sheet;
  private boxes: Sheet;

  constructor(scene: Scene, private look: Look, coarse: boolean) {
    this.most = coarse ? 600 : 4096;
    const n = coarse ? 0.5 : 1;
    const pool = (geometry: THREE.BufferGeometry, material: THREE.Material, order: number, most = this.most) =>
      new Pool(geometry, material, order, coarse, most);
    this.size = Math.min(scene.extent.radius, 6.5 * middleSize(scene));
    const g = Math.hypot(...scene.gravity) || 9.81;
    // the mean weight tells large from small better than one heavy base would
    const masses = scene.bodies.filter((b) => b.link && b.mass > 0).map((b) => b.mass).sort((a, b) => a - b);
    // .. and a body that rests has three or four points to carry it
    this.heaviest = Math.max(0.4 * (masses[Math.floor(0.8 * (masses.length - 1))] ?? 1) * g, 1e-9);
    this.dots = pool(new THREE.SphereGeometry(1, 16 * n, 10 * n), plain(), 30);
    this.shafts = pool(new THREE.CylinderGeometry(1, 1, 1, 12 * n).translate(0, 0.5, 0).rotateX(Math.PI / 2), plain(), 28);
    this.heads = pool(new THREE.ConeGeometry(1, 1, 20 * n).translate(0, 0.5, 0).rotateX(Math.PI / 2), plain(), 29);
    this.bars = pool(new THREE.CylinderGeometry(1, 1, 1, 10 * n).translate(0, 0.5, 0).rotateX(Math.PI / 2), plain(), 26);
    // apex at the origin, opening along z
    this.cones = pool(new THREE.ConeGeometry(1, 1, 40 * n, 1, true).translate(0, -0.5, 0).rotateX(-Math.PI / 2),
      plain({ opacity: 0.13, side: THREE.DoubleSide, depthWrite: false }), 24, this.most / 4);
    const face = (colour: string) =>
      new Sheet(new THREE.Mesh(new THREE.BufferGeometry(), plain({ depthTest: false, color: colour, opacity: 0.38, side: THREE.DoubleSide, depthWrite: false })), 20);
    this.faces = [face(look.featureA), face(look.featureB)];
    this.volume = new Sheet(new THREE.Mesh(new THREE.BufferGeometry(),
      plain({ depthTest: false, color: look.volume, opacity: 0.5, side: THREE.DoubleSide, depthWrite: false })), 22);
    const lines = (colour: string, opacity: number, depthTest: boolean) =>
      new THREE.LineSegments(new THREE.BufferGeometry(),
        new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity, depthTest, toneMapped: false }));
    this.volumeEdges = new Sheet(lines(look.volume, 0.9, false), 23);
    this.boxes = new Sheet(lines(look.box, 0.55, true), 10);
    for (const pool of this.pools) this.group.add(...pool.drawn);
    for (const swarm of this.swarms) this.group.add(swarm.object);
    for (const sheet of this.sheets) this.group.add(sheet.object);
    this.clear();
  }

  private get pools() {
    return [this.dots, this.shafts, this.heads, this.cones, this.bars];
  }
  private get sheets() {
    return [...this.faces, this.volume, this.volumeEdges, this.boxes];
  }

  clear() {
    for (const some of [...this.pools, ...this.swarms]) some.begin(), some.end();
    for (const sheet of this.sheets) sheet.set([]);
    this.labels.length = 0;
  }
  dispose() {
    for (const some of [...this.pools, ...this.swarms]) some.dispose();
    for (const sheet of this.sheets) sheet.dispose();
  }

  draw(frame: Frame, show: Overlays) {
    for (const some of [...this.pools, ...this.swarms]) some.begin();
    this.labels.length = 0;
    this.drawPairs(frame, show);
    this.drawFeatures(frame, show);
    if (show.joints) this.drawJoints(frame);
    for (const some of [...this.pools, ...this.swarms]) some.end();
    this.volume.set(show.volumes ? frame.triangles : []);
    this.volumeEdges.set(show.volumes ? triangleEdges(frame.triangles) : []);
    this.boxes.set(show.boxes ? boxEdges(frame.boxes) : []);
  }

  private arrow(from: THREE.Vector3, along: THREE.Vector3, thickness: number, colour: THREE.Color) {
    const length = along.length();
    if (!(length > 1e-12)) return;
    if (this.many) {
      this.swarms[1].add(from, colour);
      return this.swarms[1].add(along.add(from), colour);
    }
    const turn = new THREE.Quaternion().setFromUnitVectors(up, along.clone().divideScalar(length));
    const head = Math.min(4.2 * thickness, 0.6 * length);
    this.shafts.add(from, turn, new THREE.Vector3(thickness, thickness, Math.max(length - head, 1e-9)), colour);
    this.heads.add(from.clone().addScaledVector(along, (length - head) / length), turn,
      new THREE.Vector3(0.5 * head, 0.5 * head, head), colour);
  }

  // Long forces are drawn shorter than in proportion, or an impact would leave the picture.
  private forceLength(newton: number): number {
    const share = (this.forceScale * newton) / this.heaviest;
    const knee = 1.5;
    return 0.26 * this.size * (share < knee ? share : knee + 0.5 * Math.log1p(2 * (share - knee)));
  }

  private drawPairs(frame: Frame, show: Overlays) {
    const s = this.size;
    const one = new THREE.Vector3(), force = new THREE.Vector3(), normal = new THREE.Vector3();
    const phases = this.look.phases.map((c) => new THREE.Color(c));
    const ink = new THREE.Color(this.look.normal), red = new THREE.Color(this.look.force), gold = new THREE.Color(this.look.cone);
    const thin = Math.min(1, Math.sqrt(60 / Math.max(frame.points.length / 6, 1)) + 0.25);
    this.many = frame.points.length / 6 > this.most;
    const { pairs } = frame;
    for (let p = 0, begin = 0; p < pairs.length; begin = pairs.pointsEnd(p++)) {
      normal.fromArray(pairs.normal(p));
      const colour = phases[pairs.phase(p)], friction = pairs.friction(p);
      for (let i = begin; i < pairs.pointsEnd(p); ++i) {
        one.fromArray(frame.points, 6 * i);
        force.fromArray(frame.points, 6 * i + 3);
        if (this.many && (show.points || show.phases)) this.swarms[0].add(one, show.phases ? colour : ink);
        else if (show.points || show.phases) {
          const radius = (show.phases ? 0.017 : 0.012) * s * thin;
          this.dots.add(one, new THREE.Quaternion(), new THREE.Vector3(radius, radius, radius), show.phases ? colour : ink);
        }
        if (show.normals) this.arrow(one, normal.clone().multiplyScalar(0.14 * s * thin), 0.0028 * s * thin, ink);
        if (show.forces) {
          const newton = force.length();
          if (newton > 1e-3 * this.heaviest)
            this.arrow(one, force.clone().multiplyScalar(this.forceLength(newton) / newton), 0.0075 * s * thin,
              show.phases ? colour : red);
        }
        if (show.cones && friction > 0) {
          const pressed = Math.max(force.dot(normal), 0);
          const height = pressed > 1e-3 * this.heaviest ? this.forceLength(pressed) : 0;
          if (height > 0)
            this.cones.add(one, new THREE.Quaternion().setFromUnitVectors(up, normal),
              new THREE.Vector3(friction * height, friction * height, height), gold);
        }
      }
    }
  }

  private bar(a: THREE.Vector3, b: THREE.Vector3, thickness: number, colour: THREE.Color) {
    const along = b.clone().sub(a), length = along.length();
    if (!(length > 1e-12)) return;
    this.bars.add(a, new THREE.Quaternion().setFromUnitVectors(up, along.divideScalar(length)),
      new THREE.Vector3(thickness, thickness, length), colour);
  }

  private drawFeatures(frame: Frame, show: Overlays) {
    const corners: number[][] = [[], []];
    const colours = [new THREE.Color(this.look.featureA), new THREE.Color(this.look.featureB)];
    const at = (p: Float32Array, i: number) => new THREE.Vector3().fromArray(p, 3 * i);
    for (const { side, points } of show.features ? frame.features : []) {
      const n = points.length / 3, colour = colours[side];
      const radius = 0.016 * this.size;
      if (n === 1) this.dots.add(at(points, 0), new THREE.Quaternion(), new THREE.Vector3(radius, radius, radius), colour);
      for (let i = 0; n > 1 && i < (n === 2 ? 1 : n); ++i)
        this.bar(at(points, i), at(points, (i + 1) % n), (n === 2 ? 0.008 : 0.0045) * this.size, colour);
      for (let i = 2; i < n; ++i)
        for (const k of [0, i - 1, i]) corners[side].push(points[3 * k], points[3 * k + 1], points[3 * k + 2]);
    }
    this.faces.forEach((sheet, side) => sheet.set(corners[side]));
  }

  private drawJoints(frame: Frame) {
    const colour = new THREE.Color(this.look.joint), whole = new THREE.Color(this.look.phases[Phase.sticking]);
    const radius = 0.014 * this.size;
    for (let i = 0; i + 6 < frame.joints.length; i += 7) {
      const a = new THREE.Vector3().fromArray(frame.joints, i), b = new THREE.Vector3().fromArray(frame.joints, i + 3);
      const error = frame.joints[i + 6];
      const is = error > 1e-6 * this.size ? colour : whole;
      for (const p of [a, b])
        this.dots.add(p, new THREE.Quaternion(), new THREE.Vector3(radius, radius, radius), is);
      this.bar(a, b, 0.4 * radius, is);
      this.labels.push({ at: a, text: shortNumber(error) });
    }
  }
}

// Of the solids that move, the middle one's radius: what arrows on them are measured by.
function middleSize(scene: Scene): number {
  const sizes = scene.geoms.filter((g) => scene.bodies[g.body].link).map((g) => {
    const [a, b, c] = g.size;
    if (g.kind === "box" || g.kind === "ellipsoid") return Math.cbrt(a * b * c) * 1.3;
    return g.kind === "mesh" || g.kind === "hfield" ? Infinity : g.kind === "sphere" ? a : Math.sqrt(a * (a + b));
  }).filter((r) => Number.isFinite(r) && r > 0).sort((a, b) => a - b);
  return sizes.length ? sizes[Math.floor(sizes.length / 2)] : Infinity;
}

export function shortNumber(x: number): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const a = Math.abs(x);
  if (a >= 0.001 && a < 1e5) return String(Number(x.toPrecision(3)));
  const [m, e] = x.toExponential(1).split("e");
  const digits: Record<string, string> = { "-": "⁻", "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹" };
  return `${m}·10${[...e.replace("+", "")].map((c) => digits[c]).join("")}`;
}

function triangleEdges(t: Float32Array): number[] {
  const out: number[] = [];
  for (let i = 0; i + 8 < t.length; i += 9)
    for (const [a, b] of [[0, 3], [3, 6], [6, 0]])
      out.push(t[i + a], t[i + a + 1], t[i + a + 2], t[i + b], t[i + b + 1], t[i + b + 2]);
  return out;
}

function boxEdges(boxes: Float32Array): number[] {
  const out: number[] = [];
  for (let i = 0; i + 5 < boxes.length; i += 6) {
    const corner = (k: number) => [boxes[i + (k & 1 ? 3 : 0)], boxes[i + 1 + (k & 2 ? 3 : 0)], boxes[i + 2 + (k & 4 ? 3 : 0)]];
    for (let k = 0; k < 8; ++k)
      for (const bit of [1, 2, 4]) if (!(k & bit)) out.push(...corner(k), ...corner(k | bit));
  }
  return out;
}
