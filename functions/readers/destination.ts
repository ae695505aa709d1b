import { parseQuery } from "../platform/request.ts";
import { patterns } from "../platform/schemas.ts";

/** The addresses of a drop that show something: `/p/<slug>`, `/d/<slug>` and `/p/<slug>/raw`. */
export const entrances = ["p", "d", "raw"] as const;

/** Which of a drop's addresses somebody came to. */
export type Entrance = (typeof entrances)[number];

/** The hosts that a drop is read on: the service's own, and its owner's. */
export const readingHosts = ["base", "owner"] as const;

/**
 * Where a reader was going when sign-in came between: one of our own addresses in parts, so that no sign-in can lead
 * anywhere else.
 */
export interface Destination {
  readonly slug: string;
  readonly at: (typeof readingHosts)[number];
  readonly from: Entrance;
  readonly version: number | undefined;
  /** Of which browser: `bindOf` a secret that the host of the drop has given it. */
  readonly bind: string;
}

/** SHA-256 in base64url. */
export const digestPattern: RegExp = /^[A-Za-z0-9_-]{43}$/;

/** A destination as a query string. */
export function presentDestination({ slug, at, from, version, bind }: Destination): string {
  const query = new URLSearchParams({ slug, at, from, bind });
  if (version !== undefined) query.set("v", String(version));
  return query.toString();
}

/** Reads a query string; undefined for what is no destination. What else it holds is left alone. */
export function parseDestination(query: string): Destination | undefined {
  const sent = parseQuery(query);
  const only = (name: string) => (sent[name]?.length === 1 ? sent[name][0] : undefined);
  const slug = only("slug") ?? "";
  const at = readingHosts.find((host) => host === only("at"));
  const from = entrances.find((entrance) => entrance === only("from"));
  const v = only("v");
  const bind = only("bind") ?? "";
  if (!patterns.slug.test(slug) || at === undefined || from === undefined) return undefined;
  if (sent.v !== undefined && !patterns.positiveInteger.test(v ?? "")) return undefined;
  if (!digestPattern.test(bind)) return undefined;
  return { slug, at, from, version: v === undefined ? undefined : Number(v), bind };
}

/** The parameters by which a way that begins at an entrance leads back there. */
export function entranceQuery({ from, version }: Pick<Destination, "from" | "version">): URLSearchParams {
  const query = new URLSearchParams(version === undefined ? {} : { v: String(version) });
  if (from !== "p") query.set("from", from);
  return query;
}
