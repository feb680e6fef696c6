// The hand of a haptic run by keys and by a gamepad: steps of the hand, in the axes of the screen, at each picture.
import * as THREE from "three";
import type { Stage } from "./stage";
import type { Haptic } from "./types";

// Of the scene's radius, and of a radian, a second.
const speed = 0.5, turning = 1;
const dead = 0.15; // of a stick that nobody touches

// Key: right, up, towards the eye.
const keys: Record<string, [number, number, number]> = {
  ArrowRight: [1, 0, 0], ArrowLeft: [-1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0],
  PageUp: [0, 0, -1], PageDown: [0, 0, 1],
};
const clutchKey = "x";

export class HandKeys {
  private held = new Set<string>();
  private last = 0; // ms
  private felt?: Haptic;
  private pressed = 0; // buttons that were told

  constructor(private stage: Stage, private send: (command: object) => void) {
    window.addEventListener("keyup", (e) => this.held.delete(e.key));
    window.addEventListener("blur", () => this.held.clear());
  }

  get isOn(): boolean {
    return this.felt?.device === "mouse";
  }
  // Whether the key is one of the hand's.
  down(e: KeyboardEvent): boolean {
    if (!this.isOn || !(e.key in keys || e.key === clutchKey || e.key === "Shift")) return false;
    this.held.add(e.key);
    return true;
  }
  feels(now: Haptic) {
    this.felt = now;
    if (!this.isOn) return;
    const strength = Math.min(1, Math.hypot(...now.force) / Math.max(now.limit, 1e-9));
    if (strength < 0.02) return;
    for (const pad of this.pads())
      void pad.vibrationActuator?.playEffect("dual-rumble", { duration: 120, strongMagnitude: strength, weakMagnitude: strength / 2 });
  }
  // At each picture.
  tick(now: number) {
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    if (!this.isOn) return;
    const move = new THREE.Vector3(), turn = new THREE.Vector3();
    let buttons = this.held.has(clutchKey) ? 1 : 0;
    for (const key of this.held)
      if (key in keys) (this.held.has("Shift") ? turn : move).add(new THREE.Vector3(...keys[key]));
    for (const pad of this.pads()) buttons |= this.readPad(pad, move, turn);
    if (move.lengthSq() === 0 && turn.lengthSq() === 0 && buttons === this.pressed) return;
    this.pressed = buttons;
    // turned to the right is about the screen's axis upwards, and so on, as a ball under a finger
    turn.set(-turn.y, turn.x, -turn.z);
    const { camera, description } = this.stage, radius = description?.extent.radius ?? 1;
    const inScene = (v: THREE.Vector3, scale: number) => v.multiplyScalar(scale * seconds).applyQuaternion(camera.quaternion).toArray();
    this.send({ do: "hand", move: inScene(move, speed * radius), turn: inScene(turn, turning), buttons });
  }

  private pads(): Gamepad[] {
    return (navigator.getGamepads?.() ?? []).filter((pad): pad is Gamepad => pad !== null && pad.connected);
  }
  // Left stick: in the plane of the screen; right stick: depth. With the left shoulder they turn. The first button is
  // the clutch, the next three are the device's.
  private readPad(pad: Gamepad, move: THREE.Vector3, turn: THREE.Vector3): number {
    const stick = (i: number) => (Math.abs(pad.axes[i] ?? 0) > dead ? pad.axes[i] : 0);
    const to = pad.buttons[4]?.pressed ? turn : move;
    to.add(new THREE.Vector3(stick(0), -stick(1), stick(3)));
    return [0, 1, 2, 3].reduce((bits, i) => bits | (pad.buttons[i]?.pressed ? 1 << i : 0), 0);
  }
}
