import { type ComponentChild, h } from "preact";
import { renderToString } from "preact-render-to-string";
import { text } from "../platform/html/text.ts";
import { xmlText } from "../platform/html/xml-text.ts";

/** A drop in the feed of its owner. */
export interface FeedEntry {
  /** The drop's permanent address, which is its id in the feed, too. */
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What an owner's feed tells. */
export interface OwnerFeed {
  readonly namespace: string;
  /** The owner's public page, which is the feed's id, too. */
  readonly ownerUrl: string;
  readonly feedUrl: string;
  /** Last changed first. */
  readonly entries: readonly FeedEntry[];
  /** When something in it changed last; with no entries, the beginning of time. */
  readonly updatedAtMs: number;
}

/** The feed as XML (RFC 4287). */
export function renderOwnerFeed({ namespace, ownerUrl, feedUrl, entries, updatedAtMs }: OwnerFeed): string {
  const feed = h("feed", { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": text.language }, [
    element("id", ownerUrl),
    element("title", text.owner.title(namespace)),
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
