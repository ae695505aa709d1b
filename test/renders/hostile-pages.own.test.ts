// @module-tag nightly

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserArguments } from "../../functions/renders/browser/arguments.ts";
import { type PictureName, pictureBytesMax } from "../../functions/renders/report.ts";
import { findChromium } from "../support/browser.ts";
import { patienceMs } from "../support/patience.ts";
import { browserEnvironments } from "./browser-processes.ts";
import { type DrawingFunction, pageUrl, startDrawingFunction } from "./drawing-function.ts";
import { listenHere, reachingPage } from "./listening-machine.ts";

let drawing: DrawingFunction;
beforeAll(async () => {
  drawing = await startDrawingFunction();
});
afterAll(() => drawing.end());

const everyPicture = Object.keys(pictureBytesMax).toSorted();

const stopped = {
  "loops while loading": ["time", "<script>for (;;);</script>"],
  "fills typed arrays": [
    "memory",
    "<script>const all = []; setInterval(() => all.push(new Uint8Array(64e6).fill(7)))</script>",
  ],
  "fills its heap": [
    "memory",
    "<script>const all = []; setInterval(() => all.push(new Array(8e6).fill(1.5)))</script>",
  ],
  "opens endless dialogs": ["time", "<script>for (;;) alert('x');</script>"],
} as const;

test.each(Object.entries(stopped))(
  "a page that %s is stopped, and rendered without its scripts",
  async (_, given) => {
    const [stop, script] = given;

    const { report, pictures } = await drawing.draw(`<h1>Hostile</h1>${script}`);

    // On a busy machine the time limit may be reached before the memory limit.
    expect([stop, "time"]).toContain(report.stopped);
    expect(report.views).toHaveLength(4);
    expect(Object.keys(pictures).toSorted()).toEqual(everyPicture);
    expect(browserEnvironments()).toEqual([]);
  },
);

/** Pages whose actions are blocked. Whether they reach their end depends on the machine. */
const refused = {
  "writes endlessly to its console": "<script>for (;;) console.log('x'.repeat(1e6));</script>",
  "navigates away all the time":
    "<script>setInterval(() => { location = 'https://elsewhere.test/' + Math.random(); }, 1)</script>",
  "reloads itself all the time": "<script>setTimeout(() => location.reload(), 50)</script>",
  "sends endless requests":
    "<script>setInterval(() => { for (let i = 0; i < 100; i += 1) fetch('/x' + Math.random()).catch(() => 0); })</script>",
  "starts hundreds of workers that loop":
    "<script>for (let i = 0; i < 500; i += 1) new Worker(URL.createObjectURL(new Blob(['for (;;);'])))</script>",
  "frames itself endlessly":
    "<iframe srcdoc=\"<script>const f = () => { const i = document.createElement('iframe'); i.srcdoc = parent.document?.x ?? '<script>parent.f?.()<' + '/script>'; document.body.append(i); }; setInterval(f)</script>\"></iframe>",
  "starts endless downloads":
    "<script>setInterval(() => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'.repeat(1e6)])); a.download = 'x'; a.click(); }, 20)</script>",
  "has a million elements": "<script>document.write('<p>x'.repeat(1e6))</script>",
  "overrides every built-in object":
    "<script>for (const one of [Array, Object, Map, Promise, String, Element, Document, Node, JSON]) for (const name of Object.getOwnPropertyNames(one.prototype ?? one)) try { (one.prototype ?? one)[name] = () => { for (;;); }; } catch {}</script>",
};

test.each(Object.entries(refused))("a page that %s has a report and every picture", async (_, script) => {
  const { report, pictures } = await drawing.draw(`<h1>Hostile</h1>${script}`);

  expect(report.views).toHaveLength(4);
  expect(Object.keys(pictures).toSorted()).toEqual(everyPicture);
  expect(browserEnvironments()).toEqual([]);
});

test("a page of noise has a card and a thumbnail within the size limit", async () => {
  const noise = `<body style="margin: 0"><canvas width="1440" height="1800"></canvas><script>
    const context = document.querySelector("canvas").getContext("2d");
    const pixels = context.createImageData(1440, 1800);
    for (let at = 0; at < pixels.data.length; at += 1) pixels.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
    context.putImageData(pixels, 0, 0);</script>`;

  const { report, pictures } = await drawing.draw(noise);

  // On a busy machine the time limit may be reached before every picture is rendered.
  expect(pictures).not.toEqual({});
  if (report.stopped !== "time") expect(Object.keys(pictures).toSorted()).toEqual(everyPicture);
  for (const [name, { bytes }] of Object.entries(pictures)) {
    expect(Buffer.byteLength(bytes, "base64")).toBeGreaterThan(500);
    expect(Buffer.byteLength(bytes, "base64")).toBeLessThanOrEqual(pictureBytesMax[name as PictureName]);
  }
});

test("the browser has none of the function's secrets in its environment, and ends with the function", async () => {
  const own = await startDrawingFunction();
  const drawn = own.draw("<script>for (;;);</script>").catch(() => undefined);
  const [environment] = await expect
    .poll(() => browserEnvironments())
    .toHaveLength(1)
    .then(browserEnvironments);

  expect(environment).toContain("FONTCONFIG_FILE=");
  expect(environment).not.toMatch(/AWS_|of-the-role/);
  await own.end();

  await expect.poll(() => browserEnvironments()).toEqual([]);
  void drawn;
});

test("files that a page's browser has written are deleted after the rendering", async () => {
  const temporary = mkdtempSync(join(tmpdir(), "dropleaf-written-"));
  const own = await startDrawingFunction({ TMPDIR: temporary });

  await own.draw("<script>localStorage?.setItem('x', 'x')</script><p>x");

  const left = readdirSync(temporary).filter((name) => !name.startsWith("dropleaf-chromium-"));
  expect(left).toEqual([]);
  await own.end();
  rmSync(temporary, { recursive: true });
});

/**
 * Collects the page's connections when only its document is intercepted, until there are enough or the time is over.
 */
async function reachedWith(
  args: readonly string[],
  isEnough: (heard: readonly string[]) => boolean,
  msMax: number,
): Promise<{ readonly heard: readonly string[]; readonly milliseconds: number }> {
  const machine = await listenHere();
  const browser = await chromium.launch({ executablePath: await findChromium(), args: [...args] });
  try {
    const page = await browser.newPage();
    const answer = { contentType: "text/html", body: reachingPage(machine.port) };
    await page.route(pageUrl, (route) => route.fulfill(answer));
    const startedAtMs = performance.now();
    const passedMs = () => performance.now() - startedAtMs;
    await page.goto(pageUrl, { waitUntil: "commit" });
    while (!isEnough(machine.heard) && passedMs() < msMax) await page.waitForTimeout(100);
    return { heard: machine.heard.slice(), milliseconds: passedMs() };
  } finally {
    await browser.close();
    await machine.close();
  }
}

test("even without interception the function's browser connects to nothing, where another browser makes many connections", async () => {
  const otherArguments = ["--no-sandbox", "--headless=new", "--disable-features=LocalNetworkAccessChecks"];
  // Usually includes a WebRTC packet, but not if the page's refresh is first.
  const isEnough = (heard: readonly string[]) => heard.length > 10;

  const another = await reachedWith(otherArguments, isEnough, patienceMs);
  const { heard } = await reachedWith(browserArguments, () => false, 2 * another.milliseconds + 1_000);

  expect(another.heard).toSatisfy(isEnough);
  expect(heard).toEqual([]);
});
