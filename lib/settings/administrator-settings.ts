import * as z from "zod";
import { readReaders } from "../../functions/identity/reader-names.ts";
import { presentReader, type ReaderRule } from "../../functions/policies/access.ts";

const example = 'use a list of e-mail addresses and groups, such as ["ada@example.com", "group:platform"]';

/** The setting `administrators`. */
export const administrators = z
  .array(z.string(), example)
  .min(1, `${example}, or leave it out`)
  .check(({ value, issues }) => {
    const read = readReaders(value, "people");
    const message =
      "message" in read ? example : read.map(problemOf).find((problem) => problem !== undefined);
    if (message !== undefined) issues.push({ code: "custom", input: value, message });
  })
  .readonly();

/**
 * Refuses entries other than e-mail addresses and groups. A user name can be reassigned to another person, and a domain would admit
 * everyone in it.
 */
function problemOf(rule: ReaderRule): string | undefined {
  if (rule.kind === "email" || rule.kind === "group") return undefined;
  return `${JSON.stringify(presentReader(rule))} is neither an e-mail address nor a group: ${example}`;
}

/** Serializes `administrators` as JSON. The names are normalized like the names of a drop's readers. */
export function administratorsOf(given: z.input<typeof administrators> | undefined): string | undefined {
  if (given === undefined) return undefined;
  const read = readReaders(given, "people");
  if ("message" in read) throw new Error(read.message);
  return JSON.stringify(read.map(presentReader));
}
