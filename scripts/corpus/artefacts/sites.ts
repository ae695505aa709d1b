import { artefactsOf } from "../artefact.ts";

/** A framework's starter template, built with the default base path. */
const viteTemplate = (template: string) => ({
  packages: { "create-vite": "9.3.0" },
  run: [
    `create-vite site --template ${template} --no-interactive`,
    "cd site && npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps --prefer-offline --before 2026-11-28 && npx vite build",
  ],
  output: "site/dist",
  click: "button",
});

const parcelPages = {
  "index.html":
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Parcels</title><link rel="stylesheet" href="style.css"><h1>Parcels</h1><button>Weigh</button> <output></output> <a href="guide.html">Guide</a><script type="module" src="main.js"></script></html>',
  "guide.html":
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Guide</title><link rel="stylesheet" href="style.css"><h1>Guide</h1><a href="index.html">Home</a></html>',
  "main.js": `document.querySelector("button").onclick = async () => { const { weigh } = await import("./weigh.js"); document.querySelector("output").textContent = weigh(); };`,
  "weigh.js": "export const weigh = () => '20 g';",
  "style.css": "h1 { color: teal; }",
};

const react = { react: "19.3.1", "react-dom": "19.3.1" };

/** Applications and sites made by bundlers and frameworks. */
export const sites = artefactsOf("site", {
  "vite-vanilla": viteTemplate("vanilla"),
  "vite-react": viteTemplate("react"),
  "vite-vue": viteTemplate("vue"),
  "vite-svelte": viteTemplate("svelte"),
  "vite-relative-pages": {
    packages: { vite: "8.4.0" },
    files: {
      ...parcelPages,
      "vite.config.js": `export default { base: "./", build: { outDir: "out", rollupOptions: { input: ["index.html", "guide.html"] } } };`,
    },
    run: ["vite build"],
    inner: "a",
    click: "button",
  },
  parcel: {
    packages: { parcel: "2.16.4" },
    files: parcelPages,
    run: ["parcel build index.html --dist-dir out --no-cache --no-optimize"],
    inner: "a",
    click: "button",
  },
  "webpack-app": {
    packages: { webpack: "5.113.0", "webpack-cli": "7.3.1", "html-webpack-plugin": "5.6.8" },
    files: {
      "src/index.js": `const button = document.body.appendChild(document.createElement("button")); button.textContent = "Weigh"; button.onclick = () => import("./weigh.js").then(({ weigh }) => button.after(weigh()));`,
      "src/weigh.js": parcelPages["weigh.js"],
      "webpack.config.js": `const Html = require("html-webpack-plugin"); module.exports = { mode: "production", output: { path: __dirname + "/out", filename: "[contenthash].js", clean: true }, plugins: [new Html({ title: "Parcels" })] };`,
    },
    run: ["webpack"],
    click: "button",
  },
  "react-router-paths": {
    packages: { vite: "8.4.0", "@vitejs/plugin-react": "6.3.0", ...react, "react-router": "8.5.3" },
    files: {
      "index.html":
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Parcels</title><div id="root"></div><script type="module" src="/main.jsx"></script></html>',
      "main.jsx": `import { createRoot } from "react-dom/client"; import { BrowserRouter, Link, Route, Routes } from "react-router";
createRoot(document.getElementById("root")).render(<BrowserRouter><nav><Link to="/">Home</Link> <Link to="/guide">Guide</Link></nav><Routes><Route path="/" element={<h1>Parcels</h1>} /><Route path="/guide" element={<h1>The guide</h1>} /><Route path="*" element={<h1>No such page</h1>} /></Routes></BrowserRouter>);`,
      "vite.config.js": `import react from "@vitejs/plugin-react"; export default { plugins: [react()], build: { outDir: "out" } };`,
    },
    run: ["vite build"],
    inner: "a:has-text('Guide')",
  },
  "vue-router-hash": {
    packages: { vite: "8.4.0", vue: "3.5.45", "vue-router": "5.5.1" },
    files: {
      "index.html":
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Parcels</title><div id="app"></div><script type="module" src="/main.js"></script></html>',
      "main.js": `import { createApp, h } from "vue"; import { createRouter, createWebHashHistory, RouterLink, RouterView } from "vue-router";
const page = (text) => ({ render: () => h("h1", text) });
const router = createRouter({ history: createWebHashHistory(), routes: [{ path: "/", component: page("Parcels") }, { path: "/guide", component: page("Guide") }] });
createApp({ render: () => [h(RouterLink, { to: "/guide" }, () => "Guide"), h(RouterView)] }).use(router).mount("#app");`,
      "vite.config.js": `export default { base: "./", build: { outDir: "out" } };`,
    },
    run: ["vite build"],
    inner: "a",
  },
  "next-export": {
    packages: { next: "16.4.6", ...react },
    files: {
      "app/layout.jsx": `export const metadata = { title: "Parcels" }; export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }`,
      "app/page.jsx": `"use client";\nimport Link from "next/link"; import { useState } from "react";\nexport default function Page() { const [count, setCount] = useState(0); return <main><h1>Parcels</h1><button onClick={() => setCount(count + 1)}>{count} sent</button> <Link href="/guide">Guide</Link></main>; }`,
      "app/guide/page.jsx": `import Link from "next/link"; export default function Guide() { return <main><h1>Guide</h1><Link href="/">Home</Link></main>; }`,
      "next.config.mjs": `export default { output: "export", trailingSlash: true };`,
    },
    run: ["NEXT_TELEMETRY_DISABLED=1 next build --webpack"],
    inner: "a",
    click: "button",
  },
  sveltekit: {
    packages: {
      "@sveltejs/kit": "2.70.4",
      "@sveltejs/adapter-static": "3.0.11",
      "@sveltejs/vite-plugin-svelte": "7.3.1",
      svelte: "5.57.3",
      vite: "8.4.0",
    },
    files: {
      "src/app.html":
        '<!doctype html><html lang="en"><head><meta charset="utf-8">%sveltekit.head%</head><body><div>%sveltekit.body%</div></body></html>',
      "src/routes/+layout.js": "export const prerender = true;\n",
      "src/routes/+page.svelte":
        '<script>let count = $state(0);</script>\n<h1>Parcels</h1>\n<button onclick={() => count++}>{count} sent</button>\n<a href="./guide">Guide</a>\n',
      "src/routes/guide/+page.svelte": '<h1>Guide</h1>\n<a href="./">Home</a>\n',
      "vite.config.mjs":
        'import adapter from "@sveltejs/adapter-static";\nimport { sveltekit } from "@sveltejs/kit/vite";\nexport default { plugins: [sveltekit({ adapter: adapter({ pages: "out", assets: "out" }) })] };\n',
    },
    run: ["vite build"],
    inner: "a",
    click: "button",
  },
  storybook: {
    packages: { storybook: "10.6.0", "@storybook/html-vite": "10.6.0", vite: "8.4.0" },
    files: {
      ".storybook/main.js": `export default { stories: ["../*.stories.js"], framework: "@storybook/html-vite", core: { disableTelemetry: true } };`,
      "button.stories.js": `export default { title: "Parcel", render: ({ label }) => { const button = document.createElement("button"); button.textContent = label; return button; } }; export const Light = { args: { label: "20 g" } }; export const Heavy = { args: { label: "20 kg" } };`,
    },
    run: ["storybook build -o out --quiet"],
    inner: "a:has-text('Heavy')",
  },
});
