import { isOpenToAll, type Visibility } from "../policies/access.ts";
import type { PictureName, RenderExtent } from "./report.ts";

/** State and result of a version's render, stored under `keys.render`, or under `keys.renderedPdf` for a PDF. */
export interface Render {
  readonly slug: string;
  readonly version: number;
  /** Object key of the rendered page. */
  readonly pageKey: string;
  /**
   * `asked`: the owner has requested the report, or a reader has requested the PDF. `rendered`: the objects of `extent` exist. `failed`:
   * the render has no result. `superseded`: a newer version was published before this one was rendered.
   */
  readonly state: "asked" | "rendered" | "failed" | "superseded";
  /**
   * `pictures`: only card and thumbnail, rendered at publication. `report`: also all views and the report, at the owner's request. `pdf`:
   * only the PDF.
   *
   * @default "report", for items that are older than this field
   */
  readonly extent?: RenderExtent | undefined;
  /** Reason for the failure. @default - no failure */
  readonly why?: RenderFailure | undefined;
  /**
   * Folder of this render's objects: `<slug>/<16 random characters>`. While a new render is requested, this is the folder of the earlier
   * render. If the page was stopped, the folder has a report with the reason, and no pictures.
   *
   * @default - the render has no objects
   */
  readonly folder: string | undefined;
  /** Stored pictures, with the fields of `DrawnPicture` except the bytes. */
  readonly pictures: readonly RenderedPicture[];
  /** True if the pictures show restricted files; see `isVisiblePicture`. @default false */
  readonly hasRestrictedFiles?: boolean | undefined;
  readonly atMs: number;
  readonly milliseconds: number | undefined;
}

/**
 * Reasons for a failed render. `stopped`: the page took too long, took too much memory, or crashed the browser. `daily-limit`: the account
 * has reached `limits.rendersPerDayPerAccount`. `too-large`: the PDF exceeds `pdfLimits`.
 */
export type RenderFailure = "stopped" | "daily-limit" | "too-large";

export interface RenderedPicture {
  readonly name: PictureName;
  readonly mediaType: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sizeBytes: number;
}

/** Days after which the bucket's lifecycle deletes reports, PDFs and pictures of views. */
export const reportDays = 30;

/** Key prefix of cards and thumbnails. Slugs are longer, so no page's key begins with this prefix. */
export const cardsPrefix = "cards/";

/** Key prefix of objects that expire with the report. Slugs have no underscore, so no page's key begins with this prefix. */
export const reportsPrefix = "_reports/";

/** Pictures for link previews and lists. All other pictures are shown only to the owner. */
export const shownPictures = ["card", "thumbnail"] as const satisfies readonly PictureName[];

export type ShownPicture = (typeof shownPictures)[number];

/**
 * Object key of a picture in the pages bucket. Card and thumbnail are stored as long as the version. The bucket's lifecycle deletes other
 * pictures after `reportDays`. The owner can request them again.
 */
export function pictureKey(folder: string, picture: Pick<RenderedPicture, "name" | "mediaType">): string {
  const isShown = shownPictures.some((name) => name === picture.name);
  const prefix = isShown ? cardsPrefix : reportsPrefix;
  const extension = picture.mediaType.slice("image/".length);
  return `${prefix}${folder}/${picture.name}.${extension}`;
}

/** Object key of the report, a `PageReport` as JSON. */
export function reportKey(folder: string): string {
  return `${reportsPrefix}${folder}/report.json`;
}

/** Object key of a render's PDF. */
export function pdfKey(folder: string): string {
  return `${reportsPrefix}${folder}/page.pdf`;
}

/** Object keys of a render, including keys of expired objects. */
export function renderObjectKeys({
  folder,
  pictures,
  extent,
}: Pick<Render, "folder" | "pictures" | "extent">): string[] {
  if (folder === undefined) return [];
  if (extent === "pdf") return [pdfKey(folder)];
  return [reportKey(folder), ...pictures.map((picture) => pictureKey(folder, picture))];
}

/** Returns true if the bucket's lifecycle has deleted the render's report, or is about to. */
export function isExpired({ atMs }: Pick<Render, "atMs">, nowMs: number): boolean {
  return nowMs >= atMs + reportDays * 24 * 60 * 60 * 1000;
}

/** Returns true if the drop's current readers may see the pictures. Pictures of restricted files are hidden once the drop is public. */
export function isVisiblePicture(
  { hasRestrictedFiles = false }: Pick<Render, "hasRestrictedFiles">,
  drop: { readonly visibility: Visibility },
): boolean {
  return !hasRestrictedFiles || !isOpenToAll(drop);
}

/** Returns the picture with this name, if it exists and the drop's current readers may see it. */
export function pictureOf(
  render: Render,
  drop: { readonly visibility: Visibility },
  name: ShownPicture,
): RenderedPicture | undefined {
  return isVisiblePicture(render, drop)
    ? render.pictures.find((picture) => picture.name === name)
    : undefined;
}
