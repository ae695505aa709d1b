import { unmarshall } from "@aws-sdk/util-dynamodb";
import { type ComponentChild, h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Drop } from "../drops/drop.ts";
import { xmlText } from "../html/format.tsx";
import { text } from "../html/text.ts";
import { anonymousSearcher, canFind } from "../policies/access.ts";
import { ranges } from "../table/keys.ts";
import { queryRaw, type RawItem } from "../table/table.ts";
import { findListedOwner, toListedRow } from "./owner-listing.ts";

/** Fields of a drop that the feed contains. */
type FedDrop = Pick<Drop, "slug" | "namespace" | "title" | "description" | "createdAtMs" | "updatedAtMs">;

/** Maximum number of entries. Feed readers poll often enough that fewer entries change between two requests. */
const entriesMax = 50;

/**
 * Finds the most recently changed public drops of a namespace, latest first. Returns undefined if the namespace is
 * unknown or suspended.
 */
export async function findOwnerFeed(
  namespace: string,
  nowMs: number,
): Promise<readonly FedDrop[] | undefined> {
  const userId = await findListedOwner(namespace);
  if (userId === undefined) return undefined;
  const rows = await queryRaw(ranges.drops(userId), {
    attributes: [
      ...["slug", "namespace", "title", "description", "passcodeHash", "visibility"],
      ...["expiresAtMs", "createdAtMs", "updatedAtMs"],
    ],
    // Skips view counters, which have no slug.
    having: "slug",
  });
  return rows
    .filter((row) => canFind(toListedRow(userId, row), anonymousSearcher, nowMs))
    .toSorted((one, other) => Number(other.updatedAtMs?.N) - Number(one.updatedAtMs?.N))
    .slice(0, entriesMax)
    .map(toFedDrop);
}

function toFedDrop(attributes: RawItem): FedDrop {
  const { slug, namespace, title, description, createdAtMs, updatedAtMs } = unmarshall(attributes);
  return {
    slug: slug as string,
    namespace: namespace as string,
    title: title as string,
    description: (description ?? null) as string | null,
    createdAtMs: createdAtMs as number,
    updatedAtMs: updatedAtMs as number,
  };
}

/** A drop in the owner's feed. */
export interface FeedEntry {
  /** Permanent URL of the drop, which is also its id in the feed. */
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Atom feed of an owner. */
export interface OwnerFeed {
  readonly namespace: string;
  readonly title: string;
  /** URL of the owner's public page, which is also the feed's id. */
  readonly ownerUrl: string;
  readonly feedUrl: string;
  /** Entries of the feed, latest change first. */
  readonly entries: readonly FeedEntry[];
  /** Time of the last change in the feed. 0 (1970) if there are no entries. */
  readonly updatedAtMs: number;
}

/** Renders the feed as XML (RFC 4287). */
export function renderOwnerFeed({
  namespace,
  title,
  ownerUrl,
  feedUrl,
  entries,
  updatedAtMs,
}: OwnerFeed): string {
  const feed = h("feed", { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": text.language }, [
    element("id", ownerUrl),
    element("title", title),
    element("updated", time(updatedAtMs)),
    h("link", { rel: "self", type: "application/atom+xml", href: feedUrl }),
    h("link", { rel: "alternate", type: "text/html", href: ownerUrl }),
    h("author", {}, [element("name", namespace), element("uri", ownerUrl)]),
    ...entries.map((entry) =>
      h("entry", {}, [
        element("id", entry.url),
        element("title", entry.title),
        element("published", time(entry.createdAtMs)),
        element("updated", time(entry.updatedAtMs)),
        h("link", { rel: "alternate", type: "text/html", href: entry.url }),
        entry.description ? element("summary", entry.description) : null,
      ]),
    ),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${renderToString(feed)}`;
}

function element(name: string, words: string): ComponentChild {
  return h(name, {}, xmlText(words));
}

function time(atMs: number): string {
  return new Date(atMs).toISOString();
}
