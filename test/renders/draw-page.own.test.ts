// @module-tag slow

import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findingsOf, refusedBySandbox } from "../../functions/renders/findings.ts";
import {
  type Drawing,
  type DrawnFile,
  type PictureName,
  pictureBytesMax,
} from "../../functions/renders/report.ts";
import { launchBrowser } from "../support/browser.ts";
import { slowAndNightly } from "../support/quick-and-slow.ts";
import { browserEnvironments } from "./browser-processes.ts";
import { type DrawingFunction, pageUrl, startDrawingFunction } from "./drawing-function.ts";
import { listenHere, reachingPage } from "./listening-machine.ts";

let drawing: DrawingFunction;
/** The rendered `faultyPage`, and the files that it was given. */
let whole: Drawing;
let files: readonly DrawnFile[];
/** Requests to the file storage: one for all views of the report. */
let requestsForWhole: readonly string[];
const asked: string[] = [];

/** Files of a folder, stored in one pack. */
const packed = {
  "css/my style.css": "#here { color: rgb(1, 2, 3) }",
  "app.js":
    'fetch("data.json").then((response) => response.json()).then(({ text }) => { if (getComputedStyle(document.querySelector("#here")).color !== "rgb(1, 2, 3)") throw new Error("no style"); console.warn(text); });',
  "data.json": '{"text":"It came"}',
};
const pack = Buffer.from(Object.values(packed).join(""));

const storage = createServer((request, response) => {
  asked.push(request.url ?? "");
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  if (request.url === "/pack" && from !== undefined)
    response.writeHead(206).end(pack.subarray(Number(from), Number(to) + 1));
  // Other requests get no response.
  if (request.url === "/signed")
    response.end(
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="red"/></svg>',
    );
});
beforeAll(async () => {
  drawing = await startDrawingFunction();
  await new Promise<void>((resolve) => storage.listen(0, "127.0.0.1", resolve));
  files = [
    { url: new URL("/b/picture1", pageUrl).href, source: sourceOf("/signed"), contentType: "image/svg+xml" },
    {
      url: new URL("/b/secret01", pageUrl).href,
      source: undefined,
      why: "not-for-readers",
      contentType: "image/png",
    },
  ];
  whole = await drawing.draw(faultyPage, { files });
  requestsForWhole = [...asked];
});
afterAll(async () => {
  storage.closeAllConnections();
  storage.close();
  await drawing.end();
});

/** Address of an object in the file storage. */
function sourceOf(path: string): string {
  return `http://127.0.0.1:${(storage.address() as AddressInfo).port}${path}`;
}

/** The folder's files as the drawing function receives them, below a base address. */
function folderFiles(url: string): DrawnFile[] {
  let offset = 0;
  return Object.entries(packed).map(([path, content]) => {
    const part = { offset, sizeBytes: content.length };
    offset += content.length;
    const contentType = path.endsWith("css") ? "text/css" : "text/javascript";
    return { url: url + path, source: sourceOf("/pack"), part, contentType };
  });
}

test("a folder's entry page is rendered with its files, and missing files are reported", {
  tags: "nightly",
}, async () => {
  const url = "http://kim.dropleaf.test/p/abcdefg/raw/@1/";
  const page = `<!doctype html><html lang="en"><title>Folder</title><link rel="stylesheet" href="css/my style.css?v=2">
<h1 id="here">Folder</h1><img src="img/missing.png" alt="missing"><script type="module" src="./app.js"></script>`;

  const { report } = await drawing.draw(page, { url, files: folderFiles(url) });

  for (const view of report.views) {
    expect(view.requests.map((request) => [request.url, request.why])).toEqual([
      [`${url}img/missing.png`, "not-found"],
    ]);
    expect(view.console).toEqual([{ kind: "warning", text: "It came" }]);
  }
});

/** A page with one fault of each kind that a report covers, and no other. */
const faultyPage = `<!doctype html><html lang="en"><head><title>Quarterly</title>
<style>body { margin: 0; font-family: sans-serif; background: white; color: black }
@media (prefers-color-scheme: dark) { body { background: black; color: white } }
.pale { color: #ccc; background: white } .wide { width: 700px; height: 20px; background: teal }
.cut { overflow: hidden } .cut div { width: 3000px }</style></head>
<body><main><h1>Quarterly</h1><p class="pale">You can hardly read this</p><div id="wide" class="wide"></div><div class="cut"><div>cut</div></div>
<img src="/b/picture1"><img src="/b/secret01" alt="for some"><img src="/b/unknown1" alt="of nobody"><img src="https://elsewhere.test/x.png" alt="outside">
<form id="own" method="post"></form><form id="elsewhere" method="POST" action="https://forms.test/sign-up"></form>
<div style="height: 5000px"></div></main>
<script>console.error("It is wrong"); console.warn("It may be"); console.log("It is well"); setTimeout(() => { throw new Error("Nobody catches it") });
setTimeout(() => localStorage.length); setTimeout(() => document.cookie); setTimeout(() => indexedDB.open("games"));
alert("Hello"); window.open("https://elsewhere.test/"); document.title = "Set";</script></body></html>`;

test("a URL that no reader's browser can load is reported as such, and not as an external request", async () => {
  const lost = [
    "sandbox:/mnt/data/chart.png",
    "file:///tmp/chart.png",
    "./chart.png",
    "http://localhost:3000/x.png",
  ];
  const images = [...lost, "/assets/x.png", "https://elsewhere.test/x.png"].map(
    (url) => `<img alt="" src="${url}">`,
  );
  const html = `<!doctype html><html lang="en"><head><title>x</title></head><body><main><h1>x</h1>${images.join("")}</main></body></html>`;

  const { report } = await drawing.draw(html, { url: `${pageUrl}?v=1` });

  const findings = findingsOf(report);
  for (const url of [
    ...lost.filter((one) => one !== "./chart.png"),
    "/p/quarterly/chart.png",
    "/assets/x.png",
  ])
    expect(findings).toContainEqual(expect.stringMatching(`cannot load for anyone.*${url}`));
  expect(findings.filter((finding) => finding.includes("may load"))).toEqual([
    expect.stringContaining("`https://elsewhere.test/x.png`"),
  ]);
});

test("the card and the thumbnail are rendered right after the first view", () => {
  expect(Object.keys(whole.pictures).slice(0, 3)).toEqual(["desktop-light", "card", "thumbnail"]);
});

test("a page is rendered in every view, and its report names each of its faults", async () => {
  const { report, pictures } = whole;

  expect(report.stopped).toBeUndefined();
  expect(report.views.map(({ name }) => name)).toEqual([
    "phone-light",
    "phone-dark",
    "desktop-light",
    "desktop-dark",
  ]);
  expect(report.weight).toEqual({ pageBytes: Buffer.byteLength(faultyPage), fileBytes: 110, requests: 5 });
  expect(requestsForWhole).toEqual(["/signed"]);
  for (const view of report.views) {
    expect(view.loadMs).toBeGreaterThan(0);
    const isOfSandbox = ({ text }: { text: string }) => refusedBySandbox.test(text);
    expect(view.console.filter(isOfSandbox)).toHaveLength(3);
    expect(view.forms).toEqual([{ selector: "#elsewhere", url: "https://forms.test/sign-up" }]);
    const own = view.console.filter((message) => !isOfSandbox(message));
    expect(own.toSorted((one, other) => one.kind.localeCompare(other.kind))).toEqual([
      { kind: "error", text: "It is wrong" },
      { kind: "exception", text: "Nobody catches it" },
      { kind: "warning", text: "It may be" },
    ]);
    expect(view.requests.map(({ url, why }) => [url, why]).toSorted()).toEqual([
      ["http://kim.dropleaf.test/b/secret01", "not-for-readers"],
      ["http://kim.dropleaf.test/b/unknown1", "not-found"],
      ["https://elsewhere.test/x.png", "outside"],
    ]);
    expect(view.attempts).toEqual(
      expect.arrayContaining([
        { kind: "dialog", count: 1 },
        { kind: "window", count: 1 },
      ]),
    );
    expect(view.overflow).toEqual(
      view.name.startsWith("phone")
        ? { pixels: 340, elements: [{ selector: "#wide", pixels: 340 }] }
        : undefined,
    );
    expect(view.accessibility.map(({ rule, count }) => [rule, count])).toEqual([
      ["color-contrast", 1],
      ["image-alt", 1],
    ]);
    expect(view).not.toHaveProperty("isUnjudged");
  }
  await expectDecoded(pictures, {
    "phone-light": "image/jpeg 360×1600",
    "phone-dark": "image/jpeg 360×1600",
    "desktop-light": "image/jpeg 1440×1800",
    "desktop-dark": "image/jpeg 1440×1800",
    card: "image/png 1200×630",
    thumbnail: "image/webp 320×200",
  });
});

test("without a report, a page is rendered once, with the same card and thumbnail", async () => {
  const { report, pictures } = await drawing.draw(faultyPage, { files, extent: "pictures" });

  const sizes = Object.entries(pictures).map(
    ([name, { mediaType, widthPx, heightPx }]) => `${name} ${mediaType} ${widthPx}×${heightPx}`,
  );
  expect(sizes).toEqual(["card image/png 1200×630", "thumbnail image/webp 320×200"]);
  expect(report.stopped).toBeUndefined();
  expect(report.views.map(({ name, isUnjudged }) => [name, isUnjudged])).toEqual([["desktop-light", true]]);
  expect(whole.pictures.card?.bytes).toBe(pictures.card?.bytes);
  expect(whole.pictures.thumbnail?.bytes).toBe(pictures.thumbnail?.bytes);
});

test("the thumbnail shows the top left of the page at half its size", async () => {
  const html = `<!doctype html><style>body { margin: 0 } p { width: 320px; height: 200px; margin: 0; background: #000 }</style><p></p>`;

  const { pictures } = await drawing.draw(html, { files: [], extent: "pictures" });

  const { mediaType, bytes } = pictures.thumbnail ?? {};
  const browser = await launchBrowser();
  const page = await browser.newPage();
  const shades = await page.evaluate(
    `(async () => {
      const image = new Image();
      image.src = "data:${mediaType};base64,${bytes}";
      await image.decode();
      const context = document.createElement("canvas").getContext("2d");
      Object.assign(context.canvas, { width: 320, height: 200 });
      context.drawImage(image, 0, 0);
      return [[8, 8], [150, 90], [170, 90], [150, 110]].map(([x, y]) => context.getImageData(x, y, 1, 1).data[0] < 128 ? "black" : "white");
    })()`,
  );
  await browser.close();
  expect(shades).toEqual(["black", "black", "white", "white"]);
});

/** Scripts that never end. The second one blocks a whole processor, so that only the pictures are rendered. */
const endless = [
  [
    "waits for files that never arrive",
    { extent: "report", viewsMax: 4, wantedPictures: Object.keys(pictureBytesMax) },
    `for (const name of ["silent01", "silent02", "silent03"]) {
      const request = new XMLHttpRequest();
      request.open("GET", "/b/" + name, false);
      try { request.send(); } catch {}
    }`,
  ],
  ["loops", { extent: "pictures", viewsMax: 1, wantedPictures: ["card", "thumbnail"] }, "for (;;);"],
] as const;

for (const { cases, options } of slowAndNightly(endless, ([what]) => what === "loops"))
  test.each(cases)(
    "a page that sends requests and then %s reaches nothing, is rendered without scripts, and leaves no process behind",
    options,
    async (_, { extent, viewsMax, wantedPictures }, script) => {
      const machine = await listenHere();
      const page = reachingPage(machine.port).replace(
        "</script></body>",
        `setTimeout(() => { ${script} }, 1000);</script></body>`,
      );
      const silent = ["silent01", "silent02", "silent03"].map((name) => ({
        url: new URL(`/b/${name}`, pageUrl).href,
        source: sourceOf(`/${name}`),
        contentType: "text/plain",
      }));

      const { report, pictures } = await drawing.draw(page, { files: silent, extent });

      expect(machine.heard).toEqual([]);
      await machine.close();
      expect(report.stopped).toBe("time");
      // A busy machine may have rendered fewer views in the time.
      expect(report.views).not.toEqual([]);
      expect(report.views.length).toBeLessThanOrEqual(viewsMax);
      expect(report.views.every(({ isWithoutScripts }) => isWithoutScripts)).toBe(true);
      expect(Object.keys(pictures)).not.toEqual([]);
      expect(wantedPictures).toEqual(expect.arrayContaining(Object.keys(pictures)));
      expect(browserEnvironments()).toEqual([]);
    },
  );

/** A letter that no font contains is rendered as a box, the same for all letters. */
const pageOfLetters = `<!doctype html><html lang="en"><title>Letters</title><body><main><h1>Letters</h1></main><script>
const context = Object.assign(document.createElement("canvas"), { width: 60, height: 60 }).getContext("2d");
const draw = (letter) => {
  context.clearRect(0, 0, 60, 60);
  context.font = "40px sans-serif";
  context.fillText(letter, 5, 45);
  return context.canvas.toDataURL();
};
const box = draw("\\u{10ffff}");
for (const letter of ["é", "ж", "λ", "א", "漢", "字", "あ", "ع", "क", "ก", "🌿", "🚀"]) if (draw(letter) === box) console.error(letter);
if (draw("漢") === draw("字") || draw("🌿") === draw("🚀")) console.error("boxes");
</script></body></html>`;

test("letters of many scripts and emoji are rendered on a machine without fonts", {
  tags: "nightly",
}, async () => {
  const { report } = await drawing.draw(pageOfLetters);

  expect(report.views.map(({ console }) => console)).toEqual([[], [], [], []]);
});

test("the uploaded code is below Lambda's size limit", () => {
  const files = readdirSync(drawing.directory, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

  // Unzipped size: AWS Lambda developer guide, "Lambda quotas". The files are compressed already, so the zipped size
  // is similar.
  expect(bytes).toBeLessThan(250 * 1024 * 1024);
  expect(bytes).toBeGreaterThan(60_000_000);
});

/** Decodes the pictures in Chromium. A picture that it cannot decode has no size. */
async function expectDecoded(
  pictures: Awaited<ReturnType<DrawingFunction["draw"]>>["pictures"],
  expected: Record<PictureName, string>,
): Promise<void> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const found: Record<string, string> = {};
    for (const [name, { mediaType, bytes, widthPx, heightPx }] of Object.entries(pictures)) {
      const size = await page.evaluate(
        `(async () => { const image = new Image(); image.src = "data:${mediaType};base64,${bytes}"; await image.decode(); return image.naturalWidth + "×" + image.naturalHeight; })()`,
      );
      found[name] = `${mediaType} ${size}`;
      expect(size).toBe(`${widthPx}×${heightPx}`);
      expect(Buffer.byteLength(bytes, "base64")).toBeLessThanOrEqual(pictureBytesMax[name as PictureName]);
    }
    expect(found).toEqual(expected);
  } finally {
    await browser.close();
  }
}
