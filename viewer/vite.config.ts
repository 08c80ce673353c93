import { gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// The page's own script is packed like its data, in half the bytes; what unpacks it is this.
const UNPACK = `const own=document.getElementById("own").textContent;
const bytes=Uint8Array.from(atob(own),(letter)=>letter.charCodeAt(0));
const stream=new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const script=document.createElement("script");
script.textContent=await new Response(stream).text();
document.head.append(script);`;

/** Replace the inline module by itself in gzip and base64, and by what unpacks it. */
function packed(): Plugin {
  return {
    name: "packed",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type !== "asset" || !file.fileName.endsWith(".html")) continue;
          file.source = String(file.source).replace(
            /<script type="module"[^>]*>([\s\S]*?)<\/script>/,
            (_whole, code: string) => {
              const base64 = gzipSync(`(()=>{${code}})()`, { level: 9 }).toString("base64");
              return `<script type="text/plain" id="own">${base64}</script><script type="module">${UNPACK}</script>`;
            },
          );
        }
      },
    },
  };
}

// One file, nothing beside it: it is served by Python, and mailed. It must stay small: h(...) is
// shorter than what the automatic runtime writes, and there is nothing to preload.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), packed()],
  oxc: { jsx: { runtime: "classic", pragma: "h", pragmaFrag: "Fragment" } },
  build: {
    target: "es2022",
    outDir: "dist",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      transform: { inject: { h: ["preact", "h"], Fragment: ["preact", "Fragment"] } },
    },
  },
});
