import type { PictureName } from "./report.ts";

/** What has come of rendering a version: the row at `keys.render`, beside the version's own. */
export interface Render {
  readonly slug: string;
  readonly version: number;
  /** The page that it is of. */
  readonly pageKey: string;
  /**
   * `asked`: it is in the queue, or at work. `rendered`: there are pictures and a report. `failed`: there never will be, unless
   * somebody asks again. `superseded`: there was a newer version already when its turn came.
   */
  readonly state: "asked" | "rendered" | "failed" | "superseded";
  /** The folder of its objects, which no other render has: `<slug>/<16 random characters>`. @default - none */
  readonly folder: string | undefined;
  /** The pictures that there are, with what `DrawnPicture` says of them but the bytes. */
  readonly pictures: readonly RenderedPicture[];
  /** When the row was written, in Unix milliseconds. */
  readonly atMs: number;
  readonly milliseconds: number | undefined;
}

export interface RenderedPicture {
  readonly name: PictureName;
  readonly mediaType: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sizeBytes: number;
}

/**
 * The object key of a picture in the bucket of pages. What lists and links show stays as long as the version; what is for the owner
 * goes after `reportDays` by the bucket's lifecycle, and is rendered again when it is asked for.
 */
export function pictureKey(folder: string, picture: Pick<RenderedPicture, "name" | "mediaType">): string {
  const kept = picture.name === "card" || picture.name === "thumbnail" ? "cards" : "reports";
  return `${kept}/${folder}/${picture.name}.${picture.mediaType.slice("image/".length)}`;
}

/** The object key of the report, a `PageReport` as JSON. */
export function reportKey(folder: string): string {
  return `reports/${folder}/report.json`;
}
