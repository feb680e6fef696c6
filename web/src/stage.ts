// Stage: the renderer, the camera that all lanes share, and for each lane its light, floor, solids
// and overlays.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { RoomEnvironment } from "three/examples/jsm/environments/RoomEnvironment.js";
import type { Frame } from "./decode";
import { corners, fitted, type Margins } from "./fit";
import { Keeper } from "./keep";
import { dark, light, referenceGrid, skyDome, type Look } from "./look";
import { OverlayDrawing } from "./overlays";
import type { Camera, Haptic, Overlays, Scene } from "./types";
import { isCrowded, World } from "./world";

export interface Lane3D {
  scene: THREE.Scene;
  world: World;
  overlays: OverlayDrawing;
  sun: THREE.DirectionalLight;
  frame?: Frame;
  stale: boolean; // the frame has yet to be placed
}

// What is left out of the pictures of a motion, step by step, where drawing is slow.
const spared = [{ share: 1, shadows: true }, { share: 0.7, shadows: true }, { share: 0.5, shadows: true }, { share: 0.5, shadows: false }];
const slow = 50, quick = 20; // ms a picture

export interface Hit {
  lane: number;
  body: number;
  geom: number;
  point: THREE.Vector3;
}

// Whether WebGL is drawn by the processor here.
function isSoftware(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl?.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|softpipe/i.test(name);
}

export class Stage {
  readonly canvas = document.createElement("canvas");
  readonly renderer: THREE.WebGLRenderer;
  readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  lanes: Lane3D[] = [];
  look: Look = light;
  description?: Scene;
  overlays: Overlays;
  follow = -1; // body; -1: none
  onDraw: () => void = () => {};
  private followed = new THREE.Vector3();
  private environment?: THREE.Texture;
  private ray = new THREE.Raycaster();
  private times: number[] = [];
  private dirty = true;
  private hand: THREE.Mesh[] = []; // force and torque
  private width = 1;
  private height = 1;
  private ratio = 1; // pixels of the canvas to one of the page
  private spare = 0; // how much of `spared` is needed while things move
  private now = 0; // .. and how much is left out of the last picture
  private run = { slow: 0, quick: 0, wanted: 90 }; // pictures one after the other; how many quick ones ask for more
  private all = false; // whatever time it takes
  private drawn = 0; // ms: when
  private home: Camera = {};
  private moved = false; // by somebody: the camera stays where it is
  keeps = false; // everything in sight, also what moves away
  private keeper: Keeper;
  margins: Margins = { left: 0, right: 0, top: 0, bottom: 0 }; // px of the canvas under bars
  readonly plain: boolean; // drawn by the processor: what costs most is left out

  // `still`: pictures are taken, and may take their time.
  constructor(overlays: Overlays, still: boolean) {
    this.overlays = overlays;
    const software = !still && isSoftware();
    this.plain = software;
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: !software, preserveDrawingBuffer: still });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = software ? THREE.PCFShadowMap : THREE.PCFSoftShadowMap;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    this.renderer.setScissorTest(true);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener("change", () => this.touch());
    this.controls.addEventListener("start", () => (this.moved = true));
    this.controls.maxPolarAngle = 0.96 * Math.PI;
    this.keeper = new Keeper({ eye: this.camera.position, at: this.controls.target }, () => this.moversBox(), (box) =>
      this.placeFor(box.min.toArray(), box.max.toArray(), this.camera.position.clone().sub(this.controls.target).normalize()));
  }

  get rendererName(): string {
    const gl = this.renderer.getContext();
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    return String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  }

  // Frames a second, over the last second.
  get fps(): number {
    const t = this.times;
    return t.length < 2 ? 0 : (1000 * (t.length - 1)) / (t[t.length - 1] - t[0]);
  }

  touch() {
    this.dirty = true;
  }

  // What a hand feels, as two spikes where it is: force, and torque about its axis.
  showHand(now: Haptic) {
    const scene = this.lanes[0]?.scene, size = this.description?.extent.radius ?? 1;
    if (!scene) return;
    if (this.hand[0]?.parent !== scene) {
      const spike = new THREE.ConeGeometry(0.04, 1).translate(0, 0.5, 0);
      this.hand = [0xd55e00, 0x0072b2].map((color) => new THREE.Mesh(spike, new THREE.MeshBasicMaterial({ color })));
      scene.add(...this.hand);
    }
    // half the scene's size for the device's full force is too much to see anything beside it
    const lengths = [now.force, now.torque].map((v, i) => Math.min(0.6, Math.hypot(...v) / (i ? 0.5 : 15)) * size);
    [now.force, now.torque].forEach((v, i) => {
      const arrow = this.hand[i];
      arrow.visible = lengths[i] > 0.002 * size;
      if (!arrow.visible) return;
      arrow.position.set(...now.hand);
      arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), new THREE.Vector3(...v).normalize());
      arrow.scale.setScalar(lengths[i]);
    });
    this.touch();
  }

  resize(width: number, height: number, ratio: number) {
    if (width < 1 || height < 1) return;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.renderer.setPixelRatio(ratio * spared[this.now].share);
    this.renderer.setSize(width, height, false);
    this.refit();
    this.touch();
  }

  private leaveOut(much: number) {
    if (much === this.now) return;
    this.now = much;
    this.renderer.setPixelRatio(this.ratio * spared[much].share);
    for (const lane of this.lanes) lane.sun.castShadow = this.shadows;
  }
  private get shadows(): boolean {
    return spared[this.now].shadows && !(this.plain && this.thrifty);
  }
  // Too many solids for all that could be drawn.
  private get thrifty(): boolean {
    return !this.all && this.description !== undefined && isCrowded(this.description);
  }

  // Where pictures take long, those of a motion show less, and the last one all. Each time that more turns out
  // to be too slow again, it is tried half as often.
  private adapt(now: number) {
    const last = now - this.drawn, { run } = this;
    if (this.all) return this.leaveOut(0);
    run.slow = last > slow && last < 1500 ? run.slow + 1 : 0;
    run.quick = last < quick ? run.quick + 1 : 0;
    if (run.slow > 3 && this.spare < spared.length - 1) ++this.spare, (run.slow = 0), (run.wanted = Math.min(2 * run.wanted, 1e5));
    if (run.quick > run.wanted && this.spare > 0) --this.spare, (run.quick = 0);
    this.leaveOut(this.spare);
  }

  get showsAll(): boolean {
    return this.all;
  }
  set showsAll(on: boolean) {
    this.all = on;
    if (this.description) this.setScene(this.description, this.lanes.length);
  }

  // What pictures of a motion lack, for people to read.
  get missing(): string[] {
    const { share, shadows } = spared[this.spare], solids = this.lanes[0]?.world.sides ?? 48;
    if (this.all) return [];
    return [...(share < 1 ? [`${100 * share} % of the pixels`] : []),
      ...(shadows && !(this.plain && this.thrifty) ? [] : ["no shadows"]),
      ...(solids < 48 ? [`round solids with ${solids} sides`] : []),
      ...(this.lanes.some((lane) => lane.overlays.many) ? ["contacts as dots and lines"] : [])];
  }

  setTheme(isDark: boolean) {
    this.look = isDark ? dark : light;
    if (this.description) this.setScene(this.description, this.lanes.length);
  }

  // Builds every lane anew; the camera stays, unless it is a new world.
  setScene(description: Scene, lanes: number) {
    const first = this.description?.name !== description.name;
    const frames = this.lanes.map((lane) => lane.frame);
    for (const lane of this.lanes) {
      lane.world.dispose();
      lane.overlays.dispose();
      lane.sun.dispose();
    }
    this.description = description;
    if (!this.environment && !this.plain) {
      const generator = new THREE.PMREMGenerator(this.renderer);
      this.environment = generator.fromScene(new RoomEnvironment(), 0.04).texture;
      generator.dispose();
    }
    this.lanes = Array.from({ length: lanes }, () => this.makeLane(description));
    this.lanes.forEach((_lane, i) => {
      const frame = frames[i] ?? frames[0];
      if (frame && frame.generation === description.generation) this.apply({ ...frame, lane: i });
    });
    this.setOverlays(this.overlays);
    if (first) this.setCamera(this.home);
    else if (this.lanes.length !== frames.length) this.refit();
    this.touch();
  }

  private makeLane(description: Scene): Lane3D {
    const scene = new THREE.Scene();
    const r = description.extent.radius;
    const centre = new THREE.Vector3(...description.extent.centre);
    scene.add(skyDome(this.look));
    if (this.environment) scene.environment = this.environment;
    scene.environmentIntensity = this.look.dark ? 0.3 : 0.42;
    const fill = this.plain ? 2.6 : 1; // in the place of what the environment would give
    scene.add(new THREE.HemisphereLight("#ffffff", this.look.dark ? "#1d232b" : "#c9cfd6", fill * (this.look.dark ? 0.55 : 0.75)));
    const sun = new THREE.DirectionalLight("#fff6e8", this.look.dark ? 1.8 : 2.1);
    sun.position.copy(centre).add(new THREE.Vector3(1.6, -1.3, 3.2).multiplyScalar(1.6 * r));
    sun.target.position.copy(centre);
    // without a shadow to draw, the processor need not look for one at every pixel
    sun.castShadow = this.shadows;
    sun.shadow.mapSize.setScalar(this.plain ? 1024 : 2048);
    const reach = 2.1 * r;
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * r, far: 14 * r });
    sun.shadow.bias = -0.0004;
    sun.shadow.normalBias = 0.004 * r;
    sun.shadow.radius = 5;
    sun.shadow.intensity = 0.9;
    scene.add(sun, sun.target);
    const world = new World(description, this.look, this.plain, this.thrifty);
    scene.add(world.group);
    if (!world.hasGround) {
      const grid = referenceGrid(this.look, r);
      grid.position.copy(centre).setZ(centre.z - 1.3 * r);
      // behind a planar world, in its plane
      if (description.plane) grid.position.z = description.extent.centre[2];
      if (description.plane === "yz") grid.rotation.set(0, 0, Math.PI / 2);
      if (description.plane === "zx") grid.rotation.set(0, 0, 0);
      const behind = { xy: new THREE.Vector3(0, 0, -0.6), yz: new THREE.Vector3(-0.6, 0, 0), zx: new THREE.Vector3(0, 0.6, 0) };
      if (description.plane) grid.position.addScaledVector(behind[description.plane as keyof typeof behind], r);
      scene.add(grid);
    }
    const overlays = new OverlayDrawing(description, this.look, this.plain && !this.all);
    scene.add(overlays.group);
    return { scene, world, overlays, sun, stale: false };
  }

  // The scene in the middle of what is free, unless somebody has moved the camera.
  private refit() {
    if (!this.moved && this.follow < 0) this.setCamera(this.home);
  }

  // Where the camera is, and what it looks at (m, from the scene's origin).
  get place(): { eye: number[]; at: number[]; moved: boolean } {
    return { eye: this.camera.position.toArray(), at: this.controls.target.toArray(), moved: this.moved };
  }
  set place({ eye, at }: { eye: number[]; at: number[] }) {
    this.moved = true;
    this.camera.position.fromArray(eye);
    this.controls.target.fromArray(at);
    this.controls.update();
    this.touch();
  }

  setCamera(camera: Camera) {
    this.home = camera;
    this.moved = false;
    if (!this.description) return;
    const { centre, radius, low, high } = this.description.extent;
    const planar = this.description.plane;
    // planar worlds are looked at along their normal, a little from the side
    const azimuth = ((camera.azimuth ?? (planar === "yz" ? 12 : planar === "zx" ? -78 : planar === "xy" ? -90 : -58)) * Math.PI) / 180;
    const elevation = ((camera.elevation ?? (planar === "xy" ? 86 : planar ? 8 : 20)) * Math.PI) / 180;
    const aspect = Math.max(this.laneBox(0).width / Math.max(this.laneBox(0).height, 1), 0.2);
    const fit = 1 / Math.sin((0.5 * this.camera.fov * Math.PI) / 180) / Math.min(1, aspect);
    const distance = (camera.distance ?? 0.84) * fit * radius;
    const target = new THREE.Vector3(...(camera.target ?? centre));
    const way = new THREE.Vector3(Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation));
    this.controls.target.copy(target);
    this.camera.position.copy(way).multiplyScalar(distance).add(target);
    if (camera.distance === undefined && camera.target === undefined) {
      this.camera.lookAt(target);
      const { eye, at } = this.placeFor(low, high, way);
      this.camera.position.copy(eye);
      this.controls.target.copy(at);
    }
    this.keeper.begin(low, high);
    this.camera.near = 0.004 * radius;
    this.camera.far = 400 * radius;
    this.controls.minDistance = 0.02 * radius;
    this.controls.maxDistance = 60 * radius;
    this.controls.update();
    if (camera.follow) this.setFollow(this.description.bodies.findIndex((b) => b.name === camera.follow));
    this.touch();
  }

  // Where a camera that looks against `way` sees a box.
  private placeFor(low: number[], high: number[], way: THREE.Vector3) {
    const { width, height } = this.laneBox(0);
    const { eye, distance } = fitted({ turn: this.camera.quaternion, fov: this.camera.fov, width, height }, this.margins, corners(low, high));
    const { radius } = this.description!.extent;
    return { eye, at: eye.clone().addScaledVector(way, -Math.max(distance, 0.4 * radius)) };
  }

  private moversBox(): THREE.Box3 {
    const box = new THREE.Box3();
    for (const lane of this.lanes) lane.world.addMovers(box);
    return box;
  }

  // .. unless somebody has moved the camera, said where it is, or holds a body (controls rest then).
  private keepInSight(now: number) {
    const free = this.controls.enabled && !this.moved && this.follow < 0 && this.home.distance === undefined && !this.home.target;
    if (!this.keeps || !free || !this.description) return;
    if (this.keeper.go(now)) this.touch();
  }

  setFollow(body: number) {
    this.follow = body;
    if (body >= 0 && this.lanes[0]) this.followed.setFromMatrixPosition(this.lanes[0].world.bodies[body]);
  }

  setOverlays(overlays: Overlays) {
    this.overlays = overlays;
    for (const lane of this.lanes) {
      lane.world.showPieces(overlays.pieces);
      if (lane.frame) lane.overlays.draw(lane.frame, overlays);
      else lane.overlays.clear();
    }
    this.touch();
  }

  apply(frame: Frame) {
    const lane = this.lanes[frame.lane];
    if (!lane || frame.generation !== this.description?.generation) return;
    lane.frame = frame;
    lane.stale = true;
    this.touch();
  }

  // Places the newest frames: more may come than pictures are drawn.
  settle() {
    for (const [i, lane] of this.lanes.entries()) {
      if (!lane.stale || !lane.frame) continue;
      lane.stale = false;
      lane.world.apply(lane.frame);
      lane.overlays.draw(lane.frame, this.overlays);
      if (i === 0 && this.follow >= 0) this.goAlong(lane);
    }
  }

  private goAlong(lane: Lane3D) {
    const now = new THREE.Vector3().setFromMatrixPosition(lane.world.bodies[this.follow]);
    const move = now.clone().sub(this.followed);
    this.camera.position.add(move);
    this.controls.target.add(move);
    this.followed.copy(now);
  }

  // Where a lane is on the canvas (CSS pixels, from the top left): a row, two by two, or a column
  // where the canvas is narrow.
  laneBox(i: number): { x: number; y: number; width: number; height: number } {
    const n = Math.max(this.lanes.length, 1);
    const narrow = this.height > 1.2 * this.width;
    const columns = n === 4 ? 2 : narrow ? 1 : n, rows = Math.ceil(n / columns);
    const width = this.width / columns, height = this.height / rows;
    return { x: (i % columns) * width, y: Math.floor(i / columns) * height, width, height };
  }

  draw(force = false) {
    this.settle();
    const now = performance.now();
    this.keepInSight(now);
    this.controls.update();
    const settled = this.now > 0 && now - this.drawn > 350;
    if (!this.dirty && !force && !settled) return;
    if (force || (settled && !this.dirty)) this.leaveOut(0);
    else this.adapt(now);
    this.drawn = now;
    this.dirty = false;
    this.times.push(now);
    while (this.times.length > 2 && this.times[0] < now - 1000) this.times.shift();
    this.lanes.forEach((lane, i) => {
      const box = this.laneBox(i);
      this.camera.aspect = box.width / box.height;
      this.camera.updateProjectionMatrix();
      const bottom = this.height - box.y - box.height;
      this.renderer.setViewport(box.x, bottom, box.width, box.height);
      this.renderer.setScissor(box.x, bottom, box.width, box.height);
      this.renderer.render(lane.scene, this.camera);
    });
    this.onDraw();
  }

  laneAt(x: number, y: number): number {
    for (let i = 0; i < this.lanes.length; ++i) {
      const b = this.laneBox(i);
      if (x >= b.x && x < b.x + b.width && y >= b.y && y < b.y + b.height) return i;
    }
    return 0;
  }

  // A ray through a place on the canvas (CSS pixels).
  rayAt(x: number, y: number): THREE.Raycaster {
    const b = this.laneBox(this.laneAt(x, y));
    this.camera.aspect = b.width / b.height;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.ray.setFromCamera(new THREE.Vector2((2 * (x - b.x)) / b.width - 1, 1 - (2 * (y - b.y)) / b.height), this.camera);
    return this.ray;
  }

  pick(x: number, y: number): Hit | undefined {
    const lane = this.laneAt(x, y);
    const hit = this.lanes[lane]?.world.pick(this.rayAt(x, y));
    return hit && { lane, ...hit };
  }

  // Where a point of the world is on the canvas.
  project(point: THREE.Vector3, lane = 0): { x: number; y: number; visible: boolean } {
    const b = this.laneBox(lane);
    this.camera.aspect = b.width / b.height;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    const p = point.clone().project(this.camera);
    return { x: b.x + (0.5 + 0.5 * p.x) * b.width, y: b.y + (0.5 - 0.5 * p.y) * b.height, visible: p.z < 1 };
  }
}
