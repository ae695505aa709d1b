import { publicDrops } from "../drops/public-drops.ts";
import { patterns } from "../http/schemas.ts";
import { classifyHost, type Site } from "../http/site.ts";

/** A published page or file. */
export type Target =
  | { readonly kind: "page"; readonly slug: string }
  | { readonly kind: "file"; readonly namespace: string; readonly id: string };

/** Page, file or folder host that a URL refers to. */
type NamedTarget = Target | { readonly kind: "host"; readonly id: string };

/** Maximum number of times that a recognized URL may be percent-encoded. */
const decodingsMax = 5;

/** Parses a slug or URL like `parseTarget`, and finds the page of a folder's host. Returns undefined if no folder has the host. */
export async function findTarget(site: Site, text: string): Promise<Target | undefined> {
  const target = parseTarget(site, text);
  if (target?.kind !== "host") return target;
  const slug = await publicDrops.findSlugOfHost(target.id);
  return slug === undefined ? undefined : { kind: "page", slug };
}

/**
 * Parses a slug or the URL of a page or file, as people report it. The URL may be encoded, lack the scheme or the host, have too many or
 * too few slashes, and include a query, a fragment, angle brackets or quotes. Returns undefined for any other text.
 */
export function parseTarget(site: Site, text: string): NamedTarget | undefined {
  const reported = text.trim().replace(/^[<"'(]+|(?<![>"')])[>"')]+$/g, "");
  if (patterns.slug.test(reported)) return { kind: "page", slug: reported };
  const url = toUrl(site, reported);
  return url && targetAt(site, url);
}

/** Converts a reported address to a URL. Resolves a path against the service's base URL. Returns undefined for an invalid URL. */
export function toUrl({ baseUrl }: Site, reported: string): URL | undefined {
  const { protocol, host } = new URL(baseUrl);
  const isPath = /^[/\\%](?![/\\])/.test(reported) || /^(@[^/]+[/]+)?[pdb][/]/i.test(reported);
  const ofHost = isPath ? [host, reported].join("/") : reported.replace(/^[/\\]+/, "");
  const address = /^https?:/i.test(reported) ? reported : `${protocol}//${ofHost}`;
  return URL.canParse(address) ? new URL(address) : undefined;
}

function targetAt(site: Site, url: URL): NamedTarget | undefined {
  const segments = segmentsOf(url.pathname);
  const owner = /^@([a-z0-9-]+)$/i.exec(segments[0] ?? "")?.[1]?.toLowerCase();
  const [kind = "", id = ""] = owner === undefined ? segments : segments.slice(1);
  const found = classifyHost(site, url.host, owner);
  if (found.kind === "folder") return { kind: "host", id: found.id };
  // Paths below /@ exist only on stacks without owners' hosts.
  if (found.kind === "unknown" || (owner !== undefined && found.kind !== "owner")) return undefined;
  if (owner !== undefined && site.baseDomain !== undefined) return undefined;
  if (!patterns.slug.test(id)) return undefined;
  if (/^[pd]$/i.test(kind)) return { kind: "page", slug: id };
  if (/^b$/i.test(kind) && found.kind === "owner") return { kind: "file", namespace: found.namespace, id };
  return undefined;
}

/** Splits a path into decoded segments. Removes empty segments, and resolves relative segments. */
function segmentsOf(path: string): string[] {
  let text = path;
  const decode = (_: string, code: string) => String.fromCharCode(Number.parseInt(code, 16));
  for (let count = 0; count < decodingsMax; count += 1) text = text.replace(/%([0-9a-f]{2})/gi, decode);
  const segments: string[] = [];
  for (const part of text.split(/[/\\]+/)) {
    const segment = part.trim();
    if (segment === "..") segments.pop();
    // Removes punctuation that follows the URL in a sentence, and characters at which some servers truncate a path.
    else if (segment !== "" && segment !== ".") segments.push(segment.replace(/[.,;?#\s\0].*$/s, ""));
  }
  return segments;
}
