// A film of what happens on the page, while it happens.
import { picture } from "./capture";
import type { Viewer } from "./viewer";

export class Recorder {
  private recorder?: MediaRecorder;
  private canvas = document.createElement("canvas");

  constructor(private viewer: Viewer) {}

  get running(): boolean {
    return this.recorder !== undefined;
  }

  start(): boolean {
    const kind = ["video/webm;codecs=vp9", "video/webm", "video/mp4"].find((k) => globalThis.MediaRecorder?.isTypeSupported(k));
    if (!kind) return false;
    this.draw();
    const chunks: Blob[] = [];
    const recorder = new MediaRecorder(this.canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 8e6 });
    recorder.ondataavailable = ({ data }) => chunks.push(data);
    recorder.onstop = () => this.save(new Blob(chunks, { type: kind }), kind.includes("mp4") ? "mp4" : "webm");
    recorder.start(500);
    this.recorder = recorder;
    return true;
  }
  stop() {
    this.recorder?.stop();
    this.recorder = undefined;
  }

  // The scene with the names of its lanes; called after each picture of the stage.
  draw() {
    const made = picture(this.viewer, true, false);
    if (this.canvas.width !== made.width || this.canvas.height !== made.height) {
      if (this.running) return; // a film has one size
      this.canvas.width = made.width;
      this.canvas.height = made.height;
    }
    this.canvas.getContext("2d")!.drawImage(made, 0, 0);
  }

  private save(film: Blob, ending: string) {
    this.viewer.lastFilm = film;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(film);
    link.download = `${this.viewer.stage.description?.name ?? "abut"}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }
}
