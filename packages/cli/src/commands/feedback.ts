import { setTimeout as sleep } from "node:timers/promises";
import { findNamedDrop } from "../drop.ts";
import { formatUtc, type Output, plain, styled, writeNote, writeResult } from "../output.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";

interface Comment {
  readonly number: number;
  readonly slug: string;
  readonly from: "owner" | "reader";
  readonly author: { readonly name: string; readonly signed_in: boolean };
  readonly text: string;
  readonly version: number;
  readonly created_at: number;
  readonly thread: {
    readonly id: number;
    readonly state: string;
    readonly quote: string | null;
    readonly path?: string;
  };
}

interface FeedbackList {
  readonly comments: readonly Comment[];
  readonly next_since: number;
  readonly has_more: boolean;
  readonly ask_again_in_seconds: number;
}

interface FeedbackOptions extends ServiceOption {
  readonly state?: string;
  readonly watch?: true;
}

/** Prints readers' comments, of one drop or of all; `--watch` goes on with those that come. */
export async function feedback(
  name: string | undefined,
  options: FeedbackOptions,
  output: Output,
): Promise<void> {
  const drop = name === undefined ? undefined : await findNamedDrop(name, options.service);
  const client = drop?.client ?? (await selectService(options.service));
  const query = new URLSearchParams();
  if (drop !== undefined) query.set("slug", drop.slug);
  if (options.state !== undefined) query.set("state", options.state);
  const comments: Comment[] = [];
  for (let isCaughtUp = false; ; ) {
    if (isCaughtUp) query.set("wait", "20");
    const { result } = await client.call<FeedbackList>("/api/feedback", { query });
    query.set("since", String(result.next_since));
    if (options.watch) for (const comment of result.comments) writeComment(comment, output);
    else comments.push(...result.comments);
    if (result.has_more) continue;
    if (!options.watch) break;
    if (!isCaughtUp && output.isInteractive) writeNote("Waiting for comments. Ctrl-C ends it.");
    isCaughtUp = true;
    await sleep(result.ask_again_in_seconds * 1000);
  }
  if (options.watch) return;
  const lines = comments.length === 0 ? ["There are no comments."] : comments.flatMap(describeComment);
  writeResult(output, { comments }, lines);
}

/** One line of JSON for a program that watches; text for a person. */
function writeComment(comment: Comment, { isJson }: Output): void {
  process.stdout.write(isJson ? `${JSON.stringify(comment)}\n` : `${describeComment(comment).join("\n")}\n`);
}

function describeComment({ slug, thread, author, from, text, version, created_at }: Comment): string[] {
  const place = thread.path === undefined ? "" : ` on ${plain(thread.path)}`;
  const name = `${plain(author.name)}${from === "owner" ? " (owner)" : author.signed_in ? "" : " (not signed in)"}`;
  const time = formatUtc(created_at);
  return [
    `${styled("bold", `${slug} #${thread.id}`)}${place} ${name}, ${time}, v${version}, ${thread.state}`,
    ...(thread.quote === null ? [] : [`  > ${plain(thread.quote)}`]),
    ...text.split("\n").map((line) => `  ${plain(line)}`),
  ];
}
