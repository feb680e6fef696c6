// Elements in one line, and the few icons there are.

type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

const paths = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z",
  step: "M5 5v14l9-7zM16 5h3v14h-3z",
  back: "M19 5v14l-9-7zM5 5h3v14H5z",
  reset: "M12 5a7 7 0 1 1-6.6 4.7l1.9.65A5 5 0 1 0 12 7v3L7.5 6 12 2z",
  undo: "M9 5 4 10l5 5v-3.2h5a3.1 3.1 0 1 1 0 6.2H9v2h5a5.1 5.1 0 1 0 0-10.2H9z",
  camera: "M9 5 7.6 7H4v12h16V7h-3.6L15 5zm3 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm-.1 4.2c-1.9 0-3.1 1.1-3.2 2.9h1.9c.1-.8.5-1.3 1.3-1.3s1.2.4 1.2 1.1c0 .6-.3.9-1 1.4-.9.6-1.3 1.2-1.2 2.3v.4h1.8V13.700c0-.7.3-1 1-1.5.8-.5 1.4-1.200 1.400-2.300 0-1.700-1.300-2.700-3.200-2.700zM10.800 15.200v1.900h2v-1.900z",
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z",
  panel: "M4 5h16v14H4zm2 2v10h7V7zm9 0v10h3V7z",
  record: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zm0 2a6 6 0 1 0 0 12 6 6 0 0 0 0-12zm0 2.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7z",
  home: "M12 3 3 11h2.500v9h5v-6h3v6h5v-9H21z",
  layers: "M12 3 2 8.500 12 14l10-5.500zM4.200 12.300 2 13.500 12 19l10-5.500-2.200-1.200L12 16.600z",
};
export type Icon = keyof typeof paths;

export function icon(name: Icon): SVGSVGElement {
  const ns = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(ns, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(ns, "path");
  path.setAttribute("d", paths[name]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

export function button(name: Icon, title: string, click: () => void): HTMLButtonElement {
  const b = h("button", { type: "button", class: "abut-icon", title, "aria-label": title, onclick: click });
  b.append(icon(name));
  return b;
}

export function setIcon(b: HTMLButtonElement, name: Icon, title: string) {
  if (b.title === title) return;
  b.replaceChildren(icon(name));
  b.title = title;
  b.setAttribute("aria-label", title);
}

// Digits and units, as people write them.
export function seconds(t: number): string {
  return `${t.toFixed(Math.abs(t) < 1000 ? 3 : 1)} s`;
}
