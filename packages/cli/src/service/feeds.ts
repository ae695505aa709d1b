import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { Problem } from "../problem.ts";
import { addItems } from "./bounded-list.ts";
import type { Client } from "./client.ts";
import { count, identifier, seconds, unixMs, versionNumber, withinSeconds } from "./fields.ts";

/** A list of readers' comments or answers, to which later ones are added. Contains the items after the query's `since`, oldest first. */
export interface Feed<Item> {
  readonly client: Client;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Response field that contains the items. */
  readonly name: "answers" | "comments";
  readonly item: z.ZodMiniType<Item>;
}

/** A reader's answer to a form. */
const answerSchema = z.object({
  number: count,
  form: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  version: versionNumber,
  path: z.optional(z.string()),
  created_at: unixMs,
  author: z.object({ name: z.nullable(z.string()), signed_in: z.boolean() }),
});
export type Answer = z.output<typeof answerSchema>;

/** Returns the feed of answers to a drop's forms. */
export function answersOf(client: Client, slug: string, query = new URLSearchParams()): Feed<Answer> {
  return { client, path: `/api/drops/${slug}/answers`, query, name: "answers", item: answerSchema };
}

/** A reader's comment, or the owner's reply. */
const commentSchema = z.object({
  slug: identifier,
  from: z.string(),
  author: z.object({ name: z.string(), signed_in: z.boolean() }),
  text: z.string(),
  version: versionNumber,
  created_at: unixMs,
  thread: z.object({
    id: count,
    state: z.string(),
    quote: z.nullable(z.string()),
    selector: z.optional(z.string()),
    path: z.optional(z.string()),
  }),
});
export type Comment = z.output<typeof commentSchema>;

/** Returns the feed of comments on the account's drops, or on the drops that the query selects. */
export function commentsOf(client: Client, query = new URLSearchParams()): Feed<Comment> {
  return { client, path: "/api/feedback", query, name: "comments", item: commentSchema };
}

/** Bounds for the pause between two requests in watch mode. The service itself waits up to 20 s for a new item before it responds. */
const pauseSecondsMin = 0.2;
const pauseSecondsMax = 60;

/**
 * Reads a list in parts.
 *
 * @param onCaughtUp called at the current end of the list, before waiting for new items.
 * @default - reading stops at the current end of the list
 * @throws Problem if the service keeps sending the same items
 */
export async function* readFeed<Item>(
  { client, path, query, name, item }: Feed<Item>,
  onCaughtUp?: () => void,
): AsyncGenerator<readonly Item[]> {
  const rest = z.object({ next_since: count, has_more: z.boolean(), ask_again_in_seconds: seconds });
  const schema = z.object({ ...rest.shape, [name]: z.array(item) });
  for (;;) {
    const { result } = await client.call(path, schema, { query });
    const { next_since, has_more, ask_again_in_seconds } = result as z.output<typeof rest>;
    if (has_more && next_since <= Number(query.get("since") ?? "-1"))
      throw new Problem(`${client.address} keeps sending the same ${name}.`);
    query.set("since", String(next_since));
    yield (result as Readonly<Record<string, unknown>>)[name] as readonly Item[];
    if (has_more) continue;
    if (onCaughtUp === undefined) return;
    if (!query.has("wait")) onCaughtUp();
    query.set("wait", "20");
    await sleep(withinSeconds(ask_again_in_seconds, pauseSecondsMin, pauseSecondsMax) * 1000);
  }
}

/** Returns all current items of a list. */
export async function readWholeFeed<Item>(feed: Feed<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const items of readFeed(feed)) addItems(all, items, feed.client.address);
  return all;
}
