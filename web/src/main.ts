// Where the page starts: as the viewer (a boot note is in the page), or as players in a report.
import plotStyle from "uplot/dist/uPlot.min.css?inline";
import style from "./style.css?inline";
import { film, pictureBlob } from "./capture";
import { decodeFilm, fromBase64 } from "./decode";
import type { Boot, Scene } from "./types";
import { Viewer } from "./viewer";

declare global {
  interface Window {
    abut?: { viewers: Viewer[]; failed?: string };
  }
}

const viewers: Viewer[] = [];
window.abut = { viewers };

function addStyle() {
  const element = document.createElement("style");
  element.textContent = plotStyle + style;
  document.head.append(element);
}

const text = (id: string) => document.getElementById(id)?.textContent ?? "";

// Players of a report: each is made when it comes into sight, since browsers allow few scenes.
function startPlayers() {
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      watcher.unobserve(entry.target);
      const host = entry.target as HTMLElement;
      const id = host.dataset.film ?? "";
      const labels = JSON.parse(host.dataset.lanes ?? "[]") as string[];
      try {
        const viewer = new Viewer(host, { embedded: true, labels, boot: { mode: "film" } });
        viewer.play(decodeFilm(fromBase64(text(`${id}-film`))), JSON.parse(text(`${id}-scene`)) as Scene);
        viewers.push(viewer);
        // by itself, over and over, unless the reader wants no motion
        viewer.film!.loops = true;
        if (!matchMedia("(prefers-reduced-motion: reduce)").matches) viewer.toggle();
      } catch (e) {
        host.textContent = `This browser cannot show the replay: ${e instanceof Error ? e.message : e}`;
        host.style.height = "auto";
      }
    }
  });
  for (const host of document.querySelectorAll(".abut-player")) watcher.observe(host);
}

async function fetched(path: string, boot: Boot): Promise<Response> {
  const answer = await fetch(`${path}?token=${boot.token ?? ""}`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

async function startViewer(boot: Boot) {
  const host = document.createElement("div");
  host.style.cssText = boot.mode === "render" ? `width:${boot.width}px;height:${boot.height}px` : "height:100vh";
  document.body.append(host);
  const viewer = new Viewer(host, { boot, labels: boot.lanes ?? [""], still: boot.mode === "render", embedded: boot.mode === "render" });
  viewers.push(viewer);
  if (boot.mode === "live") {
    viewer.connect(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws?token=${boot.token ?? ""}`);
    return;
  }
  const scene = (await (await fetched("/scene", boot)).json()) as Scene;
  viewer.play(decodeFilm(await (await fetched("/film", boot)).arrayBuffer()), scene);
  if (boot.mode === "render") await render(viewer, boot);
}

// `abut render`: makes the picture and hands it back.
async function render(viewer: Viewer, boot: Boot) {
  const post = (path: string, body: Blob | string) => fetch(`${path}?token=${boot.token ?? ""}`, { method: "POST", body });
  try {
    viewer.resize();
    if (boot.camera) viewer.stage.setCamera(boot.camera);
    let made: Blob;
    if (boot.video) {
      made = await film(viewer, boot.fps ?? 30, boot.speed ?? 1, boot.caption ?? false, (share) => void post("/progress", share.toFixed(3)));
    } else {
      viewer.film!.seek(boot.at ?? viewer.film!.end);
      made = await pictureBlob(viewer, boot.caption ?? false);
    }
    await post("/result", made);
  } catch (e) {
    await post("/failed", e instanceof Error ? e.message : String(e));
  }
}

function start() {
  addStyle();
  const boot = text("abut-boot");
  if (!boot) return startPlayers();
  startViewer(JSON.parse(boot) as Boot).catch((e) => {
    window.abut!.failed = String(e);
    document.body.append(`The viewer could not start: ${e instanceof Error ? e.message : e}`);
  });
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
