// The solids of one lane: every geom is an instance of a shape, so that thousands of bodies are a
// few draw calls.
import * as THREE from "three";
import { fromBase64, type Frame } from "./decode";
import { Merged } from "./merged";
import type { Geom, MeshData, Scene } from "./types";
import { planeMaterial, type Look } from "./look";

interface Slot {
  body: number;
  geom: number;
  local: THREE.Matrix4; // geom in the body, shape's size included
}

interface Batch {
  mesh: THREE.InstancedMesh; // where they are, and what a ray hits
  merged?: Merged; // what is drawn in its place
  slots: Slot[];
  moves: boolean;
}

const manyInstances = 16; // from here on one call for all is worth its work

const drawn = (batch: Batch): THREE.Mesh => batch.merged?.mesh ?? batch.mesh;

function disposeOf(batch: Batch) {
  batch.merged?.dispose();
  batch.mesh.dispose();
  (batch.mesh.material as THREE.Material).dispose();
}

export const isCrowded = (scene: Scene) => scene.geoms.length > 600;

// Sides of a round solid: few where many solids share what can be drawn in time.
function sides(scene: Scene, plain: boolean): number {
  const round = scene.geoms.filter((g) => !["plane", "box", "mesh", "hfield"].includes(g.kind)).length;
  const triangles = (plain ? 1e5 : 1e6) / Math.max(round, 1);
  return Math.min(Math.max(2 * Math.round(Math.sqrt(triangles) / 2), 6), 48);
}

export function meshGeometry(data: MeshData): THREE.BufferGeometry {
  const indexed = new THREE.BufferGeometry();
  indexed.setAttribute("position", new THREE.BufferAttribute(new Float32Array(fromBase64(data.vertices)), 3));
  indexed.setIndex(new THREE.BufferAttribute(new Uint32Array(fromBase64(data.triangles)), 1));
  // flat faces: what touches is a polyhedron
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

// A box by its corners alone, a third of the vertices; its faces are told apart by their slope.
function eightCorners(): THREE.BufferGeometry {
  const box = new THREE.BufferGeometry();
  const at = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1]);
  box.setAttribute("position", new THREE.BufferAttribute(new Float32Array(at), 3));
  box.setIndex([0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5]);
  return box;
}

export class World {
  readonly group = new THREE.Group();
  readonly bodies: THREE.Matrix4[] = []; // poses, by body
  private batches: Batch[] = [];
  private hulls: Batch[] = [];
  private geometries = new Map<string, THREE.BufferGeometry>();
  readonly sides: number;
  private planes: { mesh: THREE.Mesh; geom: Geom }[] = [];
  private scratch = new THREE.Matrix4();
  private slotOf = new Map<THREE.Object3D, Slot[]>();
  private highlight = -1;

  // `thrifty`: there are too many solids for all that could be drawn.
  constructor(readonly scene: Scene, private look: Look, private plain: boolean, private thrifty: boolean) {
    this.sides = thrifty ? sides(scene, plain) : 48;
    for (const body of scene.bodies)
      this.bodies.push(new THREE.Matrix4().compose(
        new THREE.Vector3(...body.pos), new THREE.Quaternion(...body.quat), new THREE.Vector3(1, 1, 1)));
    const movers = new Set(scene.moving);
    const found = new Map<string, { geometry: THREE.BufferGeometry; slots: Slot[]; colours: THREE.Color[]; alpha: number; moves: boolean }>();
    scene.geoms.forEach((geom, g) => {
      if (geom.kind === "plane") return this.addPlane(geom);
      const alpha = geom.rgba ? geom.rgba[3] : 1;
      if (alpha <= 0) return;
      const moves = movers.has(geom.body);
      for (const [key, geometry, inGeom] of this.shapes(geom)) {
        const full = `${key}|${alpha}|${moves}`;
        let batch = found.get(full);
        if (!batch) found.set(full, (batch = { geometry, slots: [], colours: [], alpha, moves }));
        batch.slots.push({ body: geom.body, geom: g, local: this.local(geom).multiply(inGeom) });
        batch.colours.push(this.colour(geom, moves));
      }
    });
    for (const b of found.values()) {
      const clear = { transparent: b.alpha < 1, opacity: b.alpha, depthWrite: b.alpha === 1 };
      const material = plain ? new THREE.MeshLambertMaterial({ ...clear, flatShading: b.geometry === this.geometries.get("box") })
        : new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.02, ...clear });
      this.batches.push(this.batch(b.geometry, material, b.slots, b.moves, b.colours));
    }
    this.place();
  }

  // Opaque solids, by the renderer that draws on the processor.
  private merged(mesh: THREE.InstancedMesh, material: THREE.Material): Merged | undefined {
    if (!this.plain || material.transparent || mesh.count < manyInstances) return undefined;
    material.vertexColors = true;
    return new Merged(mesh, material);
  }

  private batch(geometry: THREE.BufferGeometry, material: THREE.Material, slots: Slot[], moves: boolean,
                colours?: THREE.Color[]): Batch {
    const mesh = new THREE.InstancedMesh(geometry, material, slots.length);
    // shadows of thousands, drawn by the processor, would take as long as the rest
    mesh.castShadow = !material.transparent && !(this.plain && this.thrifty);
    mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    mesh.instanceMatrix.setUsage(moves ? THREE.DynamicDrawUsage : THREE.StaticDrawUsage);
    colours?.forEach((c, i) => mesh.setColorAt(i, c));
    this.slotOf.set(mesh, slots);
    const batch = { mesh, merged: this.merged(mesh, material), slots, moves };
    this.group.add(drawn(batch));
    return batch;
  }

  private local(geom: Geom): THREE.Matrix4 {
    return new THREE.Matrix4().compose(
      new THREE.Vector3(...geom.pos), new THREE.Quaternion(...geom.quat), new THREE.Vector3(1, 1, 1));
  }

  // Colours that the world gives are kept; others come from a calm palette, by body.
  private colour(geom: Geom, moves: boolean): THREE.Color {
    if (geom.rgba) return new THREE.Color().setRGB(geom.rgba[0], geom.rgba[1], geom.rgba[2], THREE.SRGBColorSpace);
    if (!moves) return new THREE.Color(this.look.standing);
    return new THREE.Color(this.look.bodies[geom.body % this.look.bodies.length]);
  }

  // What a geom is drawn by: shapes of size 1, and how each lies in the geom. Capsules of all lengths are one
  // tube and two caps.
  private shapes(geom: Geom): [string, THREE.BufferGeometry, THREE.Matrix4][] {
    const [x, y, z] = geom.size, n = this.sides;
    const one = (key: string, build: () => THREE.BufferGeometry, sx = 1, sy = sx, sz = sx): [string, THREE.BufferGeometry, THREE.Matrix4] => {
      let g = this.geometries.get(key);
      if (!g) this.geometries.set(key, (g = build()));
      return [key, g, new THREE.Matrix4().makeScale(sx, sy, sz)];
    };
    const sphere = () => new THREE.SphereGeometry(1, n, n / 2);
    switch (geom.kind) {
      case "box":
        return [one("box", () => (this.plain ? eightCorners() : new THREE.BoxGeometry(2, 2, 2)), x, y, z)];
      case "sphere":
        return [one("sphere", sphere, x)];
      case "ellipsoid":
        return [one("sphere", sphere, x, y, z)];
      case "cylinder":
        return [one("cylinder", () => new THREE.CylinderGeometry(1, 1, 2, n).rotateX(Math.PI / 2), x, x, y)];
      case "capsule": {
        const cap = () => new THREE.SphereGeometry(1, n, Math.ceil(n / 4), 0, 2 * Math.PI, 0, Math.PI / 2).rotateX(Math.PI / 2);
        const tube = () => new THREE.CylinderGeometry(1, 1, 2, n, 1, true).rotateX(Math.PI / 2);
        const caps = [one("cap", cap, x), one("cap", cap, x)];
        caps[1][2].makeRotationX(Math.PI).scale(new THREE.Vector3(x, x, x));
        caps.forEach(([, , at], i) => at.setPosition(0, 0, i ? -y : y));
        return [one("tube", tube, x, x, y), ...caps];
      }
      case "mesh":
      case "hfield": {
        const data = (geom.kind === "mesh" ? this.scene.meshes : this.scene.hfields)[geom.asset ?? -1];
        return data ? [one(geom.kind + geom.asset, () => meshGeometry(data))] : [];
      }
      default:
        return [];
    }
  }

  private addPlane(geom: Geom) {
    const r = this.scene.extent.radius;
    // one without size is drawn far beyond what there is to see
    const half = (s: number) => (s > 0 ? s : Math.max(60 * r, 40));
    if (this.scene.plane) return this.addSlab(geom);
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2 * half(geom.size[0]), 2 * half(geom.size[1])),
      planeMaterial(this.look, r, this.plain, geom.rgba));
    mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    this.planes.push({ mesh, geom });
    this.group.add(mesh);
  }

  // In a planar world a half-space is seen from its edge: a bar along its border.
  private addSlab(geom: Geom) {
    const r = this.scene.extent.radius, thickness = 0.07 * r, length = 9 * r;
    const across = new THREE.Vector3(...({ xy: [0, 0, 1], yz: [1, 0, 0], zx: [0, 1, 0] }[this.scene.plane!] ?? [0, 0, 1]));
    across.applyQuaternion(new THREE.Quaternion(...geom.quat).invert());
    const alongX = Math.abs(across.x) < 0.5;
    const box = new THREE.BoxGeometry(alongX ? length : 0.9 * r, alongX ? 0.9 * r : length, thickness).translate(0, 0, -0.5 * thickness);
    const mesh = new THREE.Mesh(box, new THREE.MeshLambertMaterial({ color: this.look.standing }));
    mesh.receiveShadow = true;
    mesh.matrixAutoUpdate = false;
    this.planes.push({ mesh, geom });
    this.group.add(mesh);
  }

  get hasGround(): boolean {
    return this.planes.length > 0 && !this.scene.plane;
  }

  // Places everything by the poses in `bodies`.
  private place(movingOnly = false) {
    for (const batch of [...this.batches, ...this.hulls]) {
      if (movingOnly && !batch.moves) continue;
      batch.slots.forEach((slot, i) =>
        batch.mesh.setMatrixAt(i, this.scratch.multiplyMatrices(this.bodies[slot.body], slot.local)));
      if (batch.merged) batch.merged.move();
      else batch.mesh.instanceMatrix.needsUpdate = true;
      batch.mesh.boundingSphere = null;
    }
    if (movingOnly) return;
    for (const { mesh, geom } of this.planes) {
      mesh.matrix.multiplyMatrices(this.bodies[geom.body], this.local(geom));
      mesh.matrixWorldNeedsUpdate = true;
    }
  }

  apply(frame: Frame) {
    const p = frame.poses;
    const position = new THREE.Vector3(), quaternion = new THREE.Quaternion(), one = new THREE.Vector3(1, 1, 1);
    this.scene.moving.forEach((body, i) => {
      if (7 * i + 6 >= p.length) return;
      position.fromArray(p, 7 * i);
      quaternion.fromArray(p, 7 * i + 3);
      this.bodies[body].compose(position, quaternion, one);
    });
    this.place(true);
  }

  // Enlarges a box by the balls around all solids that move, but for thrown ones.
  addMovers(box: THREE.Box3) {
    const place = new THREE.Vector3(), scale = new THREE.Vector3(), middle = new THREE.Vector3();
    for (const { mesh, slots, moves } of this.batches) {
      if (!moves) continue;
      if (!mesh.geometry.boundingSphere) mesh.geometry.computeBoundingSphere();
      const { center, radius } = mesh.geometry.boundingSphere!;
      slots.forEach(({ body }, i) => {
        if (this.scene.bodies[body].name.startsWith("thrown box")) return;
        mesh.getMatrixAt(i, this.scratch);
        const r = (radius / Math.sqrt(3)) * scale.setFromMatrixScale(this.scratch).length();
        middle.copy(center).applyMatrix4(this.scratch);
        box.expandByPoint(place.copy(middle).addScalar(r)).expandByPoint(place.copy(middle).addScalar(-r));
      });
    }
  }

  // What solids collide as, where that is not what is drawn: hulls of meshes.
  showPieces(on: boolean) {
    for (const batch of this.hulls) {
      this.group.remove(drawn(batch));
      disposeOf(batch);
    }
    this.hulls = [];
    for (const batch of this.batches) {
      const isMesh = this.scene.geoms[batch.slots[0].geom].kind === "mesh";
      batch.mesh.visible = drawn(batch).visible = !(on && isMesh);
    }
    if (!on) return;
    const movers = new Set(this.scene.moving);
    const byAsset = new Map<number, Slot[]>();
    this.scene.geoms.forEach((geom, g) => {
      if (geom.kind !== "mesh" || !geom.collides) return;
      const slots = byAsset.get(geom.asset ?? -1) ?? [];
      slots.push({ body: geom.body, geom: g, local: this.local(geom) });
      byAsset.set(geom.asset ?? -1, slots);
    });
    let n = 0;
    for (const [asset, slots] of byAsset) {
      const data = this.scene.meshes[asset];
      if (!data) continue;
      const material = new THREE.MeshStandardMaterial({ roughness: 0.8, flatShading: true });
      const colours = slots.map(() => new THREE.Color(this.look.bodies[n++ % this.look.bodies.length]));
      this.hulls.push(this.batch(meshGeometry(data.hull ?? data), material, slots,
        slots.some((s) => movers.has(s.body)), colours));
    }
    this.place();
  }

  // The body under a ray, where, and its geom.
  pick(ray: THREE.Raycaster): { body: number; geom: number; point: THREE.Vector3; distance: number } | undefined {
    const meshes = [...this.batches, ...this.hulls].map((b) => b.mesh).filter((m) => m.visible);
    for (const m of meshes) if (!m.boundingSphere) m.computeBoundingSphere();
    const hit = ray.intersectObjects(meshes, false)[0];
    if (!hit || hit.instanceId === undefined) return undefined;
    const slot = this.slotOf.get(hit.object)?.[hit.instanceId];
    return slot && { body: slot.body, geom: slot.geom, point: hit.point, distance: hit.distance };
  }

  // Brightens a body; -1: none.
  setHighlight(body: number) {
    if (body === this.highlight) return;
    for (const batch of this.batches) {
      let changed = false;
      batch.slots.forEach((slot, i) => {
        if (slot.body !== body && slot.body !== this.highlight) return;
        const colour = this.colour(this.scene.geoms[slot.geom], batch.moves);
        if (slot.body === body) colour.lerp(new THREE.Color(this.look.selected), 0.35);
        batch.mesh.setColorAt(i, colour);
        changed = true;
      });
      if (!changed || !batch.mesh.instanceColor) continue;
      batch.mesh.instanceColor.needsUpdate = true;
      batch.merged?.paint();
    }
    this.highlight = body;
  }

  dispose() {
    for (const batch of [...this.batches, ...this.hulls]) disposeOf(batch);
    for (const { mesh } of this.planes) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
    for (const g of this.geometries.values()) g.dispose();
  }
}
