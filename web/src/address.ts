// What the page shows, in the part of its address behind #: reloading, or sending the address to
// somebody, gives the same view. Nothing in it reaches the server by itself.
import type { Overlays, Status } from "./types";

export interface Seen {
  show?: (keyof Overlays)[];
  theme?: "light" | "dark";
  eye?: number[]; // m: of the camera, and what it looks at
  at?: number[];
  body?: string; // the chosen one
  contact?: string[]; // a lane each
  friction?: string;
  stabilize?: string;
  step?: number;
}

const list = (text: string | null) => (text === null ? undefined : text.split(",").filter(Boolean));
const numbers = (text: string | null) => {
  const all = text?.split(",").map(Number);
  return all?.length === 3 && all.every(Number.isFinite) ? all : undefined;
};

export function readAddress(): Seen {
  const p = new URLSearchParams(location.hash.slice(1));
  const theme = p.get("theme");
  const step = Number(p.get("step"));
  return {
    show: list(p.get("show")) as (keyof Overlays)[] | undefined,
    theme: theme === "light" || theme === "dark" ? theme : undefined,
    eye: numbers(p.get("eye")), at: numbers(p.get("at")), body: p.get("body") ?? undefined,
    contact: list(p.get("contact")), friction: p.get("friction") ?? undefined,
    stabilize: p.get("stabilize") ?? undefined, step: step > 0 ? step : undefined,
  };
}

export function writeAddress(seen: Seen) {
  const words = Object.entries(seen).filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${(Array.isArray(value) ? value.map((x) => (typeof x === "number" ? Number(x.toPrecision(5)) : encodeURIComponent(x))) : [encodeURIComponent(value)]).join(",")}`);
  const hash = "#" + words.join("&");
  if (hash !== location.hash) history.replaceState(null, "", hash);
}

// What a fresh run has to be told to be as the address says; nothing once somebody has touched it.
export function commandsFor(seen: Seen, status: Status): object[] {
  if (status.last > 0 || status.undo > 0) return [];
  const out: object[] = [];
  const first = status.lanes[0];
  if (seen.contact && seen.contact.join() !== status.lanes.map((l) => l.contact).join()) {
    if (seen.contact[0] !== first.contact) out.push({ do: "contact", lane: 0, value: seen.contact[0] });
    out.push({ do: "lanes", contact: seen.contact });
  }
  if (seen.friction && seen.friction !== first.friction) out.push({ do: "friction", lane: 0, value: seen.friction });
  if (seen.stabilize && seen.stabilize !== first.stabilize) out.push({ do: "stabilize", lane: 0, value: seen.stabilize });
  if (seen.step && seen.step !== status.timestep) out.push({ do: "timestep", value: seen.step });
  return out;
}
