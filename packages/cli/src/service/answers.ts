import * as z from "zod/mini";
import { Problem } from "../problem.ts";
import type { Client } from "./client.ts";
import { count, seconds, unixMs, versionNumber } from "./fields.ts";

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

const answerList = z.object({
  answers: z.array(answerSchema),
  next_since: count,
  has_more: z.boolean(),
  ask_again_in_seconds: seconds,
});

/**
 * Reads the answers to a drop's forms after the query's `since`.
 *
 * @throws Problem if the service sends the same answers for ever
 */
export async function readAnswers(
  client: Client,
  slug: string,
  query: URLSearchParams,
): Promise<z.output<typeof answerList>> {
  const { result } = await client.call(`/api/drops/${slug}/answers`, answerList, { query });
  if (result.has_more && result.next_since <= Number(query.get("since") ?? "-1"))
    throw new Problem(`${client.address} sends the same answers again and again.`);
  return result;
}
