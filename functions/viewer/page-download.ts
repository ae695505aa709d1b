import { ApiError } from "../core/errors.ts";
import type { Drop } from "../drops/drop.ts";
import { gatePage } from "../gate/gate.ts";
import type { HttpRequest } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { fetchDestination } from "../http/site.ts";
import { rawPage } from "./raw-response.ts";

/** Limit of a file name, below the 255 bytes of file systems; a browser adds a number to a used name. */
const nameBytesMax = 120;

const lockedAdvice = "This page is locked. Open it first, and download it from there.";

/**
 * The gate of a locked drop in place of a download. It leads to the viewer.
 *
 * @throws ApiError `not_found` for a browser that saves a link: it sends no cookie, and would save the gate
 */
export function gateOfDownload(
  request: HttpRequest,
  slug: string,
  version: number | undefined,
): HttpResponse {
  if (fetchDestination(request) === "part") throw new ApiError("not_found", { message: lockedAdvice });
  return gatePage({ slug, to: viewerPath(slug, version) }, { status: 200 });
}

/** The viewer of a version, or else of the latest. */
export function viewerPath(slug: string, version: number | undefined): string {
  return version === undefined ? `/p/${slug}` : `/p/${slug}?v=${version}`;
}

/** A page as a download: byte for byte as it was published, or as a PDF, named after its title. */
export function downloadedPage(
  body: Uint8Array,
  {
    drop,
    filename,
    contentType,
    isGuarded,
    nowMs,
  }: {
    readonly drop: Pick<Drop, "slug" | "namespace" | "expiresAtMs">;
    readonly filename: string;
    /** @default - that of a page */
    readonly contentType?: string;
    readonly isGuarded: boolean;
    readonly nowMs: number;
  },
): HttpResponse {
  // The edge caches a download as briefly as the latest version, since its name is the title, which may change. A
  // browser that displays it anyway uses a sandbox.
  const caching = { drop, isPinned: false, isGuarded, nowMs };
  const { headers, ...response } = rawPage(body, { ...caching, hasOwnOrigin: false });
  const disposition = { "content-disposition": attachment(filename) };
  const type = contentType && { "content-type": contentType };
  return { ...response, headers: { ...headers, ...type, ...disposition } };
}

/** A version to save. */
interface SavedVersion {
  readonly drop: Pick<Drop, "title" | "slug"> & { readonly latest: Pick<Drop["latest"], "version"> };
  readonly version: number;
}

/** The title in a form that every file system accepts, or else the slug; for an older version with its number. */
export function downloadName(
  { drop: { title, slug, latest }, version }: SavedVersion,
  ending: "html" | "pdf" | "zip" = "html",
): string {
  const plain = title
    .replace(/[\p{Zs}\p{Zl}\p{Zp}\t\r\n]+/gu, " ")
    // Invisible characters, such as a change of direction, could show another file extension.
    .replace(/\p{C}/gu, "")
    .replace(/[<>:"/\\|?*%]+/g, "-");
  const name = cutToBytes(plain).replace(/^[\s.]+|[\s.]+$/g, "") || slug;
  // Names of Windows devices, with any extension.
  const safe = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? `${slug} ${name}` : name;
  return `${safe}${version === latest.version ? "" : ` v${version}`}.${ending}`;
}

function cutToBytes(text: string): string {
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (Buffer.byteLength(cut + segment) > nameBytesMax) break;
    cut += segment;
  }
  return cut;
}

/** RFC 6266, with the name encoded by RFC 8187, section 3.2.1. Older clients get a name of letters and digits. */
export function attachment(filename: string): string {
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="page.${filename.split(".").at(-1)}"; filename*=UTF-8''${encoded}`;
}
