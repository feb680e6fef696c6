// Pictures and films of what is on the stage. A film is made frame by frame, at even times, however
// slow the drawing is.
import { ArrayBufferTarget, Muxer } from "webm-muxer";
import { seconds } from "./dom";
import type { Viewer } from "./viewer";

// The scene with the names of its lanes, as a canvas of its own.
// `draw`: anew, in full quality; otherwise what is there.
export function picture(viewer: Viewer, caption: boolean, draw = true): HTMLCanvasElement {
  const { stage } = viewer;
  if (draw) stage.draw(true);
  const source = stage.canvas;
  const out = document.createElement("canvas");
  out.width = source.width;
  out.height = source.height;
  const c = out.getContext("2d")!;
  c.drawImage(source, 0, 0);
  const ratio = source.width / Math.max(source.clientWidth || source.width, 1);
  const size = Math.max(13 * ratio, 0.022 * Math.min(source.width, source.height));
  const dark = stage.look.dark;
  const write = (text: string, x: number, y: number, colour?: string) => {
    c.font = `600 ${size}px system-ui, "Noto Sans", "DejaVu Sans", sans-serif`;
    const width = c.measureText(text).width + (colour ? 3.1 : 1.6) * size;
    c.fillStyle = dark ? "#171c22cc" : "#ffffffd0";
    c.beginPath();
    c.roundRect(x, y, width, 1.9 * size, 0.95 * size);
    c.fill();
    if (colour) {
      c.fillStyle = colour;
      c.beginPath();
      c.arc(x + 1.1 * size, y + 0.95 * size, 0.36 * size, 0, 7);
      c.fill();
    }
    c.fillStyle = dark ? "#e6ecf2" : "#1d242b";
    c.textBaseline = "middle";
    c.fillText(text, x + (colour ? 1.9 : 0.8) * size, y + size);
  };
  const several = stage.lanes.length > 1;
  stage.lanes.forEach((_lane, i) => {
    const b = stage.laneBox(i);
    if (several) {
      if (b.x > 0) (c.fillStyle = dark ? "#0008" : "#fff"), c.fillRect(b.x * ratio - ratio, b.y * ratio, 2 * ratio, b.height * ratio);
      if (b.y > 0) (c.fillStyle = dark ? "#0008" : "#fff"), c.fillRect(b.x * ratio, b.y * ratio - ratio, b.width * ratio, 2 * ratio);
      write(viewer.labels[i] ?? "", b.x * ratio + size, b.y * ratio + size, stage.look.lanes[i]);
    }
    for (const label of stage.lanes[i].overlays.labels.slice(0, 40)) {
      const at = stage.project(label.at, i);
      if (at.visible) write(label.text, at.x * ratio + 0.8 * size, at.y * ratio - size);
    }
  });
  if (caption) write(seconds(viewer.time), size, out.height - 2.9 * size);
  return out;
}

export function pictureBlob(viewer: Viewer, caption = false): Promise<Blob> {
  return new Promise((done, fail) =>
    picture(viewer, caption).toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}

export async function savePicture(viewer: Viewer) {
  const blob = await pictureBlob(viewer);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${viewer.stage.description?.name ?? "abut"}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// VP9 in WebM; `told` gets the share that is done.
export async function film(viewer: Viewer, fps: number, speed: number, caption: boolean,
                           told: (share: number) => void): Promise<Blob> {
  const source = viewer.film;
  if (!source) throw new Error("there is nothing to film");
  const { width, height } = viewer.stage.canvas;
  const target = new ArrayBufferTarget();
  const muxer = new Muxer({ target, video: { codec: "V_VP9", width, height, frameRate: fps } });
  let failure: Error | undefined;
  const encoder = new VideoEncoder({
    output: (chunk, meta) => muxer.addVideoChunk(chunk, meta),
    error: (e) => (failure = e),
  });
  encoder.configure({ codec: "vp09.00.40.08", width, height, bitrate: Math.round(0.11 * width * height * fps), framerate: fps, latencyMode: "quality" });
  const frames = Math.max(1, Math.round(((source.end - source.start) * fps) / speed) + 1);
  for (let i = 0; i < frames; ++i) {
    source.seek(source.start + (i * speed) / fps);
    const shown = new VideoFrame(picture(viewer, caption), { timestamp: Math.round((1e6 * i) / fps), duration: Math.round(1e6 / fps) });
    encoder.encode(shown, { keyFrame: i % (2 * fps) === 0 });
    shown.close();
    if (failure) throw failure;
    // the encoder works on threads of its own: not too far ahead of it
    while (encoder.encodeQueueSize > 4) await new Promise((go) => setTimeout(go, 4));
    if (i % 10 === 0) {
      told(i / frames);
      await new Promise((go) => setTimeout(go));
    }
  }
  await encoder.flush();
  if (failure) throw failure;
  muxer.finalize();
  return new Blob([target.buffer], { type: "video/webm" });
}
