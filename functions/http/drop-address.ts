import { ApiError, type ErrorCode, inBothWords, joinMessages, type Message } from "../core/errors.ts";
import { folderHosts } from "../table/folder-hosts.ts";
import { mustBe, patterns, quote, shownCharactersMax } from "./schemas.ts";
import { classifyHost, type Site } from "./site.ts";

/** Matches the path of a drop, or of a page in its folder. */
const dropPath =
  /^(?:\/@[a-z0-9-]{1,63})?\/(?:p\/([A-Za-z0-9]{7})(?:\/raw)?\/?|d\/([A-Za-z0-9]{7})(?:\/.*)?)$/;

/**
 * Parses a slug, a drop's `url` or `raw_url`, or the path of such a URL. The version is the URL's parameter `v`, if any.
 *
 * @example parseSlug("https://ada.drops.example.com/p/aB3dE5f?v=3", site) // { slug: "aB3dE5f", version: "3" }
 * @param method HTTP method of the call, which selects the advice in the error
 * @throws ApiError with `code` for any other text, such as a title or a URL of another service
 */
export function parseSlug(
  text: string,
  site: Site,
  code: ErrorCode = "invalid_slug",
  method = "GET",
): { readonly slug: string; readonly version: string | undefined } {
  if (patterns.slug.test(text)) return { slug: text, version: undefined };
  const url = URL.canParse(text, site.baseUrl) ? new URL(text, site.baseUrl) : undefined;
  const [, page, viewed] = (url && dropPath.exec(url.pathname)) ?? [];
  const slug = page ?? viewed;
  if (slug !== undefined && isOfService(url, site))
    return { slug, version: url?.searchParams.get("v") ?? undefined };
  const shape = "7 letters or digits";
  const orUrl = `The slug ${mustBe(`${shape}, or the drop's url on this service`, quote(text))}`;
  // This message does not suggest a URL, because the edge refuses slashes in a path parameter, even encoded ones.
  const inPath = `The slug ${mustBe(shape, quote(text))}`;
  throw new ApiError(code, {
    message: joinMessages([
      code === "invalid_slug" ? { http: inPath, tool: orUrl } : orUrl,
      adviceOn(text, method),
    ]),
    details: code === "invalid_slug" ? {} : { field: "slug" },
  });
}

/** Paths below a drop that return its page in another format, by file suffix. */
const partBySuffix: ReadonlyMap<string, string> = new Map([
  ["md", "source"],
  ["pdf", "pdf"],
  ["zip", "files?archive=true"],
]);

/** Returns advice on how to find a slug, for a text that is not a slug. */
function adviceOn(text: string, method: string): Message {
  const [, slug, suffix = ""] = /^([A-Za-z0-9]{7})[./](\w+)$/.exec(text) ?? [];
  if (slug !== undefined)
    return `GET /api/drops/${slug}/${partBySuffix.get(suffix) ?? "html"} returns the page, and GET /api/drops/${slug} returns its details.`;
  if (/^(trash|deleted)$/.test(text))
    return inBothWords((call) => `${call("GET /api/trash", "list_trash")} lists deleted drops.`);
  const lists = inBothWords(
    (call) => `${call("GET /api/drops", "list_drops")} lists your drops with their slugs.`,
  );
  if (method === "PUT") {
    if (isLikeSlug(text)) return lists;
    const named = text.slice(0, shownCharactersMax).toWellFormed();
    const ofName: Message = {
      http: `The service chooses the slug of a new drop. PUT /api/drops?metadata.name=${encodeURIComponent(named)} publishes a version of the drop with this name in its metadata, or a new drop.`,
      tool: `The service chooses the slug of a new drop. upsert_drop with metadata {"name": ${quote(named)}} publishes a version of the drop with this name in its metadata, or a new drop.`,
    };
    return joinMessages([ofName, lists]);
  }
  return inBothWords(
    (call) =>
      `${call("GET /api/drops", "list_drops")} lists your drops with their slugs, ${call("GET /api/library", "list_library")} lists other people's drops, and ${call("GET /api/search?q=<words>", "search_drops")} finds drops by words.`,
  );
}

/**
 * Reads a field or parameter `slug`, which may be the drop's URL. Values other than texts stay unchanged.
 *
 * @throws ApiError `invalid_arg` for a text that is neither a slug nor a drop's URL
 */
export function readSlug(
  value: unknown,
  site: Site,
): { readonly slug: unknown; readonly warnings: readonly string[] } {
  if (typeof value !== "string" || value === "") return { slug: value, warnings: [] };
  const { slug, version } = parseSlug(value, site, "invalid_arg");
  const ignored = `The version ${quote(version ?? "")} in the drop's address was ignored: this call applies to the whole drop.`;
  return { slug, warnings: version === undefined ? [] : [ignored] };
}

/** Recognizes URLs of the service's own host and of owners' hosts. Paths on a folder's own host contain no slugs. */
function isOfService(url: URL | undefined, site: Site): boolean {
  const kind = url && classifyHost(site, url.host).kind;
  return url?.protocol === new URL(site.baseUrl).protocol && (kind === "base" || kind === "owner");
}

/** Replaces a URL on a folder's own host with a URL that contains the slug and the version. Returns other values unchanged. */
export async function toNamedAddress<Value>(value: Value, site: Site): Promise<Value | string> {
  if (typeof value !== "string" || !/^https?:/.test(value) || !URL.canParse(value)) return value;
  const host = classifyHost(site, new URL(value).host);
  if (host.kind !== "folder") return value;
  const slug = await folderHosts.findSlug?.(host.id);
  if (slug === undefined) return value;
  return `${site.baseUrl}/p/${slug}/raw${host.version === undefined ? "" : `?v=${host.version}`}`;
}

/** A drop that was found in a pasted URL. */
export interface DropAddress {
  readonly slug: string;
  /** Namespace of the owner, if the URL is on an owner's host. @default - the URL is on the base host */
  readonly namespace: string | undefined;
  /** The version in `?v=`, or 0 for an invalid number. @default - none */
  readonly version: number | undefined;
}

const longestAddress = 4_096;

/**
 * Parses the URL of a drop's viewer or page, on the base host or an owner's host. The path may be the slug alone. Accepts URLs with http or
 * without a scheme, because people type such URLs. Returns undefined for other URLs.
 */
export function parseDropAddress(address: string, site: Site): DropAddress | undefined {
  const whole = /^https?:\/\//i.test(address) ? address : `https://${address}`;
  if (address.length > longestAddress || !URL.canParse(whole)) return undefined;
  const { host, pathname, searchParams } = new URL(whole);
  const [, owner, path = ""] = (site.baseDomain === undefined &&
    /^\/(?:@|%40)([A-Za-z0-9-]+)(\/.*)$/.exec(pathname)) || ["", undefined, pathname];
  const found = classifyHost(site, host, owner?.toLowerCase());
  const slug = /^\/(?:[pd]\/)?([^/]+)(?:\/raw)?\/?$/.exec(path)?.[1] ?? "";
  // On a folder's own host, paths name the folder's files and not drops.
  if (found.kind === "unknown" || found.kind === "folder" || !patterns.slug.test(slug)) return undefined;
  const pin = searchParams.get("v");
  const version = pin === null ? undefined : patterns.positiveInteger.test(pin) ? Number(pin) : 0;
  return { slug, namespace: found.kind === "owner" ? found.namespace : undefined, version };
}

/** Recognizes a mistyped slug, with one or two characters missing or added. */
function isLikeSlug(text: string): boolean {
  return /^(?=.*[A-Z0-9])[A-Za-z0-9]{5,9}$/.test(text);
}
