import { defineConfig } from "vite";

// One script, with its styles inside: the tool carries it, and a report opens from disk.
export default defineConfig({
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
