/**
 * Draws the card of every page that has none to show: `node --import tsx scripts/pictures/neutral-card.ts` renews
 * `functions/renders/neutral-card.png`, which chats show beside links to such pages. All of its words are the service's own.
 */
import { writeFile } from "node:fs/promises";
import { text } from "../../functions/html/text.ts";
import { launchBrowser } from "../../test/support/browser.ts";
import { indexedPng } from "./indexed-png.ts";

const file = "functions/renders/neutral-card.png";
const size = { width: 1200, height: 630 };
const bytesMax = 30_000;
const colorsMax = 64;

// The colours of `base.css` in the light; a sheet and its leaf are those of the start page's drawing.
const card = `<!doctype html><style>
  * { margin: 0; box-sizing: border-box }
  body { display: grid; grid-template-columns: 1fr auto; align-items: center; height: 630px; padding: 0 110px;
    background: #eef3ec; color: #15201a; font-family: "Open Sans", sans-serif }
  h1 { font-size: 92px; font-weight: 500; letter-spacing: -0.035em; line-height: 1.1 }
  p { margin-top: 20px; color: #4f5e55; font-size: 36px; line-height: 1.4 }
  .old { fill: #fdfefc; stroke: #13663f; stroke-width: 2.5; stroke-linejoin: round }
  .lines { fill: none; stroke: #d3ddd3; stroke-width: 4; stroke-linecap: round }
  .stem { fill: none; stroke: #13663f; stroke-width: 2.5; stroke-linecap: round }
  .new { fill: #13663f }
  .rib { fill: none; stroke: #eef3ec; stroke-width: 2.5; stroke-linecap: round }
</style>
<main><h1>${text.product}</h1><p>${text.tagline}</p></main>
<svg viewBox="30 0 260 400" width="338" height="520">
  <path class="stem" d="M172 398C160 330 156 250 160 146"/>
  ${sheet(162, 316, -6, 0.68, "left")}${sheet(159, 250, 4, 0.82, "right")}
  <g transform="translate(160 148) rotate(-43)">
    <path class="new" d="M0 0v-50a50 50 0 0 1 50-50h50v50a50 50 0 0 1-50 50z"/><path class="rib" d="m0 0 70-70"/>
  </g>
</svg>`;

function sheet(x: number, y: number, tilt: number, scale: number, side: "left" | "right"): string {
  const [outline, lines] =
    side === "right"
      ? ["M0 0v-50a50 50 0 0 1 50-50h50v50a50 50 0 0 1-50 50z", "M34-64h38M28-48h44M28-32h28"]
      : ["M0 0v-50a50 50 0 0 0-50-50h-50v50a50 50 0 0 0 50 50z", "M-72-64h38M-72-48h44M-56-32h28"];
  return `<g transform="translate(${x} ${y}) rotate(${tilt}) scale(${scale})"><path class="old" d="${outline}"/><path class="lines" d="${lines}"/></g>`;
}

const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: size });
  await page.setContent(card);
  const shot = `data:image/png;base64,${(await page.screenshot()).toString("base64")}`;
  const pixels = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), {
      width: image.width,
      height: image.height,
    });
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    return [...new Uint32Array(context?.getImageData(0, 0, image.width, image.height).data.buffer ?? [])];
  }, shot);
  const picture = inFewColors(pixels);
  if (picture.byteLength > bytesMax)
    throw new Error(`The card has ${picture.byteLength} bytes; at most ${bytesMax} go into a function.`);
  await writeFile(file, picture);
  console.log(`${file} ${picture.byteLength} bytes`);
} finally {
  await browser.close();
}

/** The picture in the colours that it has most, which is half as many bytes: the others are shades at the edges of letters. */
function inFewColors(pixels: readonly number[]): Buffer {
  const counts = new Map<number, number>();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const kept = [...counts].sort(([, one], [, other]) => other - one).slice(0, colorsMax);
  const colors = kept.map(([pixel]) => partsOf(pixel));
  const indexes = new Map([...counts.keys()].map((pixel) => [pixel, nearest(partsOf(pixel), colors)]));
  const rows = Array.from({ length: size.height }, (_, y) =>
    Buffer.from([
      0,
      ...pixels.slice(y * size.width, (y + 1) * size.width).map((one) => indexes.get(one) ?? 0),
    ]),
  );
  return indexedPng({ widthPx: size.width, heightPx: size.height, bitDepth: 8, colors, rows });
}

function partsOf(pixel: number): number[] {
  return [0, 8, 16, 24].map((shift) => (pixel >>> shift) & 255);
}

function nearest(parts: readonly number[], colors: readonly (readonly number[])[]): number {
  const distances = colors.map((color) =>
    Math.hypot(...color.map((part, index) => part - (parts[index] ?? 0))),
  );
  return distances.indexOf(Math.min(...distances));
}
