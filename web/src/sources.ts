// Where frames come from: a live run at the other end of a socket, or a film.
import { decodeFrame, momentAt, type Film, type Frame } from "./decode";
import type { Choices, Scene, ServerMessage, Status } from "./types";

export interface Listener {
  scene(scene: Scene): void;
  frame(frame: Frame): void;
  status(status: Status): void;
  choices(choices: Choices): void;
  problem(text: string): void;
  connected(is: boolean): void;
}

export class LiveSource {
  private socket?: WebSocket;
  private wait = 400; // ms before the next try
  received = 0; // frames

  constructor(private address: string, private to: Listener) {
    this.connect();
  }

  private connect() {
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 400;
      this.to.connected(true);
    };
    socket.onmessage = ({ data }) => {
      if (typeof data !== "string") {
        ++this.received;
        this.to.frame(decodeFrame(data as ArrayBuffer));
        return;
      }
      const message = JSON.parse(data) as ServerMessage;
      if (message.is === "scene") this.to.scene(message);
      else if (message.is === "status") this.to.status(message);
      else if (message.is === "choices") this.to.choices(message.choices);
      else if (message.is === "error") this.to.problem(message.text);
      else if (message.is === "busy") this.to.problem(`Still computing (${message.doing}), for ${message.seconds} s so far ..`);
    };
    socket.onclose = () => {
      this.to.connected(false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(2 * this.wait, 5000);
    };
  }

  send(command: object) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }
}

// A film and where its replay is.
export class FilmSource {
  playing = false;
  loops = false; // from the end to the start
  speed = 1;
  time: number;
  private shown = -1;

  constructor(readonly film: Film, private show: (frame: Frame) => void) {
    this.time = this.start;
  }
  get start() {
    return this.film.times[0] ?? 0;
  }
  get end() {
    return this.film.times[this.film.times.length - 1] ?? 0;
  }

  seek(time: number) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    const at = momentAt(this.film, this.time);
    if (at === this.shown) return;
    this.shown = at;
    for (const frame of this.film.moments[at]) if (frame) this.show(frame);
  }
  step(by: number) {
    this.playing = false;
    const at = Math.min(Math.max(momentAt(this.film, this.time) + by, 0), this.film.times.length - 1);
    this.seek(this.film.times[at]);
  }
  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.end) this.seek(this.start);
  }
  // Goes on by so many seconds of wall clock.
  advance(dt: number) {
    if (!this.playing) return;
    this.seek(this.time + this.speed * dt);
    if (this.time < this.end) return;
    if (this.loops) this.seek(this.start);
    else this.playing = false;
  }
  again() {
    this.shown = -1;
    this.seek(this.time);
  }
}
