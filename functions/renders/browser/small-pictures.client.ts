/** Script in a blank page, which encodes cards and thumbnails. */
declare global {
  var dropleafPictures: typeof pictures;
}

const pictures = { makeCard, makeThumbnail };
globalThis.dropleafPictures = pictures;

/** An encoded picture in base64. */
interface Made {
  readonly mediaType: string;
  readonly bytes: string;
}

/**
 * Encodes a PNG of the same dimensions within `bytesMax`. Reduces the number of colours first, then the resolution. As a last resort, makes
 * a mosaic of a few hundred blocks.
 */
async function makeCard(png: string, bytesMax: number): Promise<Made | undefined> {
  const image = await decode(png);
  const { width, height } = image;
  const steps = [
    { detail: 1, levels: 32 },
    { detail: 1, levels: 16 },
    { detail: 2, levels: 32 },
    { detail: 4, levels: 32 },
    { detail: 8, levels: 16 },
    { detail: 30, levels: 8 },
  ];
  for (const { detail, levels } of steps) {
    const coarse = draw(image, Math.ceil(width / detail), Math.ceil(height / detail));
    flatten(coarse, levels);
    const whole = draw(coarse, width, height, "pixelated");
    const made = encode(whole, "image/png");
    if (sizeOf(made) <= bytesMax) return made;
  }
  return undefined;
}

/** Encodes a WebP within `bytesMax`, or the browser's fallback format. Reduces the quality first, then the resolution. */
async function makeThumbnail(
  png: string,
  width: number,
  height: number,
  bytesMax: number,
): Promise<Made | undefined> {
  const whole = draw(await decode(png), width, height);
  for (const quality of [0.8, 0.65, 0.5, 0.35, 0.2, 0.1, 0]) {
    const made = encode(whole, "image/webp", quality);
    if (sizeOf(made) <= bytesMax) return made;
  }
  for (const detail of [2, 4, 8, 16, 40]) {
    const coarse = draw(whole, Math.ceil(width / detail), Math.ceil(height / detail));
    const made = encode(draw(coarse, width, height), "image/webp", 0.2);
    if (sizeOf(made) <= bytesMax) return made;
  }
  return undefined;
}

async function decode(png: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  return image;
}

function draw(
  image: CanvasImageSource,
  width: number,
  height: number,
  scaling: "smooth" | "pixelated" = "smooth",
): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = contextOf(canvas);
  context.imageSmoothingEnabled = scaling === "smooth";
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Reduces the number of levels of each colour channel. */
function flatten(canvas: HTMLCanvasElement, levels: number): void {
  const context = contextOf(canvas);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const { data } = pixels;
  const step = 255 / (levels - 1);
  for (let at = 0; at < data.length; at += 1)
    data[at] = Math.round(Math.round((data[at] ?? 0) / step) * step);
  context.putImageData(pixels, 0, 0);
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  // `willReadFrequently` keeps the canvas out of GPU memory, because its pixels are read repeatedly. Screenshots are opaque.
  const context = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (context === null) throw new Error("The canvas has no 2D context.");
  return context;
}

function encode(canvas: HTMLCanvasElement, wanted: string, quality?: number): Made {
  const [head = "", bytes = ""] = canvas.toDataURL(wanted, quality).split(",");
  return { mediaType: head.slice("data:".length, head.indexOf(";")), bytes };
}

function sizeOf({ bytes }: Made): number {
  return Math.ceil((bytes.length * 3) / 4);
}
