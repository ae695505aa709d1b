import { unmarshall } from "@aws-sdk/util-dynamodb";
import { type ComponentChild, h } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Drop } from "../drops/drop.ts";
import { xmlText } from "../html/format.tsx";
import { text } from "../html/text.ts";
import { dropUrl, ownerUrl, type Site } from "../http/site.ts";
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
  return { slug, namespace, title, description: description ?? null, createdAtMs, updatedAtMs };
}

/** Renders the Atom feed of an owner as XML (RFC 4287). @param drops drops in the feed, latest change first */
export function renderOwnerFeed(namespace: string, drops: readonly FedDrop[], site: Site): string {
  const url = ownerUrl(site, namespace);
  const feed = h("feed", { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": text.language }, [
    element("id", url),
    element("title", `${namespace} on ${text.product}`),
    // A feed without entries has the time 0 (1970), because nothing has changed yet.
    element("updated", time(drops[0]?.updatedAtMs ?? 0)),
    h("link", { rel: "self", type: "application/atom+xml", href: `${url}feed` }),
    h("link", { rel: "alternate", type: "text/html", href: url }),
    h("author", {}, [element("name", namespace), element("uri", url)]),
    ...drops.map((drop) => {
      // Transferred drops keep the URLs from their first account.
      const href = dropUrl(site, drop.namespace, drop.slug);
      return h("entry", {}, [
        element("id", href),
        element("title", drop.title),
        element("published", time(drop.createdAtMs)),
        element("updated", time(drop.updatedAtMs)),
        h("link", { rel: "alternate", type: "text/html", href }),
        drop.description ? element("summary", drop.description) : null,
      ]);
    }),
  ]);
  return `<?xml version="1.0" encoding="utf-8"?>\n${renderToString(feed)}`;
}

function element(name: string, words: string): ComponentChild {
  return h(name, {}, xmlText(words));
}

function time(atMs: number): string {
  return new Date(atMs).toISOString();
}
