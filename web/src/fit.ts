// Where a camera of a given direction has to stand, so that points are seen as large as possible and
// clear of what lies over the edges of the picture.
import * as THREE from "three";

export interface Margins {
  left: number; // px
  right: number;
  top: number;
  bottom: number;
}

export interface View {
  turn: THREE.Quaternion; // of the camera
  fov: number; // degrees, of the height
  width: number; // px
  height: number;
}

interface Bounds {
  low: number; // of coordinate - slope * depth, for the far side of the picture ..
  high: number; // .. and for the near side
}

// The camera sees a coordinate x at depth z where low <= (x - eye) / ((z - depth of eye) slope) <= high.
function bounds(points: number[][], axis: number, low: number, high: number, slope: number): Bounds {
  const at = (edge: number) => points.map((p) => p[axis] - edge * slope * p[2]);
  return { low: Math.min(...at(low)), high: Math.max(...at(high)) };
}

// The position of the camera, and the distance to the middle of the points along its axis.
export function fitted(view: View, margins: Margins, points: THREE.Vector3[]): { eye: THREE.Vector3; distance: number } {
  const axes = [0, 1, 2].map((i) => new THREE.Vector3().setComponent(i, i === 2 ? -1 : 1).applyQuaternion(view.turn));
  const seen = points.map((p) => axes.map((a) => a.dot(p)));
  const pad = 0.05;
  const share = (px: number, of: number) => Math.min((2 * px) / of, 0.8) + pad;
  const left = -1 + share(margins.left, view.width), right = 1 - share(margins.right, view.width);
  const bottom = -1 + share(margins.bottom, view.height), top = 1 - share(margins.top, view.height);
  const tall = Math.tan((view.fov * Math.PI) / 360), wide = (tall * view.width) / view.height;
  const x = bounds(seen, 0, left, right, wide), y = bounds(seen, 1, bottom, top, tall);
  const depth = Math.min((x.low - x.high) / ((right - left) * wide), (y.low - y.high) / ((top - bottom) * tall));
  const middle = (b: Bounds, low: number, high: number, slope: number) => 0.5 * (b.low + b.high + (low + high) * slope * depth);
  const eye = new THREE.Vector3()
    .addScaledVector(axes[0], middle(x, left, right, wide))
    .addScaledVector(axes[1], middle(y, bottom, top, tall))
    .addScaledVector(axes[2], depth);
  const depths = seen.map((p) => p[2]);
  return { eye, distance: 0.5 * (Math.min(...depths) + Math.max(...depths)) - depth };
}

export function corners(low: number[], high: number[]): THREE.Vector3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
    new THREE.Vector3(k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]));
}
