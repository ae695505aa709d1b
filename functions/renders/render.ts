import { isOpenToAll, type Visibility } from "../policies/access.ts";
import type { PictureName, RenderExtent } from "./report.ts";

/** Result of rendering a version: the row at `keys.render`, or `keys.renderedPdf` for a PDF, beside the version's own. */
export interface Render {
  readonly slug: string;
  readonly version: number;
  /** The page that it is of. */
  readonly pageKey: string;
  /**
   * `asked`: its owner has requested the report, or a reader the PDF. `rendered`: the pictures of `extent` exist. `failed`: the render failed, until it is requested again. `superseded`: a newer version was published before its turn.
   */
  readonly state: "asked" | "rendered" | "failed" | "superseded";
  /**
   * `pictures`: card and thumbnail, which are rendered at publication. `report`: also all views and the report, which the owner has requested. `pdf`: only the PDF.
   *
   * @default "report", for rows from before this field
   */
  readonly extent?: RenderExtent | undefined;
  /**
   * Reason of the failure.
   * @default - no failure
   */
  readonly why?: RenderFailure | undefined;
  /**
   * Folder of the render's objects, used by no other render: `<slug>/<16 random characters>`. During a new request it is that of the earlier
   * render. A render that failed because its page was stopped has a report with the reason, and no pictures.
   *
   * @default - no objects
   */
  readonly folder: string | undefined;
  /** The existing pictures, with all fields of `DrawnPicture` except the bytes. */
  readonly pictures: readonly RenderedPicture[];
  /**
   * True if pictures contain restricted files: `isVisiblePicture`.
   * @default false
   */
  readonly hasRestrictedFiles?: boolean | undefined;
  /** Time at which the row was written, in Unix milliseconds. */
  readonly atMs: number;
  readonly milliseconds: number | undefined;
}

/**
 * Reasons of a failed render. `stopped`: the page took too long, took too much memory, or ended the browser. `daily-limit`: its account has
 * reached `limits.rendersPerDayPerAccount`. `too-large`: the PDF exceeds `pdfLimits`.
 */
export type RenderFailure = "stopped" | "daily-limit" | "too-large";

export interface RenderedPicture {
  readonly name: PictureName;
  readonly mediaType: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sizeBytes: number;
}

/** Days until the bucket's lifecycle deletes the owner's objects. */
export const reportDays = 30;

/** Prefix of cards and thumbnails. Slugs are longer, so that no page's key begins with it. */
export const cardsPrefix = "cards/";

/** Prefix of reports. Slugs have no underscore, so that no page expires with them. */
export const reportsPrefix = "_reports/";

/** Pictures for links and lists; the others are for the owner. */
export const shownPictures = ["card", "thumbnail"] as const satisfies readonly PictureName[];

export type ShownPicture = (typeof shownPictures)[number];

/**
 * Object key of a picture in the bucket of pages. Card and thumbnail stay as long as the version. Owners' pictures are deleted
 * after `reportDays` by the bucket's lifecycle, and rendered again on request.
 */
export function pictureKey(folder: string, picture: Pick<RenderedPicture, "name" | "mediaType">): string {
  const isShown = shownPictures.some((name) => name === picture.name);
  const prefix = isShown ? cardsPrefix : reportsPrefix;
  const extension = picture.mediaType.slice("image/".length);
  return `${prefix}${folder}/${picture.name}.${extension}`;
}

/** The object key of the report, a `PageReport` as JSON. */
export function reportKey(folder: string): string {
  return `${reportsPrefix}${folder}/report.json`;
}

/** The object key of a PDF. */
export function pdfKey(folder: string): string {
  return `${reportsPrefix}${folder}/page.pdf`;
}

/** Object keys of a render, expired objects included. */
export function renderObjectKeys({
  folder,
  pictures,
  extent,
}: Pick<Render, "folder" | "pictures" | "extent">): string[] {
  if (folder === undefined) return [];
  if (extent === "pdf") return [pdfKey(folder)];
  return [reportKey(folder), ...pictures.map((picture) => pictureKey(folder, picture))];
}

/** Recognizes a report that the bucket's lifecycle has removed or is about to remove. */
export function isExpired({ atMs }: Pick<Render, "atMs">, nowMs: number): boolean {
  return nowMs >= atMs + reportDays * 24 * 60 * 60 * 1000;
}

/** Decides if the drop's present readers may see its pictures. Pictures with restricted files stay hidden when the drop becomes public. */
export function isVisiblePicture(
  { hasRestrictedFiles = false }: Pick<Render, "hasRestrictedFiles">,
  drop: { readonly visibility: Visibility },
): boolean {
  return !hasRestrictedFiles || !isOpenToAll(drop);
}

/** The picture with a name, if the drop's present readers may see it. */
export function pictureOf(
  render: Render,
  drop: { readonly visibility: Visibility },
  name: ShownPicture,
): RenderedPicture | undefined {
  return isVisiblePicture(render, drop)
    ? render.pictures.find((picture) => picture.name === name)
    : undefined;
}
