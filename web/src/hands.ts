// Hands: pointer and wheel. A drag on a body pulls it by a spring, with shift it twists it; a drag
// beside one turns the camera. Tools: hand, camera, push, throw.
import * as THREE from "three";
import type { Hit, Stage } from "./stage";

export type Tool = "hand" | "camera" | "push" | "throw";

export interface Actions {
  send(command: object): void;
  canTouch(body: number): boolean;
  hover(hit: Hit | undefined, x: number, y: number): void;
  select(body: number): void;
}

export class Hands {
  tool: Tool = "hand";
  enabled = true; // false: a replay, where nothing can be pulled
  held = -1;
  private plane = new THREE.Plane();
  private grip = new THREE.Vector3(); // in the body
  private twistFrom = { x: 0, y: 0 };
  private mode: "none" | "pull" | "twist" | "push" = "none";
  private rope: THREE.Line;
  private ropeEnd: THREE.Mesh;
  private ball: THREE.Mesh;
  private target = new THREE.Vector3();
  private lastHover = 0;

  constructor(private stage: Stage, private actions: Actions) {
    const red = new THREE.MeshBasicMaterial({ color: "#e69f00", depthTest: false, transparent: true, opacity: 0.9 });
    this.rope = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]),
      new THREE.LineBasicMaterial({ color: "#e69f00", depthTest: false, transparent: true }));
    this.ropeEnd = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), red);
    this.ball = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 20),
      new THREE.MeshBasicMaterial({ color: "#e69f00", transparent: true, opacity: 0.28, depthWrite: false }));
    for (const object of [this.rope, this.ropeEnd, this.ball]) {
      object.visible = false;
      object.renderOrder = 40;
      object.frustumCulled = false;
    }
    const canvas = stage.canvas;
    // before the camera's own handlers
    canvas.addEventListener("pointerdown", (e) => this.down(e), { capture: true });
    canvas.addEventListener("pointermove", (e) => this.move(e), { capture: true });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"] as const)
      canvas.addEventListener(end, (e) => this.up(e), { capture: true });
    canvas.addEventListener("pointerleave", () => actions.hover(undefined, 0, 0));
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  }

  // The marks belong to the lane that is being touched.
  attach(lane: number) {
    this.stage.lanes[lane]?.scene.add(this.rope, this.ropeEnd, this.ball);
  }

  private place(e: PointerEvent) {
    const box = this.stage.canvas.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  }

  private down(e: PointerEvent) {
    if (!this.enabled || e.button !== 0 || e.altKey) return;
    const { x, y } = this.place(e);
    if (this.tool === "throw" && !e.ctrlKey) {
      this.throwFrom(x, y);
      e.stopImmediatePropagation();
      return;
    }
    if (this.tool === "push" && !e.ctrlKey) {
      this.mode = "push";
      this.attach(this.stage.laneAt(x, y));
      this.startPlane(this.stage.pick(x, y)?.point ?? this.stage.controls.target);
      this.begin(e);
      this.push(x, y);
      return;
    }
    if (this.tool === "camera" && !e.ctrlKey && !e.shiftKey) return;
    const hit = this.stage.pick(x, y);
    if (!hit || !this.actions.canTouch(hit.body)) return;
    this.held = hit.body;
    this.actions.select(hit.body);
    this.attach(hit.lane);
    const pose = this.stage.lanes[hit.lane].world.bodies[hit.body];
    this.grip.copy(hit.point).applyMatrix4(pose.clone().invert());
    this.startPlane(hit.point);
    this.mode = e.shiftKey ? "twist" : "pull";
    this.twistFrom = { x, y };
    this.begin(e);
    if (this.mode === "pull") this.pull(hit.point);
  }

  private begin(e: PointerEvent) {
    this.stage.canvas.setPointerCapture(e.pointerId);
    this.stage.controls.enabled = false;
    e.stopImmediatePropagation();
  }

  // Drags go in the plane through the grip that faces the camera; in a planar world, in its plane.
  private startPlane(point: THREE.Vector3) {
    const normal = this.stage.camera.getWorldDirection(new THREE.Vector3());
    const planar = this.stage.description?.plane;
    if (planar === "xy") normal.set(0, 0, 1);
    if (planar === "yz") normal.set(1, 0, 0);
    if (planar === "zx") normal.set(0, 1, 0);
    this.plane.setFromNormalAndCoplanarPoint(normal, point);
  }

  private move(e: PointerEvent) {
    const { x, y } = this.place(e);
    if (this.mode === "none") {
      const now = performance.now();
      if (e.buttons !== 0 || now - this.lastHover < 70) return;
      this.lastHover = now;
      this.actions.hover(this.stage.pick(x, y), x, y);
      return;
    }
    e.stopImmediatePropagation();
    if (this.mode === "push") return this.push(x, y);
    if (this.mode === "twist") return this.twist(x, y);
    const at = this.stage.rayAt(x, y).ray.intersectPlane(this.plane, new THREE.Vector3());
    if (at) this.pull(at);
  }

  private pull(at: THREE.Vector3) {
    this.target.copy(at);
    this.actions.send({ do: "grab", body: this.held, point: this.grip.toArray(), target: at.toArray() });
    this.draw();
  }

  // About the axis that the drag would roll a ball under the pointer about.
  private twist(x: number, y: number) {
    const right = new THREE.Vector3().setFromMatrixColumn(this.stage.camera.matrixWorld, 0);
    const up = new THREE.Vector3().setFromMatrixColumn(this.stage.camera.matrixWorld, 1);
    const turn = up.multiplyScalar((x - this.twistFrom.x) / 120).add(right.multiplyScalar((y - this.twistFrom.y) / 120));
    this.actions.send({ do: "twist", body: this.held, turn: turn.toArray() });
  }

  private push(x: number, y: number) {
    const at = this.stage.rayAt(x, y).ray.intersectPlane(this.plane, new THREE.Vector3());
    if (!at) return;
    const radius = 0.22 * (this.stage.description?.extent.radius ?? 1);
    this.ball.visible = true;
    this.ball.position.copy(at);
    this.ball.scale.setScalar(radius);
    this.actions.send({ do: "push", point: at.toArray(), radius });
    this.stage.touch();
  }

  throwFrom(x: number, y: number) {
    const { direction } = this.stage.rayAt(x, y).ray;
    const r = this.stage.description?.extent.radius ?? 1;
    const camera = this.stage.camera.position;
    const distance = Math.min(camera.distanceTo(this.stage.controls.target), 3 * r);
    const from = camera.clone().addScaledVector(direction, Math.max(camera.distanceTo(this.stage.controls.target) - 1.3 * r, 0.2 * distance));
    const g = Math.hypot(...(this.stage.description?.gravity ?? [0, 0, 0])) || 9.81;
    // a speed that looks brisk at any size of world
    const speed = 2.2 * Math.sqrt(g * r);
    this.actions.send({ do: "throw", position: from.toArray(), velocity: direction.clone().multiplyScalar(speed).toArray(), size: 0.09 * r });
  }

  private up(e: PointerEvent) {
    if (this.mode === "none") return;
    this.mode = "none";
    this.held = -1;
    this.actions.send({ do: "release" });
    this.rope.visible = this.ropeEnd.visible = this.ball.visible = false;
    this.stage.controls.enabled = true;
    if (this.stage.canvas.hasPointerCapture(e.pointerId)) this.stage.canvas.releasePointerCapture(e.pointerId);
    e.stopImmediatePropagation();
    this.stage.touch();
  }

  // The spring, from the grip to the pointer.
  draw() {
    const pulling = this.mode === "pull" && this.held >= 0;
    this.rope.visible = this.ropeEnd.visible = pulling;
    if (!pulling) return;
    const lane = this.stage.lanes.find((l) => l.scene === this.rope.parent);
    const pose = lane?.world.bodies[this.held];
    if (!pose) return;
    const from = this.grip.clone().applyMatrix4(pose);
    this.rope.geometry.setFromPoints([from, this.target]);
    this.ropeEnd.position.copy(this.target);
    this.ropeEnd.scale.setScalar(0.018 * (this.stage.description?.extent.radius ?? 1));
    this.stage.touch();
  }
}
