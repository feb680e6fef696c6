// Viewer: the page's parts put together. A live run has all of them; a film in a report has the
// scene, the timeline and the overlays.
import { FeltCard } from "./felt";
import { HandKeys } from "./handkeys";
import * as THREE from "three";
import { Number_, type Film, type Frame } from "./decode";
import { button, h, seconds, setIcon } from "./dom";
import { Hands, type Tool } from "./hands";
import { helpPage } from "./help";
import { commandsFor, readAddress, writeAddress, type Seen } from "./address";
import { BodyTree, ContactList, Readout } from "./bodies";
import { Marks } from "./marks";
import { LivePanel } from "./panel";
import { Recorder } from "./recorder";
import { Plots } from "./plots";
import { FilmSource, LiveSource, type Listener } from "./sources";
import type { Margins } from "./fit";
import { Stage, type Hit } from "./stage";
import { noOverlays, type Boot, type Choices, type Overlays, type Scene, type Status } from "./types";
import { overlayNames } from "./panel";
import { savePicture } from "./capture";

export interface ViewerOptions {
  embedded?: boolean;
  boot: Boot;
  labels: string[]; // of lanes
  still?: boolean; // pictures are taken of it: what was drawn stays
}

// Left out where there is little room.
const spare = (b: HTMLElement) => (b.classList.add("abut-spare"), b);

const isNarrow = () => matchMedia("(max-width: 760px)").matches;

const speeds = [0.1, 0.25, 0.5, 1, 2, 4];

export class Viewer implements Listener {
  readonly stage: Stage;
  readonly hands: Hands;
  readonly plots: Plots;
  film?: FilmSource;
  live?: LiveSource;
  status_?: Status;
  choices_?: Choices;
  selected = -1;
  private panel?: LivePanel;
  private root: HTMLElement;
  private view = h("div", { class: "abut-view" });
  private side = h("aside", { class: "abut-panel" });
  private head = h("div", { class: "abut-head" });
  private foot = h("div", { class: "abut-foot" });
  private tip = h("div", { class: "abut-card abut-tip" });
  private toast = h("div", { class: "abut-card abut-toast", role: "status" });
  private felt = new FeltCard();
  private handKeys: HandKeys;
  private legend = h("div", { class: "abut-card abut-legend" });
  private pop = h("div", { class: "abut-card abut-pop" });
  private help = helpPage();
  private playButton = button("play", "Play (space)", () => this.toggle());
  private undoButton = button("undo", "Undo (Z)", () => this.send({ do: "undo" }));
  private slider = h("input", { type: "range", min: 0, max: 1, step: 1, value: 0, "aria-label": "time" });
  private clock = h("div", { class: "abut-time" }, "0.000 s");
  private speed = h("select", { title: "speed", "aria-label": "speed" });
  private marks: Marks;
  private tree = new BodyTree((body) => this.select(body));
  private readout = new Readout();
  private contacts = new ContactList((body) => this.select(body));
  private contactsTitle = h("h3", {}, "Contacts");
  private recorder = new Recorder(this);
  private recordButton = button("record", "Record a film (V)", () => this.record());
  lastFilm?: Blob; // the last one recorded
  private seen: Seen = {}; // as the address said at the start
  private wrote = 0; // ms: when the address was written
  private pace: { wall: number; time: number }[] = []; // over the last second
  private chips = new Map<keyof Overlays, HTMLButtonElement[]>();
  private scrubbing = false;
  private lastTick = performance.now();
  private lastSlow = 0;
  private toastEnds = 0;
  private isDark: boolean;
  private resizer: ResizeObserver;

  constructor(host: HTMLElement, readonly options: ViewerOptions) {
    const { boot } = options;
    const overlays: Overlays = { ...noOverlays };
    if (!options.embedded) this.seen = readAddress();
    for (const name of this.seen.show ?? boot.show ?? ["points", "forces"]) if (name in overlays) overlays[name] = true;
    this.stage = new Stage(overlays, options.still ?? false);
    const theme = this.seen.theme ?? boot.theme;
    this.isDark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.stage.setTheme(this.isDark);
    this.plots = new Plots(this.stage.look, options.labels, boot.mode === "live");
    this.hands = new Hands(this.stage, {
      send: (command) => this.send(command),
      canTouch: (body) => this.stage.description?.bodies[body]?.link ?? false,
      hover: (hit, x, y) => this.hover(hit, x, y),
      select: (body) => this.select(body),
    });
    this.hands.enabled = this.stage.keeps = boot.mode === "live";
    this.handKeys = new HandKeys(this.stage, (command) => this.send(command));
    this.root = h("div", { class: "abut-root" + (options.embedded ? " abut-embedded" : ""), tabindex: 0 });
    this.root.classList.toggle("abut-dark", this.isDark);
    this.root.classList.toggle("abut-plain", this.stage.plain);
    this.stage.canvas.className = "abut-canvas";
    this.marks = new Marks(this.view, this.stage, options.embedded ?? false);
    this.watchClicks();
    this.view.append(this.stage.canvas, this.head, this.foot, this.legend, this.tip, this.toast, this.bar(), this.pop, this.help);
    if (boot.mode === "live") this.view.append(this.toolbox());
    this.root.append(this.view);
    if (!options.embedded) {
      this.root.append(this.side);
      this.side.classList.toggle("abut-hidden", isNarrow());
      this.fillSide();
    } else {
      this.pop.append(this.overlayChips());
    }
    host.replaceChildren(this.root);
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(this.view);
    this.resize();
    if (boot.camera) this.stage.setCamera(boot.camera);
    this.root.addEventListener("keydown", (e) => this.key(e));
    if (!options.embedded) window.addEventListener("keydown", (e) => e.target === document.body && this.key(e));
    this.stage.onDraw = () => {
      this.marks.place();
      if (this.recorder.running) this.recorder.draw();
    };
    this.setLegend();
    requestAnimationFrame(() => this.tick());
  }

  // --- parts ----------------------------------------------------------------------

  private bar(): HTMLElement {
    this.playButton.classList.add("abut-main");
    for (const s of speeds) this.speed.append(h("option", { value: s, selected: s === 1 }, `${s} ×`));
    this.speed.onchange = () => {
      if (this.film) this.film.speed = Number(this.speed.value);
      else this.send({ do: "speed", value: Number(this.speed.value) });
    };
    this.slider.oninput = () => {
      this.scrubbing = true;
      if (this.film) {
        this.film.playing = false;
        this.film.seek(Number(this.slider.value));
      } else this.send({ do: "seek", step: Number(this.slider.value) });
      this.fillTrack();
    };
    this.slider.onchange = () => (this.scrubbing = false);
    const live = this.options.boot.mode === "live";
    return h("div", { class: "abut-card abut-bar" },
      button("reset", "To the start (R)", () => this.reset()),
      spare(button("back", "One step back (←)", () => this.step(-1))),
      this.playButton,
      button("step", "One step (→)", () => this.step(1)),
      this.slider, this.clock, this.speed,
      ...(live ? [spare(this.undoButton)] : []),
      ...(this.options.embedded ? [button("layers", "What is shown", () => this.pop.classList.toggle("abut-on"))] : []),
      spare(button("camera", "Save a picture (S)", () => savePicture(this))),
      ...(this.options.still ? [] : [spare(this.recordButton)]),
      spare(button("home", "Camera as at the start (C)", () => this.stage.setCamera(this.options.boot.camera ?? {}))),
      ...(this.options.embedded ? [] : [
        button("panel", "Side panel (B)", () => this.togglePanel()),
        spare(button("theme", "Light or dark (L)", () => this.setTheme(!this.isDark))),
        spare(button("help", "Keys and mouse (?)", () => this.help.classList.toggle("abut-on")))]),
    );
  }

  private toolbox(): HTMLElement {
    const box = h("div", { class: "abut-card abut-tools", role: "toolbar" });
    const tools: [Tool, string, string][] = [
      ["hand", "Pull", "drag a body by a spring; shift twists it (1)"],
      ["camera", "Look", "drag turns the camera; ctrl-drag pulls (2)"],
      ["push", "Push", "a cursor that repels bodies (3)"],
      ["throw", "Throw", "a click throws a box (4)"]];
    for (const [tool, name, title] of tools)
      box.append(h("button", { type: "button", title, "data-tool": tool, class: tool === this.hands.tool ? "abut-on" : "", onclick: () => this.setTool(tool) }, name));
    return box;
  }

  setTool(tool: Tool) {
    this.hands.tool = tool;
    for (const b of this.view.querySelectorAll<HTMLElement>(".abut-tools button"))
      b.classList.toggle("abut-on", b.dataset.tool === tool);
  }

  private overlayChips(): HTMLElement {
    const box = h("div", { class: "abut-chips" });
    for (const [key, name, about] of overlayNames) {
      const chip = h("button", { type: "button", class: "abut-chip", title: about, "data-show": key, onclick: () => this.toggleOverlay(key) }, name);
      chip.classList.toggle("abut-on", this.stage.overlays[key]);
      this.chips.set(key, [...(this.chips.get(key) ?? []), chip]);
      box.append(chip);
    }
    const all = h("button", { type: "button", class: "abut-chip", "data-show": "all", title: "all pixels, shadows and round shapes, however slow",
      onclick: () => all.classList.toggle("abut-on", (this.stage.showsAll = !this.stage.showsAll)) }, "Full quality");
    if (!this.options.still) box.append(all);
    return box;
  }

  private fillSide() {
    this.side.replaceChildren();
    if (this.options.boot.mode === "live") {
      this.panel = new LivePanel((command) => this.send(command));
      this.side.append(this.panel.element);
    }
    this.side.append(this.pageChips(), h("h3", {}, "Show"), this.overlayChips(), h("h3", {}, "Measures"), this.plots.element,
      this.contactsTitle, this.contacts.element, h("h3", {}, "Bodies"), this.readout.element, this.tree.element);
  }

  // What the bar has no room for on a small screen.
  private pageChips(): HTMLElement {
    const live = this.options.boot.mode === "live";
    const chips: [string, () => void][] = [
      ["One step back", () => this.step(-1)], ...(live ? [["Undo", () => this.send({ do: "undo" })] as [string, () => void]] : []),
      ["Picture", () => void savePicture(this)], ["Film", () => this.record()],
      ["Camera as at the start", () => this.stage.setCamera(this.options.boot.camera ?? {})],
      ["Light or dark", () => this.setTheme(!this.isDark)]];
    return h("div", { class: "abut-chips abut-narrow" },
      ...chips.map(([name, run]) => h("button", { type: "button", class: "abut-chip", onclick: run }, name)));
  }

  togglePanel() {
    this.side.classList.toggle("abut-hidden");
  }

  // A film of what is seen, until the next call.
  record() {
    if (this.recorder.running) this.recorder.stop();
    else if (!this.recorder.start()) return this.say("This browser cannot record films; abut render can.");
    this.recordButton.classList.toggle("abut-recording", this.recorder.running);
    this.say(this.recorder.running ? "Recording; V or the button ends it." : "The film is saved.");
  }

  // A click, not a drag, chooses a body.
  private watchClicks() {
    let from = { x: 0, y: 0 };
    this.view.addEventListener("pointerdown", (e) => (from = { x: e.clientX, y: e.clientY }), { capture: true });
    this.view.addEventListener("pointerup", (e) => {
      if (e.target !== this.stage.canvas || e.button !== 0 || Math.hypot(e.clientX - from.x, e.clientY - from.y) > 5) return;
      const box = this.stage.canvas.getBoundingClientRect();
      const hit = this.stage.pick(e.clientX - box.left, e.clientY - box.top);
      this.select(hit && hit.body > 0 ? hit.body : -1);
    }, { capture: true });
  }

  // --- what happens ---------------------------------------------------------------

  send(command: object) {
    this.live?.send(command);
  }
  toggle() {
    if (this.film) this.film.toggle();
    else this.send({ do: this.status_?.playing ? "pause" : "play" });
  }
  step(by: number) {
    if (this.film) this.film.step(by);
    else this.send(by > 0 ? { do: "step", n: by } : { do: "back", n: -by });
  }
  reset() {
    if (this.film) {
      this.film.playing = false;
      this.film.seek(this.film.start);
    } else this.send({ do: "reset" });
  }

  toggleOverlay(key: keyof Overlays, on = !this.stage.overlays[key]) {
    this.stage.setOverlays({ ...this.stage.overlays, [key]: on });
    for (const chip of this.chips.get(key) ?? []) chip.classList.toggle("abut-on", on);
    this.setLegend();
    this.sendShow();
  }
  private sendShow() {
    const o = this.stage.overlays;
    this.send({ do: "show", velocities: this.selected > 0, contacts: !this.options.embedded || o.points || o.normals || o.forces || o.cones || o.phases, features: o.features,
      volumes: o.volumes, boxes: o.boxes, joints: o.joints });
  }

  setTheme(isDark: boolean) {
    this.isDark = isDark;
    this.root.classList.toggle("abut-dark", isDark);
    this.stage.setTheme(isDark);
    this.plots.restyle(this.stage.look, this.labels);
    this.setLegend();
    this.film?.again();
  }
  get theme(): "light" | "dark" {
    return this.isDark ? "dark" : "light";
  }

  private setLegend() {
    const names = ["near", "new", "sticking", "sliding"];
    this.legend.replaceChildren(...names.map((name, i) => h("span", { class: "abut-key", style: `--key:${this.stage.look.phases[i]}` }, name)));
    this.legend.classList.toggle("abut-on", this.stage.overlays.phases);
  }

  select(body: number) {
    if (body !== this.selected && this.live) {
      this.selected = body;
      this.sendShow();
    }
    this.selected = body;
    this.tree.select(body);
    for (const lane of this.stage.lanes) lane.world.setHighlight(body);
    this.stage.touch();
  }

  private hover(hit: Hit | undefined, x: number, y: number) {
    const d = this.stage.description;
    this.stage.canvas.style.cursor = hit && this.hands.enabled && d?.bodies[hit.body].link ? "grab" : "";
    if (!hit || !d) {
      this.tip.style.display = "none";
      return;
    }
    const body = d.bodies[hit.body], geom = d.geoms[hit.geom];
    this.tip.replaceChildren(hit.body === 0 ? geom.name : body.name,
      h("small", {}, [geom.name !== body.name ? geom.name : "", body.mass > 0 && hit.body ? `${Number(body.mass.toPrecision(3))} kg` : geom.kind].filter(Boolean).join(" · ")));
    this.tip.style.display = "block";
    this.tip.style.left = `${x}px`;
    this.tip.style.top = `${y}px`;
  }

  say(text: string) {
    this.toast.textContent = text;
    this.toast.classList.add("abut-on");
    clearTimeout(this.toastEnds);
    this.toastEnds = setTimeout(() => this.toast.classList.remove("abut-on"), 5000);
  }

  private key(e: KeyboardEvent) {
    if ((e.target as HTMLElement).matches("input[type=text], input[type=search], select")) return;
    if (this.handKeys.down(e)) return e.preventDefault();
    const overlay = overlayNames.find(([, , , key]) => e.shiftKey && key && e.code === `Key${key}`);
    if (overlay) {
      this.toggleOverlay(overlay[0]);
      return e.preventDefault();
    }
    const tools: Record<string, Tool> = { "1": "hand", "2": "camera", "3": "push", "4": "throw" };
    if (tools[e.key] && this.hands.enabled) return this.setTool(tools[e.key]);
    switch (e.key) {
      case " ": this.toggle(); break;
      case "ArrowRight": this.step(1); break;
      case "ArrowLeft": this.step(-1); break;
      case "r": this.reset(); break;
      case "z": this.send({ do: "undo" }); break;
      case "t": {
        const box = this.stage.laneBox(0);
        this.hands.throwFrom(box.x + box.width / 2, box.y + box.height / 2);
        break;
      }
      case "f": this.toggleFollow(); break;
      case "c": this.stage.setCamera(this.options.boot.camera ?? {}); break;
      case "s": savePicture(this); break;
      case "l": this.setTheme(!this.isDark); break;
      case "b": this.togglePanel(); break;
      case "v": this.record(); break;
      case "?": case "h": this.help.classList.toggle("abut-on"); break;
      case "Escape": this.help.classList.remove("abut-on"), this.pop.classList.remove("abut-on"), this.select(-1), this.stage.setFollow(-1); break;
      default: return;
    }
    e.preventDefault();
  }

  private toggleFollow() {
    if (this.stage.follow >= 0) this.stage.setFollow(-1);
    else if (this.selected >= 0) this.stage.setFollow(this.selected);
    else return this.say("Click a body first; then F follows it.");
    this.say(this.stage.follow >= 0 ? `The camera follows ${this.stage.description?.bodies[this.stage.follow].name}.` : "The camera stays.");
  }

  // --- what comes in --------------------------------------------------------------

  get labels(): string[] {
    return this.status_ ? this.status_.lanes.map((l) => l.label) : this.options.labels;
  }

  scene(scene: Scene) {
    this.stage.setScene(scene, Math.max(this.labels.length, 1));
    this.head.replaceChildren(h("b", {}, scene.name));
    this.panel?.setScene(scene);
    if (!this.options.embedded) this.tree.setScene(scene);
    this.resize();
    if (this.seen.eye && this.seen.at) this.stage.place = { eye: this.seen.eye, at: this.seen.at };
    if (this.seen.body) this.select(scene.bodies.findIndex((b) => b.name === this.seen.body));
    this.seen = { ...this.seen, eye: undefined, body: undefined };
  }
  frame(frame: Frame) {
    this.stage.apply(frame);
    if (!this.film) this.plots.add(frame);
  }
  status(status: Status) {
    const before = this.labels.join("|");
    if (!this.status_) for (const command of commandsFor(this.seen, status)) this.send(command);
    this.status_ = status;
    setIcon(this.playButton, status.playing ? "pause" : "play", status.playing ? "Pause (space)" : "Play (space)");
    this.undoButton.disabled = status.undo === 0;
    if (!this.scrubbing) {
      this.slider.max = String(Math.max(status.last, 1));
      this.slider.value = String(status.step);
      this.fillTrack();
    }
    this.speed.value = String(status.speed);
    this.panel?.setStatus(status);
    if (before !== this.labels.join("|")) {
      if (this.stage.description && this.stage.lanes.length !== status.lanes.length)
        this.stage.setScene(this.stage.description, status.lanes.length);
      this.plots.clear();
      this.plots.restyle(this.stage.look, this.labels);
    }
    this.marks.make(this.labels, this.status_);
    if (status.haptic) {
      // what a run in real time does not take is not shown
      this.root.classList.add("abut-hand");
      if (!this.felt.element.isConnected) {
        this.view.append(this.felt.element);
        this.resize();
      }
      this.felt.show(status.haptic);
      this.handKeys.feels(status.haptic);
      this.stage.showHand(status.haptic);
    }
  }
  choices(choices: Choices) {
    this.choices_ = choices;
    this.panel?.setChoices(choices);
  }
  problem(text: string) {
    this.say(text);
  }
  connected(is: boolean) {
    if (is) this.sendShow();
    else this.say("The connection is lost; trying again. Is abut still running?");
  }

  connect(address: string) {
    this.live = new LiveSource(address, this);
  }
  play(film: Film, scene: Scene) {
    this.scene(scene);
    this.film = new FilmSource(film, (frame) => this.frame(frame));
    this.slider.min = String(this.film.start);
    this.slider.max = String(this.film.end);
    this.slider.step = "any";
    this.plots.setFilm(film);
    this.film.seek(this.film.start);
  }

  // --- drawing --------------------------------------------------------------------

  resize() {
    const box = this.view.getBoundingClientRect();
    const ratio = this.options.still ? 1 : Math.min(devicePixelRatio, 2);
    this.stage.margins = this.margins(box.width);
    this.stage.resize(box.width, box.height, ratio);
    this.marks.make(this.labels, this.status_);
    this.stage.draw(true);
  }

  // What the bars cover, so that the scene is put beside them.
  private margins(width: number): Margins {
    const several = this.labels.length > 1;
    if (this.options.still) return { left: 0, right: 0, top: several ? 40 : 0, bottom: 0 };
    if (this.options.embedded) return { left: 0, right: 0, top: several ? 40 : 8, bottom: 64 };
    const hand = Boolean(this.status_?.haptic); // its card is at the left, or above the bar
    if (width < 560) return { left: 8, right: 8, top: 124, bottom: hand ? 230 : 80 };
    return { left: hand && width > 700 ? 270 : 8, right: 8, top: 84, bottom: 80 };
  }

  private fillTrack() {
    const low = Number(this.slider.min), high = Number(this.slider.max);
    this.slider.style.setProperty("--done", `${(100 * (Number(this.slider.value) - low)) / Math.max(high - low, 1e-9)}%`);
  }

  get time(): number {
    return this.film ? this.film.time : this.stage.lanes[0]?.frame?.time ?? 0;
  }

  private tick() {
    const now = performance.now();
    if (this.film && !this.options.still) {
      this.film.advance(Math.min((now - this.lastTick) / 1000, 0.1));
      setIcon(this.playButton, this.film.playing ? "pause" : "play", this.film.playing ? "Pause (space)" : "Play (space)");
      if (!this.scrubbing) this.slider.value = String(this.film.time);
      this.fillTrack();
    }
    this.lastTick = now;
    this.handKeys.tick(now);
    this.hands.draw();
    if (!this.options.still) this.stage.draw();
    // text and curves are redrawn, and put over the scene, by the same processor
    const often = this.stage.plain ? 300 : 120;
    if (!this.stage.plain) this.clock.textContent = seconds(this.time);
    if (now - this.lastSlow > often) {
      this.lastSlow = now;
      this.clock.textContent = seconds(this.time);
      this.plots.setNow(this.time);
      this.plots.draw();
      this.writeFoot();
      if (!this.options.embedded) this.writeSide(now);
    }
    if (this.root.isConnected) requestAnimationFrame(() => this.tick());
  }

  private writeFoot() {
    const frame = this.stage.lanes[0]?.frame;
    if (!frame) return;
    const contacts = frame.points.length / 6;
    const lines = [`${contacts} contact ${contacts === 1 ? "point" : "points"}`];
    if (this.live) lines.push(`${frame.numbers[Number_.stepMs].toFixed(2)} ms a step`);
    const busy = this.live ? this.status_?.playing : this.film?.playing;
    if (busy) lines.push(`${Math.round(this.stage.fps)} fps`);
    const factor = this.realTime(frame.time);
    if (this.live && busy && factor !== undefined) lines.push(`${factor.toPrecision(2)} × real time`);
    if (busy && this.stage.missing.length) lines.push(`for speed: ${this.stage.missing.join(", ")}`);
    this.foot.replaceChildren(...lines.map((line) => h("div", {}, line)));
  }

  // Simulated seconds to one of the clock, over the last second.
  private realTime(time: number): number | undefined {
    const now = performance.now() / 1000, { pace } = this;
    if (pace.length && time < pace[pace.length - 1].time) pace.length = 0;
    pace.push({ wall: now, time });
    while (pace.length > 2 && pace[0].wall < now - 1.5) pace.shift();
    const wall = now - pace[0].wall;
    return wall > 0.4 ? (time - pace[0].time) / wall : undefined;
  }

  private writeSide(now: number) {
    const { description, lanes } = this.stage, frame = lanes[0]?.frame;
    if (this.side.classList.contains("abut-hidden") === false) {
      const any = this.contacts.draw(description, frame);
      this.contactsTitle.style.display = this.contacts.element.style.display = any ? "" : "none";
      this.readout.draw(description, frame, this.selected);
    }
    if (now - this.wrote < 1000 || !description) return;
    this.wrote = now;
    const { eye, at, moved } = this.stage.place;
    const shown = (Object.keys(this.stage.overlays) as (keyof Overlays)[]).filter((k) => this.stage.overlays[k]);
    const lane = this.status_?.lanes[0];
    writeAddress({
      show: shown, theme: this.theme, ...(moved ? { eye, at } : {}), body: description.bodies[this.selected]?.name,
      contact: this.status_?.lanes.map((l) => l.contact), friction: lane?.friction, stabilize: lane?.stabilize, step: this.status_?.timestep,
    });
  }

  // Where the middle of a body is on the page, for tests.
  where(name: string): { x: number; y: number; position: number[] } | undefined {
    const body = this.stage.description?.bodies.findIndex((b) => b.name === name) ?? -1;
    this.stage.settle();
    const pose = this.stage.lanes[0]?.world.bodies[body];
    if (!pose) return undefined;
    const middle = new THREE.Vector3().setFromMatrixPosition(pose);
    const at = this.stage.project(middle), box = this.stage.canvas.getBoundingClientRect();
    return { x: box.left + at.x, y: box.top + at.y, position: middle.toArray() };
  }
}
