import { findNamedDrop } from "../drop.ts";
import { type Comment, commentsOf, type Feed, readFeed, readWholeFeed } from "../service/feeds.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
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

/** Prints readers' comments on one drop or on all drops. With `--watch`, continues with new comments. */
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
  await writeFeed(output, commentsOf(client, query), options.watch, describeComment);
}

/** Writes the items of a list. With `isWatching`, continues with new items. */
export async function writeFeed<Item>(
  output: Output,
  feed: Feed<Item>,
  isWatching: true | undefined,
  describe: (item: Item) => Line[],
): Promise<void> {
  const { name } = feed;
  if (!isWatching) {
    const all = await readWholeFeed(feed);
    const lines = all.length === 0 ? [`There are no ${name}.`] : all.flatMap(describe);
    return writeResult(output, { [name]: all }, lines);
  }
  const onCaughtUp = () => {
    if (output.isInteractive) writeNote(`Waiting for ${name}. Press Ctrl-C to stop.`);
  };
  for await (const items of readFeed(feed, onCaughtUp))
    for (const item of items) writeItem(output, item, describe(item));
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
