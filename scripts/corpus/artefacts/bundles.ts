import { artefactsOf } from "../artefact.ts";

const entry = `import { camelCase, debounce } from "lodash-es"; import { format } from "date-fns"; console.log(camelCase("a parcel"), debounce, format(new Date(0), "yyyy"));\n`;
const libraries = { "lodash-es": "4.18.1", "date-fns": "4.4.0" };
const webpack = { webpack: "5.113.0", "webpack-cli": "7.3.1" };
const rollup = (template: string) => ({
  packages: {
    "rollup-plugin-visualizer": "7.1.3",
    rollup: "4.68.8",
    "@rollup/plugin-node-resolve": "16.0.3",
    ...libraries,
  },
  files: {
    "main.js": entry,
    "rollup.config.mjs": `import resolve from "@rollup/plugin-node-resolve"; import { visualizer } from "rollup-plugin-visualizer"; export default { input: "main.js", output: { dir: "dist", format: "es" }, plugins: [resolve(), visualizer({ template: "${template}", filename: "out/index.html" })] };`,
  },
  run: ["rollup -c"],
});

/** Reports that visualize bundles and profiles. */
export const bundles = artefactsOf("report", {
  "rollup-treemap": rollup("treemap"),
  "rollup-sunburst": rollup("sunburst"),
  "rollup-network": rollup("network"),
  "source-map-explorer": {
    packages: { "source-map-explorer": "2.5.3", esbuild: "0.28.2", ...libraries },
    files: { "main.js": entry },
    run: [
      "esbuild main.js --bundle --minify --sourcemap --outfile=dist/main.js && mkdir out && source-map-explorer dist/main.js --html out/index.html --no-border-checks",
    ],
    click: ".webtreemap-caption",
  },
  "webpack-bundle-analyzer": {
    packages: { "webpack-bundle-analyzer": "5.4.0", ...webpack, ...libraries },
    files: { "src/index.js": entry },
    run: [
      "webpack --mode production --profile --json=stats.json",
      "mkdir out && webpack-bundle-analyzer stats.json dist --mode static --no-open --report out/index.html",
    ],
  },
  statoscope: {
    packages: { "@statoscope/cli": "5.29.0", ...webpack, ...libraries },
    files: { "src/index.js": entry },
    run: [
      "webpack --mode production --json=stats.json",
      "mkdir out && statoscope generate --input stats.json --output out/index.html",
    ],
  },
  "bundle-stats": {
    packages: { "bundle-stats": "4.22.1", ...webpack, ...libraries },
    files: { "src/index.js": entry },
    run: [
      "webpack --mode production --json=stats.json",
      "bundle-stats --html --out-dir=out stats.json && mv out/*.html out/index.html",
    ],
    inner: "a:has-text('Modules')",
  },
  "esbuild-visualizer": {
    packages: { "esbuild-visualizer": "0.7.0", esbuild: "0.28.2", ...libraries },
    files: { "main.js": entry },
    run: [
      "esbuild main.js --bundle --metafile=meta.json --outfile=dist/main.js && mkdir out && esbuild-visualizer --metadata meta.json --filename out/index.html",
    ],
  },
  "flame-graph-0x": {
    packages: { "0x": "6.0.0" },
    files: {
      "work.js":
        "function work(n) { return n < 2 ? n : work(n - 1) + work(n - 2); } for (let at = 0; at < 20; at++) work(30);",
    },
    run: [
      "0x --output-dir out -- node work.js && mv out/flamegraph.html out/index.html && rm -f out/*.log out/*.json",
    ],
  },
});
