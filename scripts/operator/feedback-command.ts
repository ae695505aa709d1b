import { type Answer, valuesOf } from "../../functions/answers/answers.ts";
import { answers } from "../../functions/answers/store.ts";
import type { Conversation } from "../../functions/feedback/feedback.ts";
import { feedback } from "../../functions/feedback/store.ts";
import { patterns } from "../../functions/http/schemas.ts";
import { formatUtc, quote, UsageError } from "./command.ts";
import { defineServiceCommand } from "./service.ts";
import { findDrop } from "./target.ts";

export const feedbackCommand = defineServiceCommand({
  usage: "feedback <slug or address>",
  summary:
    "lists readers' comments on a drop or their answers to its forms, or removes a thread or an answer",
  details: `
Prints each thread with its comments and their authors. The name of a reader with a passcode is not verified. With --answers, prints each
answer to the drop's forms instead. A removed thread or answer is deleted for the owner too. Only restore can undo that.`,
  options: {
    answers: "lists answers to forms instead of threads",
    "remove <number>": "removes the thread with this number, or with --answers the answer with this number",
  },
  async run({ word, options: { answers: isOfAnswers, remove: number }, service, action, print, printAll }) {
    const what = isOfAnswers ? "answer" : "thread";
    if (number !== undefined && !patterns.positiveInteger.test(number))
      throw new UsageError(`Use the number of the ${what}, such as --remove 3.`);
    const drop = await findDrop(service, word);
    const { slug } = drop;
    if (number === undefined && isOfAnswers) {
      const all = await answers.listAll(slug);
      return printAll(all.flatMap(describeAnswer), `Answers to the forms of ${slug}: ${all.length}.`);
    }
    if (number === undefined) {
      const threads = await feedback.list(slug);
      return printAll(threads.flatMap(describe), `Threads of ${slug}: ${threads.length}.`);
    }
    const isRemoved = isOfAnswers
      ? await answers.remove(drop, Number(number), await action("remove-answer"))
      : await feedback.remove(drop, Number(number), await action("remove-feedback"));
    if (isRemoved) print(`The ${what} ${number} of ${slug} is removed.`);
    else print(`${slug} has no ${what} ${number}. It may already have been removed.`);
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

function describeAnswer({ number, form, version, createdAtMs, author, fields }: Answer): string[] {
  const name = author.kind === "reader" ? `reader ${quote(author.name)}` : "stranger";
  const lines = fields.map(([field, value]) => {
    return `   ${quote(field)}: ${valuesOf(value).map(quote).join(", ")}`;
  });
  return [`${number}  ${form}  ${formatUtc(createdAtMs)}  version ${version}  ${name}`, ...lines];
}
