import { ApiError } from "../core/errors.ts";
import type { Drop } from "../drops/drop.ts";
import { gatePage } from "../gate/gate.ts";
import type { HttpRequest } from "../http/request.ts";
import type { HttpResponse } from "../http/response.ts";
import { fetchDestination } from "../http/site.ts";
import { rawPage } from "./raw-response.ts";

/** Maximum length of a file name in bytes. File systems allow 255 bytes, and browsers append a number if the name exists. */
const nameBytesMax = 120;

/**
 * Responds with the passcode page of a locked drop instead of the download. After the reader has entered the passcode, the viewer opens.
 *
 * @throws ApiError `not_found` if a browser saves a link's target, because that request has no cookie, and the passcode
 * page would be saved as the file
 */
export function gateOfDownload(
  request: HttpRequest,
  slug: string,
  version: number | undefined,
): HttpResponse {
  if (fetchDestination(request) === "part")
    throw new ApiError("not_found", {
      message: "This page is locked. Open it first, and download it from there.",
    });
  return gatePage({ slug, to: viewerPath(slug, version) }, { status: 200 });
}

/** Returns the path of the viewer for a version, or for the latest version if the number is undefined. */
export function viewerPath(slug: string, version: number | undefined): string {
  return version === undefined ? `/p/${slug}` : `/p/${slug}?v=${version}`;
}

/** Responds with a page as a download: byte for byte as published, or as a PDF. */
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
    /** @default - the content type of a page */
    readonly contentType?: string;
    readonly isGuarded: boolean;
    readonly nowMs: number;
  },
): HttpResponse {
  // The edge caches a download only as long as the latest version, because the file name contains the title, which may change. The response
  // has the sandbox header in case a browser displays the download.
  const caching = { drop, isPinned: false, isGuarded, nowMs };
  const { headers, ...response } = rawPage(body, { ...caching, hasOwnOrigin: false });
  const disposition = { "content-disposition": attachment(filename) };
  const type = contentType && { "content-type": contentType };
  return { ...response, headers: { ...headers, ...type, ...disposition } };
}

/** A version to download. */
interface SavedVersion {
  readonly drop: Pick<Drop, "title" | "slug"> & { readonly latest: Pick<Drop["latest"], "version"> };
  readonly version: number;
}

/**
 * File name made from the title, or from the slug if the title has no usable characters. All file systems accept the name. The name of an
 * older version includes the version number.
 */
export function downloadName(
  { drop: { title, slug, latest }, version }: SavedVersion,
  ending: "html" | "pdf" | "zip" = "html",
): string {
  const plain = title
    .replace(/[\p{Zs}\p{Zl}\p{Zp}\t\r\n]+/gu, " ")
    // Invisible characters, such as direction marks, could hide the real file extension.
    .replace(/\p{C}/gu, "")
    .replace(/[<>:"/\\|?*%]+/g, "-");
  const name = cutToBytes(plain).replace(/^[\s.]+|[\s.]+$/g, "") || slug;
  // Windows reserves these device names, with any extension.
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

/**
 * Value of Content-Disposition for a download (RFC 6266). The name is encoded (RFC 8187, section 3.2.1). Older clients
 * get an ASCII name.
 */
export function attachment(filename: string): string {
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="page.${filename.split(".").at(-1)}"; filename*=UTF-8''${encoded}`;
}
