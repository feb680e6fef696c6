// What is written over the scene: names of the lanes, lines between them, errors of joints.
import { h } from "./dom";
import type { Stage } from "./stage";
import type { Status } from "./types";

export class Marks {
  private lanes: HTMLElement[] = [];
  private made = ""; // what they were made of
  private labels: HTMLElement[] = [];

  constructor(private view: HTMLElement, private stage: Stage, private embedded: boolean) {}

  // Names of the lanes, and lines between them.
  make(names: string[], status?: Status) {
    const of = JSON.stringify([names, status?.lanes, this.stage.lanes.map((_lane, i) => this.stage.laneBox(i)), this.stage.look.dark]);
    if (of === this.made) return;
    this.made = of;
    for (const m of this.lanes) m.remove();
    this.lanes = [];
    const several = this.stage.lanes.length > 1;
    this.stage.lanes.forEach((_lane, i) => {
      const box = this.stage.laneBox(i);
      const state = status?.lanes[i];
      if ((several || state) && (!this.embedded || several)) this.lanes.push(this.name(i, names[i] ?? "", several, status));
      const line = (css: string) => this.lanes.push(h("div", { class: "abut-divider", style: css }));
      if (box.x > 0) line(`left:${box.x - 1}px;top:${box.y}px;width:2px;height:${box.height}px`);
      if (box.y > 0) line(`left:${box.x}px;top:${box.y - 1}px;width:${box.width}px;height:2px`);
    });
    this.view.append(...this.lanes);
  }

  private name(i: number, label: string, several: boolean, status?: Status): HTMLElement {
    const box = this.stage.laneBox(i), state = status?.lanes[i];
    const top = box.y + (box.y === 0 && !this.embedded ? this.stage.margins.top - 32 : 10);
    const mark = h("div", { class: "abut-card abut-lane",
      style: `left:${box.x + 12}px;top:${top}px;max-width:${box.width - 24}px` + (several ? `;--key:${this.stage.look.lanes[i]}` : "") },
      h("span", {}, state?.label ?? label),
      h("small", {}, state?.diverged ? `diverged at ${state.diverged}` : state ? `${state.friction} · ${state.stabilize}` : ""));
    mark.classList.toggle("abut-lost", Boolean(state?.diverged));
    return mark;
  }

  // One that would lie on another is left out.
  place() {
    const wanted = this.stage.lanes.flatMap((lane, i) => lane.overlays.labels.slice(0, 40).map((l) => ({ ...l, lane: i })));
    while (this.labels.length < wanted.length) {
      const mark = h("div", { class: "abut-mark" });
      this.labels.push(mark);
      this.view.append(mark);
    }
    const taken: { x: number; y: number }[] = [];
    this.labels.forEach((mark, i) => {
      const label = wanted[i];
      const at = label && this.stage.project(label.at, label.lane);
      const free = at?.visible && !taken.some((t) => Math.abs(t.x - at.x) < 64 && Math.abs(t.y - at.y) < 17);
      mark.style.display = free ? "" : "none";
      if (!at || !free) return;
      taken.push(at);
      mark.textContent = label.text;
      mark.style.left = `${at.x}px`;
      mark.style.top = `${at.y}px`;
    });
  }
}
