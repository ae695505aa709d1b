import { edgeKeepsSecondsMax, embeddingAncestors } from "../core/environment.ts";
import type { Drop } from "../drops/drop.ts";
import {
  dropTag,
  edgeCacheHeaders,
  type HttpResponse,
  ownerTag,
  secondsUntilExpiry,
} from "../http/response.ts";
import framedPageScript from "./frame/framed-page.client.ts?text";
import pageAnswersScript from "./frame/page-answers.client.ts?text";
import standInScript from "./frame/stand-ins.client.ts?text";

/**
 * Section "Public serving" of the specification. A page of a folder may set its base within the folder. A page in a
 * sandbox is never 'self', so files for its own frames name no ancestors; such a page has no origin in any frame.
 */
function contentSecurityPolicy(options: PublishedOptions): string {
  const { folderUrl = "'none'", isInFrames = false, isFramed = false, isGuarded, formUrl } = options;
  // The policy names all ancestors: the viewer, and the site that frames the viewer.
  const ancestors = isFramed && !isGuarded ? embeddingAncestors() : "'self'";
  const forms = formUrl?.startsWith("http:") ? ` ${new URL(formUrl).origin}` : "";
  return `${isInFrames ? "" : `frame-ancestors ${ancestors}; `}base-uri ${folderUrl}; form-action 'self' https:${forms}`;
}

/** The permissions of the viewer's frame; on the base host a page has the same permissions without the viewer. */
const sandbox = "sandbox allow-scripts allow-forms allow-modals allow-downloads";

/**
 * The specification's five, and those that would let a page request its visitor's passkeys and identities: a page may
 * name any parent domain of its host as the relying party (Web Authentication, "relying party identifier").
 */
const permissionsPolicy = [
  "geolocation=(), camera=(), microphone=(), payment=(), usb=()",
  "publickey-credentials-get=(), publickey-credentials-create=()",
  "identity-credentials-get=(), otp-credentials=()",
  // Without digital-credentials-create: during its trial, Chromium logs a warning in every reader's console.
  "digital-credentials-get=()",
].join(", ");

const latestSeconds = 2;

interface PageCaching {
  /** The page's drop: the edge invalidates both together. */
  readonly drop: Pick<Drop, "slug" | "namespace" | "expiresAtMs">;
  readonly isPinned: boolean;
  readonly isGuarded: boolean;
  readonly nowMs: number;
}

/** Options of a published page, and of a file of a published folder. */
export interface PublishedOptions extends PageCaching {
  readonly hasOwnOrigin: boolean;
  /** The page is for the viewer's frame, where it has no origin. @default false */
  readonly isFramed?: boolean;
  /** Pages without an origin may show it in their frames. @default false */
  readonly isInFrames?: boolean;
  /** The page's forms send answers to this address, on a laptop without https. @default - none */
  readonly formUrl?: string | undefined;
  /** Address of its folder, with the slash. @default - it is a single page */
  readonly folderUrl?: string;
}

/** The response of a published page; the table "Headers" of the promises. */
export function rawPage(body: Uint8Array, options: PublishedOptions): HttpResponse {
  const headers = { "content-type": "text/html; charset=utf-8", ...publishedHeaders(options) };
  return { status: 200, headers, body };
}

/** Headers of a published page or file, besides its type. */
export function publishedHeaders(options: PublishedOptions): Record<string, string> {
  const { hasOwnOrigin, isGuarded, isFramed = false, isInFrames = false } = options;
  const policy = contentSecurityPolicy(options);
  return {
    "permissions-policy": permissionsPolicy,
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
    ...pageCacheHeaders(options),
    // A page that has opened this one in a window cannot access it.
    ...(isGuarded ? { "cross-origin-opener-policy": "same-origin" } : {}),
    ...(!hasOwnOrigin || isInFrames
      ? { "content-security-policy": `${policy}; ${sandbox}` }
      : {
          "content-security-policy": policy,
          // In a frame without an origin, Chromium ignores this header with a warning, and uses a separate process
          // anyway.
          ...(isFramed ? {} : { "origin-agent-cluster": "?1" }),
        }),
  };
}

/**
 * The edge caches unchangeable responses for hours, but not longer than the drop exists. Browsers revalidate, since a
 * lock must take effect within seconds.
 */
export function pageCacheHeaders({ drop, isPinned, isGuarded, nowMs }: PageCaching): Record<string, string> {
  if (isGuarded) return { "cache-control": "private, no-store" };
  const edgeSeconds = secondsUntilExpiry(drop, nowMs, isPinned ? edgeKeepsSecondsMax : latestSeconds);
  return edgeCacheHeaders({ edgeSeconds, tags: [dropTag(drop.slug), ownerTag(drop.namespace)] });
}

/** Elements as wide as the text, if they do not scroll: content wider than the screen overflows the page here. */
const textColumn = ":is(body,main,p,p>:is(a,picture),:is(body,main,article,section)>figure)";

/**
 * The style that keeps a page readable on a phone. It is in a cascade layer that is declared first, so any rule of the
 * page wins (CSS Cascading and Inheritance Level 5, section 6.4). A layer is stronger than `width` and `height`
 * attributes, so a picture that has both is made smaller by computing with them, in browsers that can. Elements at most
 * as wide as `--dl`, the screen without usual margins, keep their size.
 */
export const defaultStyle: string =
  "<style>@layer dropleaf{" +
  "body{--dl:calc(100vw - 32px)}figure{--dl:calc(100vw - 96px)}" +
  ":is(body,main,article)>:is(p,ul,ol,blockquote){overflow-wrap:break-word}" +
  `${textColumn}:not([style*=overflow],[style*=overflow] *,td *){` +
  ">:is(img:not([height]),svg[viewBox],video,iframe){max-width:max(100%,var(--dl))}" +
  `>img[width][height]:not([width*="%"],[height*="%"]){width:min(attr(width number)*1px,var(--dl));` +
  "height:calc(attr(height number)*min(1px,var(--dl)/attr(width number)))}}" +
  "@media(max-width:40em){:is(body,main,article)>pre{overflow-x:auto}}" +
  "}</style>";

/** The style of this or another release, behind white space that an editor may have put before it. */
const servedStyle = /^(\s{0,64})<style>@layer dropleaf\{[^<]{0,600}\}<\/style>/;
const servedStyleBytesMax = 704;

/**
 * The scripts of a page in the viewer's frame: stand-ins for its missing origin (docs/adr/0057-framed-pages.md), and
 * the handling of its links.
 */
export const frameScript: string = `<script>${standInScript}</script><script>${framedPageScript}</script>`;

/** The script of a page with forms whose answers are stored, in and outside of the frame. */
export const answersScript: string = `<script>${pageAnswersScript}</script>`;

/**
 * Inserts the safety-net style at the offset that was found at publication; all other bytes stay. A page that was read
 * here, edited and published again may already contain the style of an earlier release, which is replaced.
 *
 * @param script that comes before it. @default - none
 */
export function addDefaultStyle(page: readonly Buffer[], styleOffset: number, script = ""): Buffer {
  const next = Buffer.concat(chunksOf(page, styleOffset, styleOffset + servedStyleBytesMax));
  const [served = "", space = ""] = servedStyle.exec(next.toString("latin1")) ?? [];
  return Buffer.concat([
    ...chunksOf(page, 0, styleOffset),
    Buffer.from(script + space + defaultStyle),
    ...chunksOf(page, styleOffset + served.length, Number.POSITIVE_INFINITY),
  ]);
}

/** Selects the bytes between two offsets of all chunks without copying. */
function chunksOf(chunks: readonly Buffer[], from: number, to: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  for (const chunk of chunks) {
    const [start, end] = [Math.max(from - at, 0), Math.min(to - at, chunk.byteLength)];
    if (start < end) found.push(chunk.subarray(start, end));
    at += chunk.byteLength;
  }
  return found;
}
