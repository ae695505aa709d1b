import { findNamedDrop } from "../drop.ts";
import { addItems } from "../service/bounded-list.ts";
import { type Comment, readComments } from "../service/comments.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
import { pauseBeforeNext } from "../service/watch.ts";
import {
  formatUtc,
  type Line,
  type Output,
  styled,
  writeItem,
  writeNote,
  writeResult,
} from "../terminal/output.ts";

interface FeedbackOptions extends ServiceOption {
  readonly state?: string;
  readonly watch?: true;
}

/** Prints readers' comments, of one drop or of all; `--watch` continues with new ones. */
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
    const result = await readComments(client, query);
    query.set("since", String(result.next_since));
    if (options.watch)
      for (const comment of result.comments) writeItem(output, comment, describeComment(comment));
    else addItems(comments, result.comments, client.address);
    if (result.has_more) continue;
    if (!options.watch) break;
    if (!isCaughtUp && output.isInteractive) writeNote("Waiting for comments. Ctrl-C ends it.");
    isCaughtUp = true;
    await pauseBeforeNext(result.ask_again_in_seconds);
  }
  if (options.watch) return;
  const lines = comments.length === 0 ? ["There are no comments."] : comments.flatMap(describeComment);
  writeResult(output, { comments }, lines);
}

function describeComment({ slug, thread, author, from, text, version, created_at }: Comment): Line[] {
  const element = thread.selector === undefined ? "" : ` at ${thread.selector}`;
  const place = (thread.path === undefined ? "" : ` on ${thread.path}`) + element;
  const name = `${author.name}${from === "owner" ? " (owner)" : author.signed_in ? "" : " (not signed in)"}`;
  const time = formatUtc(created_at);
  return [
    [styled("bold", `${slug} #${thread.id}`), `${place} ${name}, ${time}, v${version}, ${thread.state}`],
    ...(thread.quote === null ? [] : [`  > ${thread.quote}`]),
    ...text.split("\n").map((line) => `  ${line}`),
  ];
}
