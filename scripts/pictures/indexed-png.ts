import { crc32, deflateSync } from "node:zlib";

/** A picture whose pixels are numbers of its colours. */
interface IndexedPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Bits that each pixel has. */
  readonly bitDepth: 4 | 8;
  /** Red, green, blue and opacity of each colour, of 255. */
  readonly colors: readonly (readonly number[])[];
  /** Each with the number of its filter, and then its pixels. */
  readonly rows: readonly Buffer[];
}

/** Portable Network Graphics (PNG) Specification, third edition: indexed colour. */
export function indexedPng({ widthPx, heightPx, bitDepth, colors, rows }: IndexedPicture): Buffer {
  if (colors.length > 2 ** bitDepth)
    throw new Error(`${colors.length} colours are too many for ${bitDepth} bits a pixel.`);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([bitDepth, 3], 8);
  const isOpaque = colors.every((color) => color[3] === 255);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(colors.flatMap((color) => color.slice(0, 3)))),
    ...(isOpaque ? [] : [chunk("tRNS", Buffer.from(colors.map((color) => color[3] ?? 0)))]),
    chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
