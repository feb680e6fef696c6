// What can be chosen while a live run goes on.
import { h } from "./dom";
import type { Choices, Overlays, Scene, Status } from "./types";

// key, name, what it is, letter (with shift)
export const overlayNames: [keyof Overlays, string, string, string][] = [
  ["points", "Points", "where solids touch", "P"],
  ["normals", "Normals", "from A to B", "N"],
  ["forces", "Forces", "on B; long ones are drawn shorter", "F"],
  ["cones", "Friction cones", "of Coulomb, as high as the normal force", "C"],
  ["phases", "Phases", "near, new, sticking, sliding", "H"],
  ["features", "Features", "the vertices, edges and faces that touch", "E"],
  ["volumes", "Overlap", "what solids have in common", "V"],
  ["joints", "Joint errors", "where joints that close loops have come apart", "J"],
  ["boxes", "Boxes", "bounding boxes", "B"],
  ["pieces", "Pieces", "what meshes collide as", "M"],
];

const steps = ["0.0005", "0.001", "0.002", "0.004", "0.005", "0.01", "0.02", "0.05"];

interface Slider {
  row: HTMLElement[];
  input: HTMLInputElement;
  value: HTMLElement;
}

const mostSliders = 64; // as many joints as a status has

function slider(name: string, [low, high]: [number, number], change: (x: number) => void): Slider {
  const input = h("input", { type: "range", min: low, max: high, step: (high - low) / 200, value: 0, "aria-label": name });
  const value = h("span", {}, "0");
  input.oninput = () => {
    value.textContent = Number(input.value).toFixed(2);
    change(Number(input.value));
  };
  return { row: [h("label", { title: name }, name), h("div", { class: "abut-row" }, input, value)], input, value };
}

function show({ input, value }: Slider, x: number) {
  if (document.activeElement === input && input.matches(":active")) return;
  input.value = String(x);
  value.textContent = x.toFixed(2);
}

export class LivePanel {
  readonly element = h("div", { class: "abut-model" });
  private fields = h("div", { class: "abut-fields" });
  private contact = h("select", { "data-choice": "contact" });
  private friction = h("select", { "data-choice": "friction" });
  private stabilize = h("select", { "data-choice": "stabilize" });
  private timestep = h("select", { "data-choice": "timestep" });
  private keyframe = h("select", { "data-choice": "keyframe" });
  private besides = h("div", { class: "abut-chips" });
  private sliders = h("div", {});
  private lanesTitle = h("h3", {}, "Side by side");
  private controlsTitle = h("h3", {}, "Actuators");
  private jointsTitle = h("h3", {}, "Joints");
  private jointSliders = h("div", {});
  private joints: Slider[] = [];
  private scene?: Scene;
  private choices?: Choices;
  private status?: Status;
  private controls: Slider[] = [];

  constructor(private send: (command: object) => void) {
    const field = (name: string, select: HTMLSelectElement, change: (value: string) => object) => {
      select.onchange = () => {
        send(change(select.value));
        select.blur();
      };
      this.fields.append(h("label", {}, name), select);
    };
    field("contact", this.contact, (value) => ({ do: "contact", lane: 0, value }));
    field("friction", this.friction, (value) => ({ do: "friction", lane: 0, value }));
    field("stabilise", this.stabilize, (value) => ({ do: "stabilize", lane: 0, value }));
    field("step", this.timestep, (value) => ({ do: "timestep", value: Number(value) }));
    field("keyframe", this.keyframe, (value) => ({ do: "keyframe", name: value }));
    this.element.append(h("h3", {}, "Model"), this.fields, this.lanesTitle, this.besides,
      this.controlsTitle, this.sliders, this.jointsTitle, this.jointSliders);
  }

  private fill(select: HTMLSelectElement, values: string[], now: string) {
    const all = values.includes(now) || now === "" ? values : [now, ...values];
    const text = all.join("|");
    if (select.dataset.values !== text) {
      select.dataset.values = text;
      select.replaceChildren(...all.map((v) => h("option", { value: v }, v)));
    }
    if (document.activeElement !== select) select.value = now;
  }

  setScene(scene: Scene) {
    this.scene = scene;
    const shown = scene.keyframes.length > 0 ? "" : "none";
    this.keyframe.style.display = shown;
    (this.keyframe.previousElementSibling as HTMLElement).style.display = shown;
    this.fill(this.keyframe, ["", ...scene.keyframes], "");
    this.controlsTitle.style.display = scene.actuators.length > 0 ? "" : "none";
    this.controls = scene.actuators.slice(0, mostSliders).map((a, i) =>
      slider(a.name, a.range ?? [-1, 1], (value) => this.send({ do: "control", index: i, value })));
    this.sliders.replaceChildren(h("div", { class: "abut-fields" }, ...this.controls.flatMap((s) => s.row)));
    this.jointsTitle.style.display = scene.joints.length > 0 ? "" : "none";
    this.joints = scene.joints.slice(0, mostSliders).map((j) =>
      slider(j.name, j.range ?? (j.unit === "rad" ? [-Math.PI, Math.PI] : [-scene.extent.radius, scene.extent.radius]),
        (value) => this.send({ do: "joint", index: j.index, value })));
    this.jointSliders.replaceChildren(h("div", { class: "abut-fields" }, ...this.joints.flatMap((s) => s.row)));
    this.update();
  }
  setChoices(choices: Choices) {
    this.choices = choices;
    this.update();
  }
  setStatus(status: Status) {
    this.status = status;
    this.update();
    this.controls.forEach((slider, i) => show(slider, status.control[i] ?? 0));
    this.joints.forEach((slider, i) => show(slider, status.joints[i] ?? 0));
  }

  private update() {
    const { choices, status } = this;
    if (!choices || !status || !this.scene) return;
    const lane = status.lanes[0];
    this.fill(this.contact, choices.contact, lane.contact);
    // what the model takes, and no more
    const taken = choices.allowed[lane.contact] ?? choices;
    this.fill(this.friction, taken.friction, lane.friction);
    this.fill(this.stabilize, taken.stabilize, lane.stabilize);
    const now = String(Number(status.timestep.toPrecision(6)));
    this.fill(this.timestep, [...new Set([...steps, now])].sort((a, b) => Number(a) - Number(b)), now);
    // the first lane stays; a click adds or removes one beside it
    const beside = new Set(status.lanes.slice(1).map((l) => l.contact));
    // made anew only where they change: a button that goes between press and release is not clicked
    const shown = [lane.contact, ...beside].join();
    if (this.besides.dataset.shown === shown) return;
    this.besides.dataset.shown = shown;
    this.besides.replaceChildren(...choices.contact.filter((c) => c !== lane.contact).map((c) => {
      const chip = h("button", { type: "button", class: "abut-chip" + (beside.has(c) ? " abut-on" : ""), "data-beside": c,
        disabled: !beside.has(c) && beside.size >= 3 }, c);
      chip.onclick = () => {
        const rest = status.lanes.slice(1).map((l) => l.contact);
        this.send({ do: "lanes", contact: [lane.contact, ...(beside.has(c) ? rest.filter((x) => x !== c) : [...rest, c])] });
      };
      return chip;
    }));
  }
}
