import { edgeKeepsSecondsMax, embeddingAncestors } from "../core/environment.ts";
import { answersPath, directAnswerForms, hasAnswerForms } from "../drops/answer-forms.ts";
import type { Drop } from "../drops/drop.ts";
import { answersOf } from "../drops/drop-access.ts";
import {
  dropTag,
  edgeCacheHeaders,
  type HttpResponse,
  ownerTag,
  secondsUntilExpiry,
} from "../http/response.ts";
import type { Site } from "../http/site.ts";
import framedPageScript from "./frame/framed-page.client.ts?text";
import pageAnswersScript from "./frame/page-answers.client.ts?text";
import standInScript from "./frame/stand-ins.client.ts?text";

/**
 * Content-Security-Policy of a published page or file; see "Public serving" in the specification. A folder's page may
 * set its base URL within the folder. Files that a sandboxed page may frame have no `frame-ancestors`, because a page
 * without an origin never matches 'self'. Framed files have no origin either.
 */
function contentSecurityPolicy(options: PublishedOptions): string {
  const { folderUrl = "'none'", isInFrames = false, isFramed = false, isGuarded, formUrl } = options;
  // `frame-ancestors` must match every ancestor: the viewer, and the site that frames the viewer.
  const ancestors = isFramed && !isGuarded ? embeddingAncestors() : "'self'";
  const forms = formUrl?.startsWith("http:") ? ` ${new URL(formUrl).origin}` : "";
  return `${isInFrames ? "" : `frame-ancestors ${ancestors}; `}base-uri ${folderUrl}; form-action 'self' https:${forms}`;
}

/** Sandbox permissions of a page without an origin of its own. The viewer's frame grants the same permissions. */
const sandbox = "sandbox allow-scripts allow-forms allow-modals allow-downloads";

/**
 * Disables the five features named in the specification, and requests for the visitor's passkeys and identities. A page
 * may name any parent domain of its host as the relying party (Web Authentication, "relying party identifier").
 */
const permissionsPolicy = [
  "geolocation=(), camera=(), microphone=(), payment=(), usb=()",
  "publickey-credentials-get=(), publickey-credentials-create=()",
  "identity-credentials-get=(), otp-credentials=()",
  // Omits digital-credentials-create: during the feature's origin trial, Chromium logs a warning in every reader's
  // console.
  "digital-credentials-get=()",
].join(", ");

const latestSeconds = 2;

interface PageCaching {
  /** The page's drop. The edge invalidates all of the drop's responses together. */
  readonly drop: Pick<Drop, "slug" | "namespace" | "expiresAtMs">;
  readonly isPinned: boolean;
  readonly isGuarded: boolean;
  readonly nowMs: number;
}

/** Options of a published page, and of a file of a published folder. */
export interface PublishedOptions extends PageCaching {
  readonly hasOwnOrigin: boolean;
  /** True if the page is shown in the viewer's frame, where it has no origin. @default false */
  readonly isFramed?: boolean;
  /** True if pages without an origin may frame the page. @default false */
  readonly isInFrames?: boolean;
  /**
   * URL that receives the answers of the page's forms. On a local stack without HTTPS, the Content-Security-Policy must
   * name the URL's origin.
   * @default - none
   */
  readonly formUrl?: string | undefined;
  /** URL of the page's folder, with a trailing slash. @default - the drop is a single page */
  readonly folderUrl?: string;
}

/** Builds the response with a published page; see "Public serving" in the specification. */
export function rawPage(body: Uint8Array, options: PublishedOptions): HttpResponse {
  const headers = { "content-type": "text/html; charset=utf-8", ...publishedHeaders(options) };
  return { status: 200, headers, body };
}

/** Headers of a published page or file, except for `content-type`. */
export function publishedHeaders(options: PublishedOptions): Record<string, string> {
  const { hasOwnOrigin, isGuarded, isFramed = false, isInFrames = false } = options;
  const policy = contentSecurityPolicy(options);
  return {
    "permissions-policy": permissionsPolicy,
    "x-robots-tag": "noindex",
    "referrer-policy": "no-referrer",
    ...pageCacheHeaders(options),
    // A page that opened this page in a window gets no access to the window.
    ...(isGuarded ? { "cross-origin-opener-policy": "same-origin" } : {}),
    ...(!hasOwnOrigin || isInFrames
      ? { "content-security-policy": `${policy}; ${sandbox}` }
      : {
          "content-security-policy": policy,
          // Omits the header for the viewer's frame, whose page has no origin. Chromium isolates the page anyway, and logs a warning about
          // the header.
          ...(isFramed ? {} : { "origin-agent-cluster": "?1" }),
        }),
  };
}

/**
 * Cache headers of a published page. The edge caches immutable responses for hours, but never past the drop's expiry.
 * Browsers must revalidate, so that locking a drop takes effect within seconds.
 */
export function pageCacheHeaders({ drop, isPinned, isGuarded, nowMs }: PageCaching): Record<string, string> {
  if (isGuarded) return { "cache-control": "private, no-store" };
  const edgeSeconds = secondsUntilExpiry(drop, nowMs, isPinned ? edgeKeepsSecondsMax : latestSeconds);
  return edgeCacheHeaders({ edgeSeconds, tags: [dropTag(drop.slug), ownerTag(drop.namespace)] });
}

/**
 * Selects elements as wide as the text column. If such an element does not scroll, content that is wider than the screen
 * overflows the page.
 */
const textColumn = ":is(body,main,p,p>:is(a,picture),:is(body,main,article,section)>figure)";

/**
 * Style that keeps a page readable on a phone. Its cascade layer is declared first, so any rule of the page wins (CSS
 * Cascading and Inheritance Level 5, section 6.4). Even a layer overrides `width` and `height` attributes. The style
 * therefore reads both attributes with `attr()`, where supported, to scale a picture. `--dl` is the screen width minus
 * typical margins. Elements up to this width keep their size.
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

/** Matches the style of this or another release, after whitespace that an editor may have inserted. */
const servedStyle = /^(\s{0,64})<style>@layer dropleaf\{[^<]{0,600}\}<\/style>/;
const servedStyleBytesMax = 704;

/**
 * Scripts of a page in the viewer's frame. The scripts replace features that need an origin (docs/adr/0057-framed-pages.md), and handle the
 * page's links.
 */
export const frameScript: string = `<script>${standInScript}</script><script>${framedPageScript}</script>`;

/** Additional origin to which the drop's pages may send forms. @default - the drop accepts no answers */
export function formUrlOf(drop: Drop, site: Site): string | undefined {
  return answersOf(drop) === "off" ? undefined : site.baseUrl;
}

/**
 * Prepares a page so that its forms with `data-answers` send answers, inside and outside the viewer's frame. Forms stay
 * unchanged if the drop accepts no answers.
 *
 * @returns script tags to insert before the page's own scripts, and a function that sets the action URL in the page's forms
 */
export function findAnswering(
  stored: readonly Buffer[],
  {
    drop,
    version,
    path,
    site,
  }: { readonly drop: Drop; readonly version: number; readonly path?: string; readonly site: Site },
) {
  if (answersOf(drop) === "off" || !hasAnswerForms(Buffer.concat(stored)))
    return { script: "", direct: (page: Buffer) => page };
  const addressOf = ({ name }: { readonly name: string }) =>
    site.baseUrl + answersPath(drop.slug, { form: name, v: version, path });
  return {
    script: `<script>${pageAnswersScript}</script>`,
    direct: (page: Buffer) => directAnswerForms(page, addressOf),
  };
}

/**
 * Inserts the default style at the offset that was found at publication. All other bytes stay unchanged. Replaces the
 * style of an earlier release, which a page contains if it was downloaded, edited and published again.
 *
 * @param script inserted before the style. @default - none
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

/** Returns the bytes between two offsets of a page's chunks, without copying. */
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
