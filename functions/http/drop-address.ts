import { ApiError } from "./errors.ts";
import { patterns, quote } from "./schemas.ts";
import { classifyHost, type Site } from "./site.ts";

/** A drop as a caller names it, and the version that an address pins. */
export interface NamedDrop {
  readonly slug: string;
  /** Value of `v=`. @default - the address has none */
  readonly version: string | undefined;
}

const dropPath = /^(?:\/@[a-z0-9-]{1,63})?\/[dp]\/([A-Za-z0-9]{7})(?:\/raw)?\/?$/;

/**
 * Parses a slug, a drop's `url` or `raw_url`, or the path of one, with or without `?v=`.
 *
 * @example parseSlug("https://ada.drops.example.com/p/aB3dE5f?v=3", site) // { slug: "aB3dE5f", version: "3" }
 * @throws ApiError `invalid_slug` for anything else, such as an address of another service
 */
export function parseSlug(text: string, site: Site): NamedDrop {
  if (patterns.slug.test(text)) return { slug: text, version: undefined };
  const url = URL.canParse(text, site.baseUrl) ? new URL(text, site.baseUrl) : undefined;
  const slug = url && dropPath.exec(url.pathname)?.[1];
  if (slug !== undefined && isOfService(url, site))
    return { slug, version: url?.searchParams.get("v") ?? undefined };
  throw new ApiError("invalid_slug", {
    message: `The slug must be 7 letters or digits, or the drop's url here, but ${quote(text)} came.`,
  });
}

function isOfService(url: URL | undefined, site: Site): boolean {
  return url?.protocol === new URL(site.baseUrl).protocol && classifyHost(site, url.host).kind !== "unknown";
}
