// What the page and the tool say to each other; docs/viewer.md has it in words.

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // x y z w

export interface Body {
  name: string;
  parent: number;
  mass: number;
  link: boolean; // moved by the simulation, not driven or fixed
  pos: Vec3;
  quat: Quat;
}

export interface Geom {
  name: string;
  body: number;
  kind: "plane" | "hfield" | "sphere" | "capsule" | "ellipsoid" | "cylinder" | "box" | "mesh";
  size: Vec3;
  pos: Vec3;
  quat: Quat;
  group: number;
  collides: boolean;
  rgba?: [number, number, number, number]; // none: the page chooses
  asset?: number;
}

export interface MeshData {
  vertices: string; // base64 of 32-bit floats
  triangles: string; // base64 of 32-bit indices
  hull?: MeshData;
}

export interface Scene {
  name: string;
  generation: number;
  origin: Vec3; // positions on the page are from here
  gravity: Vec3;
  step: number;
  plane?: string; // of a planar world: xy, yz or zx
  moving: number[]; // bodies that frames have poses of, in order
  bodies: Body[];
  geoms: Geom[];
  meshes: MeshData[];
  hfields: MeshData[];
  keyframes: string[];
  actuators: { name: string; range?: [number, number] }[];
  joints: { name: string; index: number; body: number; unit: string; range?: [number, number] }[]; // hinges, slides
  extent: { centre: Vec3; radius: number; low: Vec3; high: Vec3 };
}

export interface Lane {
  label: string;
  contact: string;
  friction: string;
  stabilize: string;
  diverged?: string; // name of the body that was lost
}

// Of a live run, whenever something but poses changed.
export interface Status {
  playing: boolean;
  speed: number; // 1: real time
  timestep: number;
  integrator: string;
  step: number;
  last: number; // the farthest step that can be gone back to
  undo: number; // how many interactions can be undone
  clients: number;
  lanes: Lane[];
  control: number[];
  joints: number[]; // of the first of the scene's joints
  haptic?: Haptic;
}

// Of a run with a hand in it.
export interface Haptic {
  device: string;
  pointer: number; // body
  rate: number; // Hz
  cycles: number;
  late: number;
  compute_us: { p50: number; p99: number; max: number };
  wake_us: { p99: number; max: number };
  gate: number; // of the fail-safe: 1 open
  hand: Vec3; // m, from the scene's origin
  limit: number; // N: no force is larger
  force: Vec3; // N, on the hand
  torque: Vec3; // N m
}

export interface Choices {
  contact: string[];
  friction: string[];
  stabilize: string[];
  allowed: Record<string, { friction: string[]; stabilize: string[] }>; // by contact model
}

export type ServerMessage =
  | ({ is: "scene" } & Scene)
  | ({ is: "status" } & Status)
  | { is: "choices"; choices: Choices }
  | { is: "busy"; seconds: number; doing: string } // one step or command takes long
  | { is: "error"; text: string };

// Which overlays are drawn.
export interface Overlays {
  points: boolean;
  normals: boolean;
  forces: boolean;
  cones: boolean;
  features: boolean;
  volumes: boolean;
  phases: boolean;
  boxes: boolean;
  pieces: boolean;
  joints: boolean;
}

export const noOverlays: Overlays = {
  points: false, normals: false, forces: false, cones: false, features: false,
  volumes: false, phases: false, boxes: false, pieces: false, joints: false,
};

export interface Camera {
  azimuth?: number; // degrees, from +x towards +y
  elevation?: number; // degrees
  distance?: number; // of the extent's radius
  target?: Vec3; // m
  follow?: string; // name of a body
}

// How the page starts: in the page, as JSON, in #abut-boot.
export interface Boot {
  mode: "live" | "film" | "render";
  title?: string;
  lanes?: string[]; // labels, of a film
  token?: string;
  show?: (keyof Overlays)[];
  theme?: "light" | "dark";
  camera?: Camera;
  // render
  at?: number; // s: of a picture
  from?: number;
  width?: number;
  height?: number;
  fps?: number;
  speed?: number;
  video?: boolean;
  caption?: boolean;
}
