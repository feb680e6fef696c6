// Curves beside the scene: energy, overlap, time of a step, errors of joints. Live ones scroll;
// those of a film are whole, with a line where the replay is.
import uPlot from "uplot";
import { Number_, type Film, type Frame } from "./decode";
import { h } from "./dom";
import type { Look } from "./look";
import { shortNumber } from "./overlays";

interface Curve {
  name: string;
  value: (numbers: Float32Array) => number;
}
interface PlotKind {
  title: string;
  unit: string;
  curves: Curve[];
  live?: boolean; // of a live run alone
  least: number; // what is smaller is noise, and drawn flat
  log?: boolean; // from `least` on
}

const kinds: PlotKind[] = [
  { title: "Energy", unit: "J", least: 1e-9, curves: [
    { name: "total", value: (n) => n[Number_.kinetic] + n[Number_.potential] },
    { name: "kinetic", value: (n) => n[Number_.kinetic] },
    { name: "potential", value: (n) => n[Number_.potential] }] },
  { title: "Deepest overlap", unit: "m", least: 1e-9, log: true, curves: [{ name: "overlap", value: (n) => n[Number_.deepest] }] },
  { title: "Contact forces, total", unit: "N", least: 1e-9, curves: [{ name: "force", value: (n) => n[Number_.contactForce] }] },
  { title: "Error of joints", unit: "m, rad", least: 1e-12, log: true, curves: [{ name: "error", value: (n) => n[Number_.jointError] }] },
  { title: "Time of a step", unit: "ms", live: true, least: 1e-3, curves: [{ name: "step", value: (n) => n[Number_.stepMs] }] },
];

const window_ = 8; // s of simulated time that live curves show
const most = 1200; // points

export class Plots {
  readonly element = h("div", { class: "abut-plots" });
  private nothing = h("small", {}, "Curves appear when time goes on.");
  private charts: { kind: PlotKind; chart: uPlot; box: HTMLElement; series: Curve[] }[] = [];
  private times: number[] = [];
  private samples: (Float32Array | undefined)[][] = []; // by time, then lane
  private film = false;
  private now = 0;
  private stale = false;

  constructor(private look: Look, private labels: string[], private live: boolean) {
    this.build();
  }

  restyle(look: Look, labels: string[]) {
    this.look = look;
    this.labels = labels;
    this.build();
    this.stale = true;
  }

  private build() {
    for (const { chart } of this.charts) chart.destroy();
    this.element.replaceChildren(this.nothing);
    const several = this.labels.length > 1;
    const ink = this.look.dark ? "#aab4bf" : "#5a6570", grid = this.look.dark ? "#ffffff14" : "#00000012";
    const own = this.look.dark ? ["#e8eef4", "#f08a3c", "#56b4e9"] : ["#20262d", "#d55e00", "#0072b2"];
    this.charts = kinds.filter((k) => this.live || !k.live).map((kind) => {
      const series: Curve[] = several ? [kind.curves[0]] : kind.curves;
      const names = several ? this.labels : series.map((c) => c.name);
      const colours = several ? this.look.lanes : kind.curves.length > 1 ? own : [own[2]];
      const box = h("div", { class: "abut-plot", style: "display:none" });
      const legend = names.length > 1
        ? names.map((name, i) => h("span", { class: "abut-key", style: `--key:${colours[i]}` }, name)) : [];
      box.append(h("div", { class: "abut-plot-title" }, h("b", {}, kind.title), h("span", {}, kind.unit), ...legend));
      this.element.append(box);
      const chart = new uPlot({
        width: 280, height: 104, padding: [6, 8, 0, 0], legend: { show: false },
        cursor: { drag: { x: false, y: false }, points: { size: 5 } },
        scales: { x: { time: false }, y: kind.log ? { distr: 3, log: 10, range: (_u, low, high) => decades(low, high, kind.least) }
          : { range: (_u, low, high) => padded(low, high, kind.least) } },
        axes: [
          { stroke: ink, size: 20, font: "10px system-ui, sans-serif", gap: 2, grid: { stroke: grid, width: 1 }, ticks: { show: false } },
          { stroke: ink, size: 46, ...(kind.log ? { splits: (_u: uPlot, _i: number, low: number, high: number) => powers(low, high) } : {}), font: "10px system-ui, sans-serif", gap: 3, grid: { stroke: grid, width: 1 }, ticks: { show: false },
            space: 26, values: (_u, ticks) => ticks.map((t) => (t === null ? "" : shortNumber(Math.abs(t) < 1e-15 ? 0 : t))) },
        ],
        series: [{}, ...names.map((label, i) => ({ label, stroke: colours[i], width: 1.5, spanGaps: true, points: { show: false } }))],
        hooks: { draw: [(u) => this.drawNow(u)] },
      }, [[], ...names.map(() => [])] as uPlot.AlignedData, box);
      return { kind, chart, box, series };
    });
  }

  private drawNow(u: uPlot) {
    if (!this.film) return;
    const x = u.valToPos(this.now, "x", true);
    u.ctx.save();
    u.ctx.strokeStyle = this.look.dark ? "#ffffff88" : "#00000077";
    u.ctx.lineWidth = 1;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  setFilm(film: Film) {
    this.film = true;
    const stride = Math.ceil(film.times.length / most);
    for (let i = 0; i < film.times.length; i += stride) {
      this.times.push(film.times[i]);
      this.samples.push(film.moments[i].map((f) => f?.numbers));
    }
    this.stale = true;
  }

  setNow(time: number) {
    this.now = time;
    if (this.film) for (const { chart } of this.charts) chart.redraw(false, false);
  }

  add(frame: Frame) {
    const last = this.times.length - 1;
    if (last >= 0 && frame.time < this.times[last] - 1e-9) {
      // someone went back: what is after it has not happened
      while (this.times.length && this.times[this.times.length - 1] > frame.time) this.times.pop(), this.samples.pop();
    }
    if (this.times.length && Math.abs(frame.time - this.times[this.times.length - 1]) < 1e-12)
      this.samples[this.samples.length - 1][frame.lane] = frame.numbers.slice();
    else {
      this.times.push(frame.time);
      const row: (Float32Array | undefined)[] = [];
      row[frame.lane] = frame.numbers.slice();
      this.samples.push(row);
    }
    if (this.times.length > 2 * most) this.times.splice(0, most), this.samples.splice(0, most);
    this.stale = true;
  }

  clear() {
    this.times = [];
    this.samples = [];
    this.stale = true;
  }

  // Now and then; only what changed is drawn.
  draw() {
    if (!this.stale || !this.element.isConnected || this.element.offsetParent === null) return;
    this.stale = false;
    const end = this.times[this.times.length - 1] ?? 0;
    let from = 0;
    if (!this.film) while (from < this.times.length && this.times[from] < end - window_) ++from;
    const times = this.times.slice(from), samples = this.samples.slice(from);
    const several = this.labels.length > 1;
    let any = false;
    for (const { kind, chart, box, series } of this.charts) {
      const value = (n: Float32Array | undefined, c: Curve) => {
        const x = n ? c.value(n) : NaN;
        return !Number.isFinite(x) ? null : kind.log ? Math.max(x, kind.least) : x;
      };
      const data = several
        ? this.labels.map((_l, lane) => samples.map((s) => value(s[lane], kind.curves[0])))
        : series.map((c) => samples.map((s) => value(s[0], c)));
      // a plot of nothing is left out, and so is one of a single moment
      const empty = times.length < 2 || data.every((d) => d.every((x) => !x || (kind.log && x <= kind.least)));
      box.style.display = empty ? "none" : "";
      if (empty) continue;
      any = true;
      const width = Math.max(this.element.clientWidth, 160);
      if (chart.width !== width) chart.setSize({ width, height: 104 });
      chart.setData([times, ...data] as uPlot.AlignedData);
    }
    this.nothing.style.display = any ? "none" : "";
  }
}

// Whole decades around what there is.
function decades(low: number, high: number, least: number): [number, number] {
  if (!(high > least)) return [least, 10 * least];
  const down = Math.floor(Math.log10(Math.max(low, least)));
  return [10 ** down, 10 ** Math.max(Math.ceil(Math.log10(high)), down + 1)];
}

// At most five, evenly over the decades.
function powers(low: number, high: number): number[] {
  const from = Math.round(Math.log10(low)), to = Math.round(Math.log10(high));
  const stride = Math.max(1, Math.ceil((to - from) / 4));
  return Array.from({ length: Math.floor((to - from) / stride) + 1 }, (_x, i) => 10 ** (from + i * stride));
}

function padded(low: number, high: number, least: number): [number, number] {
  if (low === null || high === null || !Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = high - low;
  if (room < least) {
    const d = Math.max(Math.abs(high) * 0.1, least);
    return [low - 0.5 * d, high + d];
  }
  return [low - 0.06 * room, high + 0.08 * room];
}
