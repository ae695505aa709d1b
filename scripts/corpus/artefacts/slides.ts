import type { Artefact } from "../artefact.ts";

const markdownDeck =
  "# A parcel\n\nIts way\n\n---\n\n## Shelf\n\n* first\n* second\n\n---\n\n## Door\n\n```js\nlet door = 1;\n```\n";

/** Slide decks. */
export const slides: readonly Artefact[] = [
  {
    name: "reveal-starter",
    kind: "slides",
    ready: { "reveal.js": "6.0.2" },
    copies: { "out/dist": "reveal.js/dist", "out/index.html": "reveal.js/index.html" },
    click: ".navigate-right",
    isLight: true,
  },
  {
    name: "reveal-demo",
    kind: "slides",
    ready: { "reveal.js": "6.0.2" },
    copies: { "out/dist": "reveal.js/dist", "out/index.html": "reveal.js/demo.html" },
    click: ".navigate-right",
  },
  {
    name: "impress",
    kind: "slides",
    ready: { "impress.js": "1.1.0" },
    copies: {
      "out/index.html": "impress.js/index.html",
      "out/js": "impress.js/js",
      "out/css": "impress.js/css",
      "out/favicon.png": "impress.js/favicon.png",
    },
    click: ".step.active",
  },
  {
    name: "webslides",
    kind: "slides",
    ready: { webslides: "1.5.0" },
    copies: {
      "out/index.html": "webslides/index.html",
      "out/static": "webslides/static",
    },
  },
  {
    name: "marp",
    kind: "slides",
    packages: { "@marp-team/marp-cli": "4.5.1" },
    files: { "deck.md": `---\nmarp: true\n---\n\n${markdownDeck}` },
    run: ["mkdir out && marp --no-stdin --bespoke.osc=false deck.md -o out/index.html"],
    click: "body",
  },
  {
    name: "markmap",
    kind: "slides",
    packages: { "markmap-cli": "0.18.12" },
    files: { "map.md": "# Parcel\n\n## Shelf\n\n- one\n- two\n\n## Road\n\n- three\n" },
    run: ["mkdir out && markmap --offline --no-open -o out/index.html map.md"],
    click: "circle",
  },
];
