import type { Conversation } from "../../functions/feedback/feedback.ts";
import { feedback } from "../../functions/feedback/store.ts";
import { patterns } from "../../functions/http/schemas.ts";
import { formatUtc, quote, UsageError } from "./command.ts";
import { defineServiceCommand } from "./service.ts";
import { findDrop } from "./target.ts";

export const feedbackCommand = defineServiceCommand({
  usage: "feedback <slug or address>",
  summary: "lists readers' feedback about a drop, or removes a thread",
  details: `
Prints each thread with its comments and their authors. The name of a reader with a passcode is not verified. A removed thread is deleted
for the owner too. Only a restore brings it back.`,
  options: { "remove <thread>": "removes the thread with this number" },
  async run({ word, options: { remove: thread }, service, act, print, printAll }) {
    if (thread !== undefined && !patterns.positiveInteger.test(thread))
      throw new UsageError("Name the thread by its number: --remove 3.");
    const drop = await findDrop(service, word);
    const { slug } = drop;
    if (thread === undefined) {
      const conversations = await feedback.list(slug);
      printAll(conversations.flatMap(describe), `Threads of ${slug}: ${conversations.length}.`);
      return true;
    }
    const isRemoved = await feedback.remove(drop, Number(thread), await act("remove-feedback"));
    print(
      isRemoved
        ? `The thread ${thread} of ${slug} is removed.`
        : `${slug} has no thread ${thread}. It may be removed already.`,
    );
    return isRemoved;
  },
});

function describe({ thread, comments }: Conversation): string[] {
  const about = thread.quote === undefined ? "" : `  about ${quote(thread.quote)}`;
  const lines = comments.map(({ author, text, createdAtMs }) => {
    return `   ${formatUtc(createdAtMs)}  ${author.kind} ${quote(author.name)}: ${quote(text)}`;
  });
  return [`${thread.thread}  ${thread.state}${about}`, ...lines];
}
