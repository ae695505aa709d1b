import { ApiError } from "../core/errors.ts";
import { ownerUrl, type Site } from "../http/site.ts";
import { isId, servicePrefix } from "./nearest-words.ts";

// Finds the page that a person means by a misspelled address, and creates the 404 for unknown addresses.

const nothingFound = "Nothing was found at this address.";

/** Creates the 404 for an unknown address on an owner's host, for programs. */
export function addressNotFound(): ApiError {
  return new ApiError("not_found", { message: nothingFound });
}

/** Recognizes an address below a drop's address. */
export function isPartOfDrop(asked: string): boolean {
  return partOfDrop(asked) !== undefined;
}

/** Matches a scheme and host before the path, as in URLs that were pasted from mail programs, with or without an angle bracket. */
const wholeAddress = /^\/(?:%3C|<)?https?:\/{1,2}[^/]+/i;

/**
 * Matches a page's file name, or characters that a sentence, Markdown or a mail program appends to a link, such as punctuation and encoded
 * spaces. Characters that could be part of a path do not match.
 */
const aroundPage =
  /^(?:\.html?|\/index(?:\.html?)?|%23.*|(?:[.,;:!*')\]>]|%(?:2[0279C]|3[ABE]|[57]D|[89A-F][0-9A-F]))+)?$/i;

/**
 * Finds the path of the page that a reader means by another spelling. Accepts a slug followed by a version or `/download`, and a slug
 * without `/d` or `/p`, after its owner's name or in brackets. The page need not exist.
 */
export function findPagePath(asked: string, query: string): string | undefined {
  const path = asked
    .replace(wholeAddress, "")
    .replace(/^\/{2,}(?=\w{7}$)/, "/")
    .replace(/^\/@[\w-]+(?=\/)/, "");
  const [, kind, slug = "", behind = ""] =
    /^(\/[dp])?\/(?:%3[Cc]|<)?([A-Za-z0-9]{7})(?![A-Za-z0-9])(.*)$/.exec(path) ?? [];
  // Slugs contain capital letters or digits, which the names of other pages do not.
  if (slug === "" || (kind === undefined && !isSlug(slug))) return undefined;
  const [, version] = /^(?:\/v(?:\/|ersions?\/)?|\/|@v?|[&;]v=)([1-9]\d{0,5})$/.exec(behind) ?? [];
  const [, from, to] = /^\/(?:diff|compare)\/v?(\d{1,6})(?:\.{2,3}|\/|-)v?(\d{1,6})$/.exec(behind) ?? [];
  const rest = query === "" ? "" : `&${query}`;
  if (version !== undefined) return `${kind ?? "/d"}/${slug}?v=${version}${rest}`;
  if (kind === undefined && /^\/(raw|html)$/.test(behind)) return `/p/${slug}/raw${rest.replace("&", "?")}`;
  if (behind === "/download") return `/p/${slug}/raw?download=1${rest}`;
  if (from !== undefined) return `/p/${slug}/compare?from=${from}&to=${to}`;
  const isSame = asked === `/d/${slug}`;
  return isSame || !aroundPage.test(behind) ? undefined : `/d/${slug}${rest.replace("&", "?")}`;
}

/** Other names for the service's pages, by the page's path. */
const pageNames: Readonly<Record<string, string>> = {
  "/account/tokens": "settings/tokens tokens api-keys",
  "/account": "dashboard admin console settings profile me manage drops pages my-drops",
  "/login": "signin sign-in signup sign-up register auth",
  "/docs":
    "help documentation api-docs api/docs developers reference guide swagger swagger-ui swagger-ui/index.html redoc",
  "/library": "explore search shared shared-with-me",
  "/oauth/authorize": "authorize oauth2/authorize login/oauth/authorize oauth/v2/authorize",
  "/verify": "device activate login/device oauth/device",
};

/** Returns the query for a redirect to a page, with the page's own parameter names. */
function queryFor(page: string, query: string): string {
  const sent = new URLSearchParams(query);
  const words = sent.get("q") ?? sent.get("query") ?? sent.get("s") ?? "";
  const code = sent.get("user_code") ?? sent.get("code") ?? "";
  if (page === "/oauth/authorize") return query;
  if (page === "/library" && words !== "") return `${new URLSearchParams({ q: words })}`;
  return page === "/verify" && code !== "" ? `${new URLSearchParams({ code })}` : "";
}

const aliasOfViewer =
  /^\/(?:s|v|view|viewer|embed|share|shared|preview|read|full|site|sites|page|pages|drop|drops)\/([A-Za-z0-9]{7})$/;

/** Matches a slug after its owner's name. */
const belowName = /^\/(?!b\/|files\/)~?[\w-]{1,63}\/([A-Za-z0-9]{7})$/;

const ownerName = /^\/(?:@|%40|~|%7E|u\/)([a-z0-9-]{1,63})\/?$/i;

/** Finds a page of the service, an owner or a drop by another name that other services use. */
export function findNamedPage(asked: string, query: string, site: Site): string | undefined {
  const [, below = ""] = belowName.exec(asked) ?? [];
  const slug = aliasOfViewer.exec(asked)?.[1] ?? (isSlug(below) ? below : undefined);
  if (slug !== undefined) return `/d/${slug}`;
  const [, owner] = ownerName.exec(asked) ?? [];
  if (owner !== undefined) return ownerUrl(site, owner.toLowerCase());
  const page = Object.keys(pageNames).find((one) =>
    pageNames[one]?.split(" ").includes(asked.slice(1).toLowerCase()),
  );
  if (page === undefined) return undefined;
  const kept = queryFor(page, query);
  // Does not redirect to `/verify` without a code, which this page needs.
  if (page === "/verify" && kept === "") return undefined;
  return kept === "" ? page : `${page}?${kept}`;
}

/** Creates the 404 for an unknown address, for people. */
export function pageNotFound(asked: string): ApiError {
  const part = partOfDrop(asked);
  if (part === undefined) return addressNotFound();
  const message = `${nothingFound} Open ${part.page} instead. Owners can edit their pages at /account.`;
  return new ApiError("not_found", { message, way: { href: part.page, label: "Open the page" } });
}

/** Recognizes a slug in a path without `/d` or `/p`. Page names and API versions do not match. */
function isSlug(segment: string): boolean {
  return segment.length === 7 && isId(segment) && !servicePrefix.test(segment);
}

/** Parses a path below a drop's path, or below its slug without `/d` or `/p`. */
function partOfDrop(
  asked: string,
): { readonly page: string; readonly slug: string; readonly rest: string } | undefined {
  const [, owner = "", kind, slug = "", rest = ""] =
    /^(\/@[^/]+)?(\/[dp])?\/([A-Za-z0-9]{7})[/.](.+)$/.exec(asked) ?? [];
  if (slug === "" || (kind === undefined && !isSlug(slug))) return undefined;
  return { page: `${owner}${kind ?? "/d"}/${slug}`, slug, rest };
}
