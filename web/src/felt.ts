// What the hand feels, and whether the loop keeps its time: numbers, and traces of the last ten seconds.
import { h } from "./dom";
import type { Haptic } from "./types";

const kept = 100; // readings
const colours = ["#d55e00", "#009e73", "#0072b2"]; // x, y, z

export class FeltCard {
  readonly element: HTMLElement;
  private text = h("div");
  private canvas = h("canvas", { width: 240, height: 72, "aria-label": "force on the hand, x, y and z" });
  private readings: Haptic[] = [];

  constructor() {
    this.element = h("div", { class: "abut-card abut-felt" }, this.text, this.canvas);
  }

  show(now: Haptic) {
    this.readings.push(now);
    if (this.readings.length > kept) this.readings.shift();
    const f = Math.hypot(...now.force), t = Math.hypot(...now.torque);
    this.text.textContent = [
      `${now.device}, ${now.rate} Hz${now.gate < 1 ? ", let go" : ""}`,
      `computation ${now.compute_us.p50.toFixed(0)} us, p99 ${now.compute_us.p99.toFixed(0)} us`,
      `wake-up p99 ${now.wake_us.p99.toFixed(1)} us, late ${now.late} of ${now.cycles}`,
      `force ${f.toFixed(2)} N, torque ${(1000 * t).toFixed(1)} mN m`,
    ].join("\n");
    this.trace();
  }

  private trace() {
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    const { width, height } = this.canvas;
    const most = Math.max(1, ...this.readings.flatMap((r) => r.force.map(Math.abs)));
    pen.clearRect(0, 0, width, height);
    colours.forEach((colour, axis) => {
      pen.strokeStyle = colour;
      pen.beginPath();
      this.readings.forEach((r, i) => {
        const x = (i / (kept - 1)) * width, y = height / 2 - (r.force[axis] / most) * (height / 2 - 3);
        if (i) pen.lineTo(x, y);
        else pen.moveTo(x, y);
      });
      pen.stroke();
    });
  }
}
