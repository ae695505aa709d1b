/** Old and new address of an imported drop. */
export interface MovedDrop {
  readonly oldUrl: string;
  readonly slug: string;
  readonly url: string;
  /** New version numbers, by old version number. */
  readonly versions: ReadonlyMap<number, number>;
}

/** Old addresses, and the new addresses of all drops and files imported so far. */
export interface LinkMap {
  /** Origin of the old service. */
  readonly oldService: string;
  readonly newService: string;
  /** Old addresses of the account's drops and files. */
  readonly oldUrls: readonly string[];
  readonly drops: ReadonlyMap<string, MovedDrop>;
  readonly files: ReadonlyMap<string, { readonly oldUrl: string; readonly id: string; readonly url: string }>;
}

/**
 * Returns a pattern for the addresses of drops (`/d/<slug>`, `/p/<slug>`) and files (`/b/<id>`) in HTML, Markdown and scripts. Matches
 * links with or without scheme and host, and with the escaped slashes of JSON.
 */
export function linkPattern({ oldService, oldUrls }: Pick<LinkMap, "oldService" | "oldUrls">): RegExp {
  const roots = new Set([oldService, ...oldUrls.map(rootOf)]);
  const absolute = [...roots].map((root) => `(?:https?:)?${toPattern(root.replace(/^https?:/, ""))}`);
  const paths = [...roots].map((root) => new URL(root).pathname).filter((path) => path !== "/");
  const relative = `(?<=["'=(\\s>]|^)(?:${["", ...paths].map(toPattern).join("|")})`;
  return new RegExp(
    `(?<root>${[...absolute, relative].join("|")})(?<slash>\\\\?/)(?<kind>[dpb])\\\\?/(?<id>[A-Za-z0-9]{7})(?![A-Za-z0-9])(?<rest>(?:\\\\?/raw)?)(?:\\?v=(?<version>\\d+))?`,
    "g",
  );
}

/** Returns the slugs of the drops that a text links to. */
export function findLinkedSlugs(text: string, pattern: RegExp): Set<string> {
  const links = [...text.matchAll(pattern)].filter(({ groups }) => groups?.kind !== "b");
  return new Set(links.map(({ groups }) => groups?.id ?? ""));
}

/** Replaces old addresses in a text by new addresses. Unknown addresses stay unchanged. */
export function rewriteLinks(text: string, pattern: RegExp, map: LinkMap): string {
  return text.replaceAll(pattern, (link, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const { root = "", slash = "/", kind = "", id = "", rest: part = "", version } = groups;
    const moved = kind === "b" ? map.files.get(id) : map.drops.get(id);
    if (moved === undefined) return link;
    const owner = rootOf(moved.url);
    const isAbsolute = root.replaceAll("\\", "").includes("//");
    const isOfService = isAbsolute && withoutScheme(root) === withoutScheme(map.oldService) && kind === "p";
    const ownerPath = new URL(owner).pathname.replace(/\/$/, "");
    const newRoot = isOfService ? map.newService : isAbsolute ? owner : ownerPath;
    const address = `${newRoot}/${kind}/${"slug" in moved ? moved.slug : moved.id}`;
    const number = "slug" in moved && version !== undefined ? moved.versions.get(Number(version)) : undefined;
    const query = version === undefined ? "" : `?v=${number ?? version}`;
    return address.replaceAll("/", slash) + part + query;
  });
}

/** Derives the address of an owner's page, without the final slash, from the address of one of the owner's drops or files. */
function rootOf(url: string): string {
  return url.replace(/\/[dpb]\/[^/]*$/, "");
}

function withoutScheme(address: string): string {
  return address.replaceAll("\\", "").replace(/^https?:/, "");
}

/** Returns a pattern for a text whose slashes may be escaped. */
function toPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("/", "\\\\?/");
}
