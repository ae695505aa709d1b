import type { Page } from "playwright-core";
import { cardSize, type Drawing, type DrawnPicture, pictureBytesMax } from "../report.ts";
import { withTimeout } from "./page-checks.ts";
import script from "./small-pictures.client.ts?text";

/** Screenshots of a page, as PNG. */
export interface Screens {
  readonly card?: Buffer | undefined;
  readonly thumbnail?: Buffer | undefined;
}

/** Size of the thumbnail, which shows the top left of the page at half scale. */
const thumbnailSize = { widthPx: 320, heightPx: 200 };

/** Window size for the thumbnail. In a wider window, a centred column would begin to the right of the thumbnail's edge. */
export const thumbnailWindow = { widthPx: 2 * thumbnailSize.widthPx, heightPx: 2 * thumbnailSize.heightPx };

type PictureSize = Pick<DrawnPicture, "widthPx" | "heightPx">;

const pageMsMax = 3_000;
const pictureMsMax = 8_000;

/**
 * Encodes card and thumbnail with the browser's image codecs. Replaces the rendered page by a blank one.
 *
 * @throws Error if the browser does not respond
 */
export async function createThumbnails(
  page: Page,
  { card, thumbnail }: Screens,
): Promise<Pick<Drawing["pictures"], "card" | "thumbnail">> {
  const isFitting = (card?.byteLength ?? 0) <= pictureBytesMax.card;
  if (card === undefined && thumbnail === undefined) return {};
  await page.goto("about:blank", { timeout: pageMsMax });
  await withTimeout(pageMsMax, page.evaluate(`${script};0`));
  return {
    card: isFitting
      ? card && pictureOf({ mediaType: "image/png", bytes: card.toString("base64") }, cardSize)
      : await make(page, "makeCard", [card?.toString("base64"), pictureBytesMax.card], cardSize),
    thumbnail:
      thumbnail &&
      (await make(
        page,
        "makeThumbnail",
        [
          thumbnail.toString("base64"),
          thumbnailSize.widthPx,
          thumbnailSize.heightPx,
          pictureBytesMax.thumbnail,
        ],
        thumbnailSize,
      )),
  };
}

async function make(
  page: Page,
  name: "makeCard" | "makeThumbnail",
  given: readonly unknown[],
  size: PictureSize,
): Promise<DrawnPicture | undefined> {
  const words = given.map((one) => JSON.stringify(one)).join(", ");
  const made = await withTimeout(
    pictureMsMax,
    page.evaluate<{ mediaType: string; bytes: string } | undefined>(`dropleafPictures.${name}(${words})`),
  );
  return made && pictureOf(made, size);
}

function pictureOf(
  { mediaType, bytes }: { readonly mediaType: string; readonly bytes: string },
  size: PictureSize,
): DrawnPicture {
  return { mediaType: mediaType as DrawnPicture["mediaType"], ...size, bytes };
}
