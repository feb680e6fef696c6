// Keeps what moves in sight: bodies that leave the picture take the camera along.
import * as THREE from "three";

export interface Place {
  eye: THREE.Vector3;
  at: THREE.Vector3;
}

const every = 250; // ms: how often it looks
const size = (box: THREE.Box3) => box.getSize(new THREE.Vector3()).length();

export class Keeper {
  private sight = new THREE.Box3(); // what the camera was placed for
  private start = new THREE.Box3(); // .. at first
  private aim?: Place; // where it goes
  private trail?: THREE.Vector3; // the middle of what has left its place for good
  private looked = 0; // ms

  // `now` is where the camera is; `movers` a box around what moves; `fit` where a camera of the same direction
  // sees a box.
  constructor(private now: Place, private movers: () => THREE.Box3, private fit: (box: THREE.Box3) => Place) {}

  begin(low: number[], high: number[]) {
    this.start.set(new THREE.Vector3(...low), new THREE.Vector3(...high));
    this.sight.copy(this.start);
    this.rest();
  }
  rest() {
    this.aim = this.trail = undefined;
  }

  // True: the camera has moved.
  go(time: number): boolean {
    if (this.trail) this.goWith(this.movers().getCenter(new THREE.Vector3()));
    if (time - this.looked > every) {
      this.looked = time;
      this.look(this.movers());
    }
    if (!this.aim) return this.trail !== undefined;
    this.now.eye.lerp(this.aim.eye, 0.15);
    this.now.at.lerp(this.aim.at, 0.15);
    if (this.now.eye.distanceTo(this.aim.eye) < 1e-3 * size(this.start)) this.aim = undefined;
    return true;
  }

  private look(seen: THREE.Box3) {
    const room = this.sight.clone().expandByScalar(0.02 * size(this.start));
    if (seen.isEmpty() || room.containsBox(seen)) return;
    if (!(size(seen) < 6 * size(this.start))) return; // some fly away: the others would be dots
    const both = this.start.clone().union(seen);
    // not back to where it came from, once that is far
    const near = size(both) < 3 * size(this.start);
    this.trail = near ? undefined : seen.getCenter(new THREE.Vector3());
    this.sight = (near ? both : seen).expandByScalar(0.1 * size(this.start));
    this.aim = this.fit(this.sight);
  }

  // The camera, and where it goes, as fast as what it looks at.
  private goWith(middle: THREE.Vector3) {
    const move = middle.clone().sub(this.trail!);
    for (const point of [this.now.eye, this.now.at, ...(this.aim ? [this.aim.eye, this.aim.at] : [])]) point.add(move);
    this.sight.translate(move);
    this.trail = middle;
  }
}
