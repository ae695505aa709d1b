import { artefactsOf } from "../artefact.ts";

const markdownDeck =
  "# A parcel\n\nIts way\n\n---\n\n## Shelf\n\n* first\n* second\n\n---\n\n## Door\n\n```js\nlet door = 1;\n```\n";

/** Slide decks. */
export const slides = artefactsOf("slides", {
  "reveal-starter": {
    beside: { "reveal.js@6.0.2": { dist: "dist", "index.html": "index.html" } },
    click: ".navigate-right",
    isLight: true,
  },
  "reveal-demo": {
    beside: { "reveal.js@6.0.2": { dist: "dist", "index.html": "demo.html" } },
    click: ".navigate-right",
  },
  impress: {
    beside: { "impress.js@1.1.0": ["index.html", "js", "css", "favicon.png"] },
    click: ".step.active",
  },
  webslides: {
    beside: { "webslides@1.5.0": ["index.html", "static"] },
  },
  marp: {
    packages: { "@marp-team/marp-cli": "4.5.1" },
    files: { "deck.md": `---\nmarp: true\n---\n\n${markdownDeck}` },
    run: ["mkdir out && marp --no-stdin --bespoke.osc=false deck.md -o out/index.html"],
    click: "body",
  },
  markmap: {
    packages: { "markmap-cli": "0.18.12" },
    files: { "map.md": "# Parcel\n\n## Shelf\n\n- one\n- two\n\n## Road\n\n- three\n" },
    run: ["mkdir out && markmap --offline --no-open -o out/index.html map.md"],
    click: "circle",
  },
});
