import { presentPageQuery } from "../platform/page-query.ts";
import { parseQuery } from "../platform/request.ts";
import { patterns } from "../platform/schemas.ts";

/** The addresses of a drop that show something: `/p/<slug>`, `/d/<slug>`, and `/p/<slug>/…` for the others. */
export const entrances = ["p", "d", "raw", "compare", "feedback"] as const;

/** Which of a drop's addresses somebody came to. */
export type Entrance = (typeof entrances)[number];

/** The hosts that a drop is read on: the service's own, and its owner's. */
export const readingHosts = ["base", "owner"] as const;

/**
 * Where somebody was going when sign-in came between: one of our own addresses in parts, so that no sign-in can lead
 * anywhere else.
 */
export type Destination = DropDestination | FileDestination | PageDestination;

/** A file, to be read: by its id, under the namespace that it has its address under. */
export interface FileDestination {
  readonly file: string;
  readonly of: string;
}

/** Whether somebody was going to a file. */
export function isFileDestination(destination: Destination): destination is FileDestination {
  return "file" in destination;
}

/** A drop, to be read. */
export interface DropDestination {
  readonly slug: string;
  readonly at: (typeof readingHosts)[number];
  readonly from: Entrance;
  readonly version: number | undefined;
  /** Of which browser: `bindOf` a secret that the host of the drop has given it. */
  readonly bind: string;
}

/** The pages of the service's own host that ask who somebody is, by their names. */
export const signedInPages = ["account", "authorize", "drop", "files", "library", "tokens"] as const;

/** One of these pages, for whoever has signed in. */
export interface PageDestination {
  readonly page: (typeof signedInPages)[number];
  /** Of the page of a drop. @default - it is of none */
  readonly slug?: string | undefined;
  /** Of the page on which somebody lets a client in. @default - it is of none */
  readonly request?: string | undefined;
}

/** Whether somebody was going to a page of the service's own host. */
export function isPageDestination(destination: Destination): destination is PageDestination {
  return "page" in destination;
}

/** The path of a page on the service's own host. */
export function pagePath({ page, slug, request }: PageDestination): string {
  switch (page) {
    case "account":
      return "/account";
    case "authorize":
      return `/oauth/authorize?request=${request}`;
    case "drop":
      return `/account/drops/${slug}`;
    case "files":
      return "/account/files";
    case "library":
      return "/library";
    case "tokens":
      return "/account/tokens";
  }
}

/** SHA-256 in base64url. */
export const digestPattern: RegExp = /^[A-Za-z0-9_-]{43}$/;

/** A destination as a query string. */
export function presentDestination(destination: Destination): string {
  if (isPageDestination(destination)) {
    const { page, slug, request } = destination;
    return new URLSearchParams({
      place: page,
      ...(slug === undefined ? {} : { slug }),
      ...(request === undefined ? {} : { request }),
    }).toString();
  }
  if (isFileDestination(destination)) return new URLSearchParams({ ...destination }).toString();
  const { slug, at, from, version, bind } = destination;
  const query = new URLSearchParams({ slug, at, from, bind });
  if (version !== undefined) query.set("v", String(version));
  return query.toString();
}

/** Reads a query string; undefined for what is no destination. What else it holds is left alone. */
export function parseDestination(query: string): Destination | undefined {
  const sent = parseQuery(query);
  const only = (name: string) => (sent[name]?.length === 1 ? sent[name][0] : undefined);
  if (sent.file !== undefined) return toFileDestination(only("file") ?? "", only("of") ?? "");
  const slug = only("slug") ?? "";
  if (sent.place !== undefined) return toPageDestination(only("place"), slug, only("request") ?? "");
  const at = readingHosts.find((host) => host === only("at"));
  const from = entrances.find((entrance) => entrance === only("from"));
  const v = only("v");
  const bind = only("bind") ?? "";
  if (!patterns.slug.test(slug) || at === undefined || from === undefined) return undefined;
  if (sent.v !== undefined && !patterns.positiveInteger.test(v ?? "")) return undefined;
  if (!digestPattern.test(bind)) return undefined;
  return { slug, at, from, version: v === undefined ? undefined : Number(v), bind };
}

/** A drop's page is of one drop, and that of a client of one request. */
function toPageDestination(
  name: string | undefined,
  slug: string,
  request: string,
): PageDestination | undefined {
  const page = signedInPages.find((one) => one === name);
  if (page === "authorize")
    return patterns.authorizationRequest.test(request) ? { page, request } : undefined;
  if (page !== "drop") return page && { page };
  return patterns.slug.test(slug) ? { page, slug } : undefined;
}

function toFileDestination(file: string, of: string): FileDestination | undefined {
  return patterns.blobId.test(file) && patterns.namespace.test(of) ? { file, of } : undefined;
}

/** Where a way through a gate or a sign-in begins. */
export interface EntranceAddress {
  readonly from: Entrance;
  readonly version: number | undefined;
  /** As `pageQueryOf` gives it. @default - the page is asked with nothing */
  readonly pageQuery?: string | undefined;
}

/** The parameters by which a way that begins at an entrance leads back there. */
export function entranceQuery({ from, version, pageQuery }: EntranceAddress): URLSearchParams {
  const query = new URLSearchParams(version === undefined ? {} : { v: String(version) });
  if (from !== "p") query.set("from", from);
  if (pageQuery) query.set("query", presentPageQuery(pageQuery));
  return query;
}
