// The bodies of the world as a tree with a search field, what is known of the chosen one, and the
// contacts with the largest forces.
import { Phase, type Frame } from "./decode";
import { h } from "./dom";
import { shortNumber } from "./overlays";
import type { Scene } from "./types";

const mostRows = 300, mostContacts = 12;

export class BodyTree {
  readonly element = h("div", {});
  private search = h("input", { type: "search", placeholder: "search bodies", "aria-label": "search bodies" });
  private list = h("div", { class: "abut-tree", role: "tree" });
  private scene?: Scene;
  private chosen = -1;

  constructor(private choose: (body: number) => void) {
    this.search.oninput = () => this.fill();
    this.element.append(this.search, this.list);
  }

  setScene(scene: Scene) {
    this.scene = scene;
    this.element.style.display = scene.bodies.length > 1 ? "" : "none";
    this.search.style.display = scene.bodies.length > 8 ? "" : "none";
    this.fill();
  }
  select(body: number) {
    this.chosen = body;
    for (const row of this.list.querySelectorAll<HTMLElement>("button")) {
      const is = Number(row.dataset.body) === body;
      row.classList.toggle("abut-on", is);
      if (is) row.scrollIntoView({ block: "nearest" });
    }
  }

  // Children below their parents; what is found keeps its depth.
  private fill() {
    const { bodies } = this.scene!;
    const wanted = this.search.value.trim().toLowerCase();
    const children = bodies.map(() => [] as number[]);
    bodies.forEach((b, i) => i > 0 && children[b.parent]?.push(i));
    const rows: HTMLElement[] = [];
    let more = 0;
    const add = (body: number, depth: number) => {
      if (body > 0 && bodies[body].name.toLowerCase().includes(wanted)) {
        if (rows.length < mostRows) rows.push(this.row(body, depth));
        else ++more;
      }
      for (const child of children[body]) add(child, depth + 1);
    };
    add(0, -1);
    if (more) rows.push(h("small", {}, `.. and ${more} more: search`));
    this.list.replaceChildren(...rows);
    this.select(this.chosen);
  }

  private row(body: number, depth: number): HTMLElement {
    return h("button", { type: "button", role: "treeitem", "data-body": body, style: `padding-left:${8 + 12 * depth}px`,
      onclick: () => this.choose(body) }, this.scene!.bodies[body].name);
  }
}

const digits = (x: number) => shortNumber(Math.abs(x) < 1e-7 ? 0 : x);
const three = (a: Float32Array, at: number) => `${digits(a[at])}, ${digits(a[at + 1])}, ${digits(a[at + 2])}`;
const phases: Record<Phase, string> = { [Phase.near]: "near", [Phase.impact]: "new", [Phase.sticking]: "sticking", [Phase.sliding]: "sliding" };

// Pose, velocity, mass and contacts of one body.
export class Readout {
  readonly element = h("div", { class: "abut-readout" });

  draw(scene: Scene | undefined, frame: Frame | undefined, body: number) {
    const about = scene?.bodies[body];
    this.element.style.display = about && body > 0 ? "" : "none";
    if (!scene || !frame || !about) return;
    const rows: [string, string][] = [];
    if (about.mass > 0) rows.push(["mass", `${digits(about.mass)} kg`]);
    const at = scene.moving.indexOf(body);
    const p = Float32Array.from(about.pos);
    const q = at >= 0 ? frame.poses.slice(7 * at + 3, 7 * at + 7) : Float32Array.from(about.quat);
    if (at >= 0) p.set(frame.poses.slice(7 * at, 7 * at + 3));
    scene.origin.forEach((x, i) => (p[i] += x));
    rows.push(["position", `${three(p, 0)} m`], ["quaternion", `${digits(q[3])}, ${three(q, 0)}`]);
    if (at >= 0 && frame.velocities.length > 6 * at + 5)
      rows.push(["velocity", `${three(frame.velocities, 6 * at)} m/s`], ["turning", `${three(frame.velocities, 6 * at + 3)} rad/s`]);
    const { pairs } = frame;
    for (let i = 0; i < pairs.length && rows.length < 32; ++i) {
      const a = scene.geoms[pairs.a(i)], b = scene.geoms[pairs.b(i)];
      if (a.body !== body && b.body !== body) continue;
      const other = a.body === body ? b : a;
      rows.push([`on ${other.body === 0 ? other.name : scene.bodies[other.body].name}`, `${digits(pairs.newton(i))} N, ${phases[pairs.phase(i)]}`]);
    }
    this.element.replaceChildren(h("b", {}, about.name), h("dl", {}, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])));
  }
}

// The pairs with the largest forces.
export class ContactList {
  readonly element = h("div", { class: "abut-contacts" });

  constructor(private choose: (body: number) => void) {}

  // False: there is nothing to list.
  draw(scene: Scene | undefined, frame: Frame | undefined): boolean {
    const pairs = frame?.pairs, force = Array.from({ length: pairs?.length ?? 0 }, (_x, i) => pairs!.newton(i));
    const pressed = [...force.keys()].filter((i) => force[i] > 0).sort((i, k) => force[k] - force[i]);
    if (!scene || !pairs || pressed.length === 0) return false;
    const rows = pressed.slice(0, mostContacts).map((i) => {
      const a = scene.geoms[pairs.a(i)], b = scene.geoms[pairs.b(i)];
      const name = (g: typeof a) => (g.body === 0 ? g.name : scene.bodies[g.body].name);
      const choose = () => this.choose(b.body || a.body);
      // at the press: the list is written anew several times a second
      return h("button", { type: "button", onpointerdown: choose, onclick: choose },
        h("span", {}, `${name(a)} – ${name(b)}`), h("span", {}, `${digits(force[i])} N`), h("span", {}, phases[pairs.phase(i)]));
    });
    if (pressed.length > mostContacts) rows.push(h("button", { type: "button", disabled: true }, `.. and ${pressed.length - mostContacts} more`));
    this.element.replaceChildren(...rows);
    return true;
  }
}
