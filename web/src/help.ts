// Keys and mouse, on a sheet over the scene.
import { h } from "./dom";
import { overlayNames } from "./panel";

const groups: [string, string][][] = [
  [["drag a body", "pull it by a spring"], ["shift-drag", "twist it"], ["ctrl-drag", "pull, with any tool"],
    ["drag beside", "turn the camera"], ["right-drag", "move the camera"], ["wheel", "nearer, farther"], ["alt-drag", "turn the camera, also over a body"]],
  [["space", "play, pause"], ["→  ←", "one step on, one back"], ["R", "to the start"], ["Z", "undo the last thing you did"], ["T", "throw a box at the middle"]],
  [["1 2 3 4", "pull, look, push, throw"], ["F", "follow the body last clicked"], ["C", "camera as at the start"], ["S", "save a picture"], ["V", "record a film"],
    ["L", "light or dark"], ["B", "side panel"], ["?", "this sheet"], ["Esc", "let go of everything"]],
  [["haptic run, device mouse:", ""], ["arrows", "move the hand"], ["page up, down", "move it away, towards you"], ["shift", "turn it"], ["X", "clutch: the hand alone"],
    ["gamepad", "sticks; left shoulder turns, A: clutch"]],
];

export function helpPage(): HTMLElement {
  const list = (rows: [string, string][]) =>
    h("dl", {}, ...rows.flatMap(([keys, what]) => [h("dt", {}, h("kbd", {}, keys)), h("dd", {}, what)]));
  const shown = overlayNames.filter(([, , , key]) => key).map(([, name, , key]) => [`shift ${key}`, name.toLowerCase()] as [string, string]);
  const sheet = h("div", { class: "abut-help" },
    h("div", {}, h("h2", {}, "Keys and mouse"), h("div", { class: "abut-cols" }, ...groups.map(list), list(shown))));
  sheet.onclick = () => sheet.classList.remove("abut-on");
  return sheet;
}
