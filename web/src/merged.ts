// Many instances of a shape as one mesh, whose corners the page moves itself. A renderer that runs on the
// processor draws each instance with a call of its own; this is one call, whatever the number of instances.
import * as THREE from "three";

export class Merged {
  readonly mesh: THREE.Mesh;
  private corners: Float32Array; // of the shape
  private normals?: Float32Array;
  private position: THREE.BufferAttribute;
  private normal?: THREE.BufferAttribute;
  private colour: THREE.BufferAttribute;
  private indices: number; // of the shape

  // As many as `source` counts now, or fewer. move() reads where they are, paint() their colours.
  constructor(private source: THREE.InstancedMesh, material: THREE.Material) {
    const shape = source.geometry, n = source.count, corners = shape.attributes.position.count;
    this.corners = shape.attributes.position.array as Float32Array;
    this.normals = shape.attributes.normal?.array as Float32Array | undefined;
    const geometry = new THREE.BufferGeometry();
    const attribute = (name: string) => {
      const a = new THREE.BufferAttribute(new Float32Array(3 * corners * n), 3);
      a.setUsage(THREE.DynamicDrawUsage);
      geometry.setAttribute(name, a);
      return a;
    };
    this.position = attribute("position");
    this.colour = attribute("color");
    if (this.normals) this.normal = attribute("normal");
    const index = shape.index?.array ?? [...Array(corners).keys()];
    this.indices = index.length;
    const all = new Uint32Array(n * index.length);
    for (let i = 0, at = 0; i < n; ++i) for (let k = 0; k < index.length; ++k) all[at++] = corners * i + index[k];
    geometry.setIndex(new THREE.BufferAttribute(all, 1));
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = source.castShadow;
    this.mesh.receiveShadow = source.receiveShadow;
    this.paint();
  }

  move() {
    this.mesh.geometry.setDrawRange(0, this.indices * this.source.count);
    transform(this.source, this.corners, this.position, 1);
    if (this.normal) transform(this.source, this.normals!, this.normal, 0);
  }

  paint() {
    const from = this.source.instanceColor?.array, to = this.colour.array as Float32Array;
    if (!from) return;
    const corners = this.corners.length / 3;
    for (let i = 0, at = 0; i < this.source.count; ++i)
      for (let k = 0; k < corners; ++k) for (let c = 0; c < 3; ++c) to[at++] = from[3 * i + c];
    this.colour.needsUpdate = true;
  }

  dispose() {
    this.mesh.geometry.dispose();
    (this.mesh.material as THREE.Material).dispose();
  }
}

// Points (w = 1) or directions (w = 0) of a shape, for every instance. Directions of shapes that are stretched
// are not those of normals; the difference cannot be seen at the size of one of thousands.
function transform(source: THREE.InstancedMesh, shape: Float32Array, to: THREE.BufferAttribute, w: number) {
  const m = source.instanceMatrix.array, out = to.array as Float32Array;
  for (let i = 0, at = 0; i < source.count; ++i) {
    const o = 16 * i;
    const a = m[o], b = m[o + 1], c = m[o + 2], d = m[o + 4], e = m[o + 5], f = m[o + 6], g = m[o + 8], h = m[o + 9], j = m[o + 10];
    const p = w * m[o + 12], q = w * m[o + 13], r = w * m[o + 14];
    for (let k = 0; k < shape.length; k += 3) {
      const x = shape[k], y = shape[k + 1], z = shape[k + 2];
      out[at++] = a * x + d * y + g * z + p;
      out[at++] = b * x + e * y + h * z + q;
      out[at++] = c * x + f * y + j * z + r;
    }
  }
  to.needsUpdate = true;
}
