import { defineConfig } from "vite";

// Shaders of three.js for materials that the viewer has none of; each is empty unless such a material asks for it.
const unused = "iridescence_fragment|iridescence_pars_fragment|transmission_fragment|transmission_pars_fragment|" +
  "alphahash_pars_fragment|skinbase_vertex|skinning_pars_vertex|skinning_vertex|displacementmap_pars_vertex|" +
  "displacementmap_vertex|bumpmap_pars_fragment|lights_toon_fragment|lights_toon_pars_fragment|gradientmap_pars_fragment";
const withoutUnused = {
  name: "without-unused-shaders",
  transform: (code: string, id: string) =>
    /[\\/]three[\\/]build[\\/]/.test(id) ? code.replace(new RegExp(`\\bvar (${unused}) = "(?:[^"\\\\]|\\\\.)*"`, "g"), 'var $1 = ""') : undefined,
};

// One script, with its styles inside: the tool carries it, and a report opens from disk.
export default defineConfig({
  plugins: [withoutUnused],
  build: {
    lib: { entry: "src/main.ts", name: "abut", formats: ["iife"], fileName: () => "viewer.js" },
    target: "es2022",
    emptyOutDir: false,
    copyPublicDir: false,
    minify: "esbuild",
    cssMinify: true,
    reportCompressedSize: false,
  },
  esbuild: { drop: ["console"] }, // the libraries' own complaints: 7 kB of text
  define: { "process.env.NODE_ENV": '"production"' },
});
