import { pathToFileURL } from "node:url";
import { indexedPng } from "./indexed-png.ts";

// The leaf of `functions/html/icons.tsx` as an .ico, for browsers that ask for /favicon.ico where a page has no icon of
// its own. The edge holds it: `node --import tsx scripts/pictures/favicon.ts` prints what stands in `functions/edge/viewer-request.ts`.

/** Tabs show 16 pixels, or 32 where a pixel is small. */
const sizes = [16, 32];

/** The units of the leaf's own drawing. */
const units = 24;
const green = [0x2f, 0x8a, 0x5b] as const;
/** Wider than in the drawing, so that something of it is left in 16 pixels. */
const ribWidth = 2;

/** So many points of a pixel, in a row, are looked at. */
const samples = 8;
/** Shades between nothing and all, which keeps the palette small enough for 4 bits a pixel. */
const shades = 4;

/** The icon in both sizes, as its bytes. */
export function drawFavicon(): Buffer {
  const images = sizes.map(drawPng);
  const directory = Buffer.alloc(6 + 16 * images.length);
  directory.writeUInt16LE(1, 2); // an icon
  directory.writeUInt16LE(images.length, 4);
  images.forEach((image, index) => {
    const entry = 6 + 16 * index;
    const before = images.slice(0, index).reduce((bytes, { length }) => bytes + length, 0);
    directory.writeUInt8(sizes[index] ?? 0, entry);
    directory.writeUInt8(sizes[index] ?? 0, entry + 1);
    directory.writeUInt16LE(1, entry + 4); // planes
    directory.writeUInt16LE(4, entry + 6); // bits a pixel
    directory.writeUInt32LE(image.length, entry + 8);
    directory.writeUInt32LE(directory.length + before, entry + 12);
  });
  return Buffer.concat([directory, ...images]);
}

/** One size of it, at 4 bits a pixel. */
function drawPng(size: number): Buffer {
  const palette: string[] = [];
  const rows = Array.from({ length: size }, (_, y) => {
    const row = Buffer.alloc(1 + size / 2);
    for (let x = 0; x < size; x += 1) {
      const color = colorOf(x, y, size).join();
      if (!palette.includes(color)) palette.push(color);
      const index = palette.indexOf(color);
      row[1 + (x >> 1)] = (row[1 + (x >> 1)] ?? 0) | (x % 2 === 0 ? index << 4 : index);
    }
    return row;
  });
  const colors = palette.map((color) => color.split(",").map(Number));
  return indexedPng({ widthPx: size, heightPx: size, bitDepth: 4, colors, rows });
}

/** Red, green, blue and opacity of a pixel: how much of it the leaf covers, and of that the white rib. */
function colorOf(x: number, y: number, size: number): number[] {
  let inLeaf = 0;
  let inRib = 0;
  for (let sample = 0; sample < samples ** 2; sample += 1) {
    const atX = ((x + ((sample % samples) + 0.5) / samples) / size) * units;
    const atY = ((y + (Math.floor(sample / samples) + 0.5) / samples) / size) * units;
    if (!isInLeaf(atX, atY)) continue;
    inLeaf += 1;
    if (isInRib(atX, atY)) inRib += 1;
  }
  const opacity = Math.round((inLeaf / samples ** 2) * shades) / shades;
  if (opacity === 0) return [0, 0, 0, 0];
  const white = Math.round((inRib / inLeaf) * shades) / shades;
  return [...green.map((part) => Math.round(part + (255 - part) * white)), Math.round(opacity * 255)];
}

/** `M3 3h9a9 9 0 0 1 9 9v9h-9a9 9 0 0 1-9-9z` */
function isInLeaf(x: number, y: number): boolean {
  if (Math.min(x, y) < 3 || Math.max(x, y) > 21) return false;
  const isAtRoundCorner = (x > 12 && y < 12) || (x < 12 && y > 12);
  return !isAtRoundCorner || Math.hypot(x - 12, y - 12) <= 9;
}

/** `m7 7 14 14` */
function isInRib(x: number, y: number): boolean {
  return x + y >= 14 && Math.abs(x - y) <= (ribWidth / 2) * Math.SQRT2;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  console.log(drawFavicon().toString("base64"));
