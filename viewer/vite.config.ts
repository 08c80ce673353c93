import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file, nothing beside it: it is served by Python, and mailed.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    reportCompressedSize: false,
  },
});
