import { artefactsOf } from "../artefact.ts";

const chapters = {
  "index.md": "# Parcels\n\nSends parcels. Read [the guide](guide.md).\n\n```js\nlet parcel = 1;\n```\n",
  "guide.md": "# Guide\n\nA parcel has a weight.\n\n## Price\n\n| grams | cents |\n|---|---|\n| 20 | 450 |\n",
};

/** Documentation sites made by generators. */
export const docs = artefactsOf("docs", {
  typedoc: {
    packages: { typedoc: "0.28.20", typescript: "5.9.3" },
    samples: ["module"],
    files: {
      "tsconfig.json": `{ "compilerOptions": { "strict": true, "module": "nodenext", "allowImportingTsExtensions": true, "noEmit": true, "skipLibCheck": true }, "include": ["src"] }`,
    },
    run: ["typedoc --out out --disableSources --hideGenerator --sort source-order src/index.ts"],
    inner: "a[href='classes/Queue.html']",
    click: "#tsd-search-trigger",
  },
  jsdoc: {
    packages: { jsdoc: "4.0.5" },
    samples: ["scripts"],
    run: ["jsdoc -d out parcel.js label.js"],
    inner: "nav a:has-text('Queue')",
  },
  "documentation-js": {
    packages: { documentation: "14.0.3" },
    samples: ["scripts"],
    run: ["documentation build parcel.js -f html -o out --shallow"],
    inner: "a[href='#queue']",
  },
  esdoc: {
    packages: { esdoc: "1.1.0", "esdoc-standard-plugin": "1.0.0" },
    files: {
      "src/parcel.js":
        "/** A parcel that waits. */\nexport class Parcel {\n  /** Weight in grams. */\n  weigh() { return 1; }\n}\n",
      "esdoc.json": `{ "source": "src", "destination": "out", "plugins": [{ "name": "esdoc-standard-plugin" }] }`,
    },
    run: ["esdoc -c esdoc.json"],
    inner: "a:has-text('Parcel')",
  },
  docsify: {
    files: {
      "out/index.html": `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Parcels</title><link rel="stylesheet" href="core.css"></head><body><div id="app"></div><script>window.$docsify = { name: "Parcels", loadSidebar: true };</script><script src="docsify.js"></script></body></html>`,
      "out/README.md": "# Parcels\n\nSends parcels. Read [the guide](guide.md).\n",
      "out/guide.md": chapters["guide.md"],
      "out/_sidebar.md": "* [Home](/)\n* [Guide](guide.md)\n",
    },
    beside: {
      "docsify@5.0.0": { "docsify.js": "dist/docsify.min.js", "core.css": "dist/themes/core.min.css" },
    },
    inner: "article a:has-text('the guide')",
    isLight: true,
  },
  vitepress: {
    packages: { vitepress: "1.6.4", vue: "3.5.45" },
    files: {
      "docs/index.md": "# Parcels\n\nSends parcels. Read [the guide](./guide).\n",
      "docs/guide.md": chapters["guide.md"],
      "docs/.vitepress/config.mjs": `export default { title: "Parcels", themeConfig: { search: { provider: "local" }, sidebar: [{ text: "Guide", link: "/guide" }] } };`,
    },
    output: "docs/.vitepress/dist",
    inner: "main a:has-text('the guide')",
    run: ["vitepress build docs"],
    click: ".VPNavBarSearch button",
  },
  honkit: {
    packages: { honkit: "6.1.7" },
    files: {
      "SUMMARY.md": "# Summary\n\n* [Introduction](README.md)\n* [Guide](guide.md)\n",
      "README.md": "# Parcels\n\nSends parcels.\n",
      "guide.md": chapters["guide.md"],
    },
    run: ["honkit build . out"],
    inner: ".summary a:has-text('Guide')",
    click: ".fa-font, .btn:visible",
  },
  eleventy: {
    packages: { "@11ty/eleventy": "3.1.8" },
    files: { "index.md": "# Parcels\n\n[The guide](guide/)\n", "guide.md": "# Guide\n\n[Home](../)\n" },
    run: ["eleventy --input=. --output=out"],
    inner: "a",
  },
  astro: {
    kind: "site",
    packages: { astro: "7.3.5" },
    files: {
      "src/pages/index.astro": `---\nconst parcels = ["a", "b"];\n---\n<html lang="en"><head><meta charset="utf-8"><title>Parcels</title></head><body><h1>Parcels</h1><ul>{parcels.map((one) => <li>{one}</li>)}</ul><a href="/guide/">Guide</a></body></html>\n<style>h1 { color: teal; }</style>`,
      "src/pages/guide.astro": `<html lang="en"><head><meta charset="utf-8"><title>Guide</title></head><body><h1>Guide</h1><a href="/">Home</a></body></html>\n<style>h1 { color: purple; }</style>`,
      "astro.config.mjs": `export default { outDir: "out", build: { inlineStylesheets: "never" } };`,
    },
    run: ["ASTRO_TELEMETRY_DISABLED=1 astro build"],
    inner: "a",
  },
  starlight: {
    packages: { astro: "7.3.5", "@astrojs/starlight": "0.42.4" },
    files: {
      "astro.config.mjs": `import starlight from "@astrojs/starlight"; export default { outDir: "out", integrations: [starlight({ title: "Parcels", sidebar: [{ label: "Guide", link: "/guide/" }] })] };`,
      "src/content.config.ts": `import { defineCollection } from "astro:content"; import { docsLoader } from "@astrojs/starlight/loaders"; import { docsSchema } from "@astrojs/starlight/schema"; export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };`,
      "src/content/docs/index.md": "---\ntitle: Parcels\n---\n\nSends parcels. Read [the guide](/guide/).\n",
      "src/content/docs/guide.md": "---\ntitle: Guide\n---\n\nA parcel has a weight.\n",
    },
    run: ["ASTRO_TELEMETRY_DISABLED=1 astro build"],
    inner: "main a:has-text('the guide')",
  },
  docusaurus: {
    packages: {
      "@docusaurus/core": "3.10.2",
      "@docusaurus/preset-classic": "3.10.2",
      react: "19.3.1",
      "react-dom": "19.3.1",
      "@mdx-js/react": "3.1.1",
    },
    files: {
      "docusaurus.config.js": `module.exports = { title: "Parcels", url: "https://parcels.example", baseUrl: "/", presets: [["classic", { docs: { routeBasePath: "/" }, blog: false }]] };`,
      "docs/index.md": "---\nslug: /\n---\n\n# Parcels\n\nSends parcels. Read [the guide](guide.md).\n",
      "docs/guide.md": chapters["guide.md"],
    },
    run: ["DOCUSAURUS_NO_TELEMETRY=1 docusaurus build --out-dir out"],
    inner: "article a:has-text('the guide')",
  },
  hexo: {
    kind: "site",
    packages: {
      hexo: "8.1.2",
      "hexo-cli": "4.3.2",
      "hexo-theme-landscape": "1.1.0",
      "hexo-renderer-marked": "7.0.1",
      "hexo-renderer-ejs": "2.0.0",
      "hexo-renderer-stylus": "3.0.1",
      "hexo-generator-index": "4.0.0",
      "hexo-generator-archive": "2.0.0",
    },
    files: {
      "_config.yml":
        "title: Parcels\nurl: http://parcels.example\nroot: /\npublic_dir: out\ntheme: landscape\n",
      "source/_posts/first.md":
        "---\ntitle: The first parcel\ndate: 2026-01-02 03:04:05\n---\nIt was light.\n",
      "scaffolds/post.md": "---\ntitle: {{ title }}\n---\n",
    },
    run: [
      `node -e 'const d = require("./package.json"); d.hexo = { version: "" }; require("fs").writeFileSync("package.json", JSON.stringify(d))'`,
      "hexo generate",
    ],
    inner: "a.article-title, .article-title a",
  },
  metalsmith: {
    kind: "site",
    packages: { metalsmith: "2.7.0", "@metalsmith/markdown": "1.10.0" },
    files: {
      "src/index.md": "# Parcels\n\n[The guide](guide.html)\n",
      "src/guide.md": "# Guide\n\n[Home](index.html)\n",
      "build.mjs": `import Metalsmith from "metalsmith"; import markdown from "@metalsmith/markdown"; await Metalsmith(process.cwd()).source("src").destination("out").use(markdown()).build();`,
    },
    run: ["node build.mjs"],
    inner: "a",
  },
  "redocly-build-docs": {
    packages: { "@redocly/cli": "2.77.0" },
    samples: ["api"],
    run: ["mkdir out && REDOCLY_TELEMETRY=off redocly build-docs openapi.yaml -o out/index.html"],
  },
  spectaql: {
    packages: { spectaql: "3.0.9" },
    samples: ["api"],
    files: {
      "config.yml":
        "spectaql:\n  targetDir: out\nintrospection:\n  schemaFile: schema.graphql\ninfo:\n  title: Parcels\nservers:\n  - url: https://parcels.example/graphql\n    production: true\n",
    },
    run: ["spectaql config.yml"],
    inner: "a[href='#definition-Parcel']",
  },
  compodoc: {
    packages: { "@compodoc/compodoc": "2.0.0" },
    samples: ["module"],
    files: { "tsconfig.json": `{ "compilerOptions": { "module": "esnext" }, "include": ["src/**/*.ts"] }` },
    run: ["compodoc -p tsconfig.json -d out --disableGraph"],
    inner: "a:has-text('Queue')",
  },
  "observable-framework": {
    kind: "site",
    packages: { "@observablehq/framework": "1.13.4" },
    files: {
      "src/index.md": "# Parcels\n\nRead [the guide](./guide).\n\n```js\ndisplay(1 + 41)\n```\n",
      "src/guide.md": "# Guide\n\nA parcel has a weight.\n",
      "observablehq.config.js": `export default { title: "Parcels", root: "src", output: "out" };`,
    },
    run: ["observable build"],
    inner: "main a",
  },
});
