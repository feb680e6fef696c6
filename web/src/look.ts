// Colours and materials, light and dark.
import * as THREE from "three";

export interface Look {
  dark: boolean;
  sky: string; // background, at the top ..
  horizon: string; // .. and where the ground ends
  ground: string;
  line: string; // of the grid
  standing: string; // solids that do not move
  bodies: string[];
  selected: string;
  phases: [string, string, string, string]; // near, impact, sticking, sliding
  force: string;
  normal: string;
  cone: string;
  featureA: string;
  featureB: string;
  volume: string;
  box: string;
  joint: string;
  lanes: string[]; // of curves, one a lane
}

// Okabe and Ito's for what must be told apart, softer ones for solids.
const bodies = ["#5b8db8", "#e8a25c", "#79ab78", "#c9706a", "#9a86c4", "#6db3b5", "#d394b4", "#b7a95c"];
const lanes = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

export const light: Look = {
  dark: false, sky: "#bcd0e4", horizon: "#e9eef3", ground: "#c3cad2", line: "#7d8a98", standing: "#98a1ab",
  bodies, selected: "#ffffff",
  phases: ["#8a94a0", "#e69f00", "#009e73", "#0072b2"],
  force: "#d1342f", normal: "#3b4652", cone: "#e69f00", featureA: "#0aa3a3", featureB: "#c2379a",
  volume: "#d1342f", box: "#5b6673", joint: "#d1342f", lanes,
};

export const dark: Look = {
  ...light, dark: true, sky: "#10141a", horizon: "#222a33", ground: "#262e38", line: "#4a5866", standing: "#6d7782",
  phases: ["#8a94a0", "#ffb732", "#2fd6a4", "#4db2f5"],
  force: "#ff6a5e", normal: "#dbe3ec", cone: "#ffb732", featureA: "#35d6d6", featureB: "#f078cf",
  volume: "#ff5a4f", box: "#8fa0b3", joint: "#ff6a5e", lanes: ["#56b4e9", "#f08a3c", "#2fd6a4", "#e79ac4"],
};

// A floor with a grid that stays thin at any distance and fades into the horizon.
export function planeMaterial(look: Look, size: number, plain: boolean, rgba?: readonly number[]): THREE.Material {
  const cell = Math.pow(10, Math.round(Math.log10(Math.max(size, 1e-6) / 2)));
  const material = plain ? new THREE.MeshLambertMaterial({ color: look.ground })
    : new THREE.MeshStandardMaterial({ color: look.ground, roughness: 0.95, metalness: 0 });
  if (rgba) {
    // a hint of the world's own colour: a floor is a stage, not a player
    const own = new THREE.Color().setRGB(rgba[0], rgba[1], rgba[2], THREE.SRGBColorSpace);
    material.color.lerp(own, look.dark ? 0.12 : 0.18);
  }
  const uniforms = {
    gridCell: { value: cell }, gridColour: { value: new THREE.Color(look.line) },
    fadeColour: { value: shown(look.horizon) }, fadeFar: { value: 34 * size },
  };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec3 vGridPlace; varying vec3 vGridView;")
      .replace("#include <project_vertex>",
        "#include <project_vertex>\nvGridPlace = position; vGridView = mvPosition.xyz;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>
varying vec3 vGridPlace; varying vec3 vGridView;
uniform float gridCell, fadeFar; uniform vec3 gridColour, fadeColour;
float gridLine(float cell) {
  vec2 at = vGridPlace.xy / cell, width = fwidth(at);
  vec2 near = abs(fract(at - 0.5) - 0.5) / max(width, vec2(1e-6));
  float line = 1.0 - min(min(near.x, near.y), 1.0);
  return line * (1.0 - smoothstep(0.15, 0.5, max(width.x, width.y)));
}`)
      .replace("#include <color_fragment>", `#include <color_fragment>
float gridInk = max(0.34 * gridLine(gridCell), 0.8 * gridLine(10.0 * gridCell));
diffuseColor.rgb = mix(diffuseColor.rgb, gridColour, gridInk);`)
      .replace("#include <dithering_fragment>", `#include <dithering_fragment>
gl_FragColor.rgb = mix(gl_FragColor.rgb, fadeColour, smoothstep(0.12 * fadeFar, fadeFar, length(vGridView)));`);
  };
  return material;
}

// The grid alone, for worlds without a floor.
export function referenceGrid(look: Look, size: number): THREE.Object3D {
  const cell = Math.pow(10, Math.round(Math.log10(Math.max(size, 1e-6) / 2)));
  const n = 40;
  const grid = new THREE.GridHelper(n * cell, n, look.line, look.line);
  grid.rotateX(Math.PI / 2);
  const material = grid.material as THREE.LineBasicMaterial;
  material.transparent = true;
  material.opacity = 0.28;
  material.depthWrite = false;
  return grid;
}

// From the horizon up to the sky, whichever way one looks. Its colours, and what the floor fades
// into, are what the screen shows: neither is lit.
export function skyDome(look: Look): THREE.Mesh {
  const material = new THREE.ShaderMaterial({
    uniforms: { sky: { value: shown(look.sky) }, horizon: { value: shown(look.horizon) } },
    vertexShader: `varying vec3 way;
void main() {
  way = position;
  gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  gl_Position.z = gl_Position.w;
}`,
    fragmentShader: `varying vec3 way; uniform vec3 sky, horizon;
void main() { gl_FragColor = vec4(mix(horizon, sky, smoothstep(0.02, 0.75, normalize(way).z)), 1.0); }`,
    side: THREE.BackSide, depthWrite: false, depthTest: false,
  });
  const dome = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 24), material);
  dome.frustumCulled = false;
  dome.renderOrder = -1000;
  return dome;
}

function shown(colour: string): THREE.Vector3 {
  const c = { r: 0, g: 0, b: 0 };
  new THREE.Color(colour).getRGB(c as THREE.Color, THREE.SRGBColorSpace);
  return new THREE.Vector3(c.r, c.g, c.b);
}
