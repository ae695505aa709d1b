import type { Drop } from "../../functions/drops/drop.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import type { Conversation } from "../../functions/feedback/feedback.ts";
import { feedback } from "../../functions/feedback/store.ts";
import { patterns } from "../../functions/http/schemas.ts";
import { defineCommand, UsageError } from "./command.ts";
import { operatorAct } from "./operator-act.ts";
import { openService, serviceOptions } from "./service.ts";
import { formatUtc, quote, type Terminal } from "./terminal.ts";

/** `feedback <slug>` */
export const feedbackCommand = defineCommand({
  name: "feedback",
  words: "<slug>",
  summary: "lists readers' feedback about a drop, or removes a thread",
  details: `
Prints for each thread its number, its state and its comments with their authors: a signed-in reader, a reader with the passcode whose
name is not verified, or the owner. A removed thread is deleted with all comments, for the owner too. Only a restore brings it back.`,
  options: {
    ...serviceOptions,
    remove: { type: "string", value: "<thread>", help: "removes the thread with this number" },
  },
  async run(input, terminal) {
    const slug = input.word;
    const thread = input.options.remove;
    if (thread !== undefined && !patterns.positiveInteger.test(thread))
      throw new UsageError("Name the thread by its number: --remove 3.");
    const service = await openService(input.options);
    const drop = patterns.slug.test(slug) ? await publicDrops.findBySlug(slug) : undefined;
    if (drop === undefined) throw new UsageError(`There is no drop with the slug ${quote(slug)}.`);
    if (thread === undefined) return list(drop, terminal);
    const act = await operatorAct(service, "remove-feedback");
    const isRemoved = await feedback.remove(drop, Number(thread), act);
    terminal.print(
      isRemoved
        ? `The thread ${thread} of ${slug} is removed.`
        : `${slug} has no thread ${thread}. It may be removed already.`,
    );
    return isRemoved;
  },
});

async function list({ slug }: Drop, terminal: Terminal): Promise<boolean> {
  const conversations = await feedback.list(slug);
  for (const line of conversations.flatMap(describe)) terminal.print(line);
  terminal.print(`Threads of ${slug}: ${conversations.length}.`);
  return true;
}

function describe({ thread, comments }: Conversation): string[] {
  const about = thread.quote === undefined ? "" : `  about ${quote(thread.quote)}`;
  return [
    `${thread.thread}  ${thread.state}${about}`,
    ...comments.map(
      ({ author, text, createdAtMs }) =>
        `   ${formatUtc(createdAtMs)}  ${author.kind} ${quote(author.name)}: ${quote(text)}`,
    ),
  ];
}
