import * as z from "zod/mini";
import { Problem } from "../problem.ts";
import type { Client } from "./client.ts";
import { count, identifier, seconds, unixMs, versionNumber } from "./fields.ts";

/** A reader's comment, or the owner's response. */
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

const commentList = z.object({
  comments: z.array(commentSchema),
  next_since: count,
  has_more: z.boolean(),
  ask_again_in_seconds: seconds,
});

/**
 * Reads the comments after those that the query names.
 *
 * @throws Problem if the service sends the same comments for ever
 */
export async function readComments(
  client: Client,
  query: URLSearchParams,
): Promise<z.output<typeof commentList>> {
  const { result } = await client.call("/api/feedback", commentList, { query });
  if (result.has_more && result.next_since <= Number(query.get("since") ?? "-1"))
    throw new Problem(`${client.address} sends the same comments again and again.`);
  return result;
}
