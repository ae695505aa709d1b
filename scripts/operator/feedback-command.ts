import type { Drop } from "../../functions/drops/drop.ts";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import type { Conversation } from "../../functions/feedback/feedback.ts";
import { feedback } from "../../functions/feedback/store.ts";
import { patterns } from "../../functions/http/schemas.ts";
import { type Command, onlyWord, textOption, UsageError } from "./command.ts";
import { operatorAct } from "./operator-act.ts";
import { openService, serviceHelp, serviceOptions, serviceUsage } from "./service.ts";
import { momentOf, quote, type Terminal } from "./terminal.ts";

/** `feedback <slug>` */
export const feedbackCommand: Command = {
  usage: `<slug> [--remove <thread>] ${serviceUsage}`,
  summary: "lists what readers have written about a drop, and removes a thread",
  help: `
Of each thread: its number, whether it is open, and its comments, each with who wrote it: a reader who has signed in, one who came by the
passcode and is named so, which nobody has proven, or the owner. A thread that is removed is gone with all its comments, for its owner too, and nothing brings it back but a restoration.

  --remove <n>     removes the thread with this number${serviceHelp}`,
  options: { ...serviceOptions, remove: { type: "string" } },
  async run(input, terminal) {
    const slug = onlyWord(input, "drop");
    const thread = textOption(input, "remove");
    if (thread !== undefined && !patterns.positiveInteger.test(thread))
      throw new UsageError("Say which thread, by its number: --remove 3.");
    const service = await openService(input);
    const drop = patterns.slug.test(slug) ? await publicDrops.findBySlug(slug) : undefined;
    if (drop === undefined) throw new UsageError(`There is no drop ${quote(slug)}: say the slug.`);
    if (thread === undefined) return list(drop, terminal);
    const act = await operatorAct(service, "remove-feedback");
    const isRemoved = await feedback.remove(drop, Number(thread), act);
    terminal.print(
      isRemoved
        ? `The thread ${thread} of ${slug} is removed.`
        : `${slug} has no thread ${thread}: never had, or not any more.`,
    );
    return isRemoved;
  },
};

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
        `   ${momentOf(createdAtMs)}  ${author.kind} ${quote(author.name)}: ${quote(text)}`,
    ),
  ];
}
