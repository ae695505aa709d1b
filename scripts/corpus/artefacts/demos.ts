import { artefactsOf } from "../artefact.ts";

/** Pages with editors, viewers, workers and small interactive libraries. */
export const demos = artefactsOf("demo", {
  speedscope: {
    kind: "report",
    beside: { "speedscope@1.25.0": { "": "dist/release" } },
    isLight: true,
  },
  "speedscope-profile": {
    kind: "report",
    samples: ["profiles"],
    beside: { "speedscope@1.25.0": { "": "dist/release" } },
    run: [
      "cp parcels.cpuprofile out/",
      `printf '<!doctype html><meta http-equiv="refresh" content="0;url=speedscope.html#profileURL=parcels.cpuprofile">' > redirect.html && mv out/index.html out/speedscope.html && mv redirect.html out/index.html`,
    ],
  },
  alpine: {
    beside: { "alpinejs@3.17.5": { "alpine.js": "dist/cdn.min.js" } },
    head: '<script defer src="alpine.js"></script>',
    body: `<div x-data="{ count: 0, isOpen: false }"><button @click="count++; isOpen = true">Add</button> <span x-text="count"></span><p x-show="isOpen">It is open</p></div>`,
    click: "button",
    isLight: true,
  },
  htmx: {
    beside: { "htmx.org@4.0.1": { "htmx.js": "dist/htmx.min.js" } },
    head: '<script src="htmx.js"></script>',
    body: `<button hx-get="part.html" hx-target="#place">Load the part</button><div id="place">Nothing yet</div>`,
    run: ["echo '<p>The part is here</p>' > out/part.html"],
    click: "button",
    isLight: true,
  },
  monaco: {
    beside: { "monaco-editor@0.57.0": { vs: "min/vs" } },
    body: `<div id="box" style="height:300px"></div><script src="vs/loader.js"></script><script>require.config({ paths: { vs: "vs" } }); require(["vs/editor/editor.main"], () => monaco.editor.create(box, { value: "const parcel: string = 1;", language: "typescript" }));</script>`,
    run: ["find out/vs -name '*.nls.*' -delete; find out/vs -name 'nls.messages.??*' -delete"],
  },
  ace: {
    beside: {
      "ace-builds@1.45.2": {
        "ace/ace.js": "src-min-noconflict/ace.js",
        "ace/mode-javascript.js": "src-min-noconflict/mode-javascript.js",
        "ace/worker-javascript.js": "src-min-noconflict/worker-javascript.js",
        "ace/theme-monokai.js": "src-min-noconflict/theme-monokai.js",
      },
    },
    body: `<div id="box" style="height:300px">function price() { return 1 }\nlet x = ;</div><script src="ace/ace.js"></script><script>const editor = ace.edit("box"); editor.setTheme("ace/theme/monokai"); editor.session.setMode("ace/mode/javascript");</script>`,
  },
  codemirror: {
    packages: { codemirror: "6.0.2", "@codemirror/lang-javascript": "6.2.5", esbuild: "0.28.2" },
    files: {
      "main.js": `import { EditorView, basicSetup } from "codemirror"; import { javascript } from "@codemirror/lang-javascript"; new EditorView({ doc: "const parcel = 1;", extensions: [basicSetup, javascript()], parent: document.body });`,
      "out/index.html":
        '<!doctype html><meta charset="utf-8"><title>Editor</title><body><script src="main.js"></script></body>',
    },
    run: ["esbuild main.js --bundle --minify --outfile=out/main.js"],
    click: ".cm-content",
  },
  "pdf-js": {
    beside: {
      "pdfjs-dist@6.5.438": { "pdf.mjs": "build/pdf.min.mjs", "pdf.worker.mjs": "build/pdf.worker.min.mjs" },
    },
    samples: ["documents"],
    run: ["cp page.pdf out/"],
    body: `<canvas id="page"></canvas><p id="count"></p><script type="module">
import * as pdf from "./pdf.mjs"; pdf.GlobalWorkerOptions.workerSrc = "./pdf.worker.mjs";
const file = await pdf.getDocument({ url: "page.pdf" }).promise, first = await file.getPage(1), viewport = first.getViewport({ scale: 0.5 }), canvas = document.getElementById("page");
canvas.width = viewport.width; canvas.height = viewport.height; await first.render({ canvas, canvasContext: canvas.getContext("2d"), viewport }).promise; count.textContent = file.numPages + " page";</script>`,
  },
  katex: {
    beside: {
      "katex@0.19.1": {
        "katex/katex.js": "dist/katex.min.js",
        "katex/katex.css": "dist/katex.min.css",
        "katex/fonts": "dist/fonts",
      },
    },
    head: '<link rel="stylesheet" href="katex/katex.css">',
    body: String.raw`<p id="formula"></p><script src="katex/katex.js"></script><script>katex.render("\\int_0^1 \\frac{x^2}{\\sqrt{1+x}}\\,dx = c", formula, { displayMode: true });</script>`,
  },
  datatables: {
    beside: {
      "datatables.net@3.1.5": { "dataTables.js": "js/dataTables.min.js" },
      "jquery@4.0.0": { "jquery.js": "dist/jquery.min.js" },
    },
    body: `<table id="parcels"><thead><tr><th>Id<th>Grams</thead><tbody><tr><td>a<td>20<tr><td>b<td>5<tr><td>c<td>70</tbody></table><script src="jquery.js"></script><script src="dataTables.js"></script><script>new DataTable("#parcels", { stateSave: true });</script>`,
    isLight: true,
    click: "th:has-text('Grams')",
  },
  "bpmn-js": {
    beside: { "bpmn-js@18.31.1": { "bpmn.js": "dist/bpmn-navigated-viewer.production.min.js" } },
    samples: ["documents"],
    run: ["cp process.bpmn out/"],
    body: `<div id="box" style="height:400px"></div><script src="bpmn.js"></script><script>fetch("process.bpmn").then((response) => response.text()).then(async (xml) => { const viewer = new BpmnJS({ container: box }); await viewer.importXML(xml); viewer.get("canvas").zoom("fit-viewport"); });</script>`,
  },
  "module-worker": {
    files: {
      "out/page.js": `const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" }); worker.onmessage = ({ data }) => { document.querySelector("output").textContent = data; }; document.querySelector("button").onclick = () => worker.postMessage(20); worker.postMessage(10);`,
      "out/worker.js": `import { fibonacci } from "./fibonacci.js"; onmessage = ({ data }) => postMessage(fibonacci(data));`,
      "out/fibonacci.js":
        "export function fibonacci(n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }",
      "out/index.html":
        '<!doctype html><meta charset="utf-8"><title>Worker</title><button>Twenty</button> <output></output><script type="module" src="page.js"></script>',
    },
    click: "button",
    isLight: true,
  },
});
