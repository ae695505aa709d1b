import * as z from "zod/mini";
import { parseEmailAddress, parseEmailDomain, toLowerAscii } from "./email-address.ts";
import { limits } from "./limits.ts";
import { describe } from "./metadata.ts";
import { accepts, type ProblemParams, problem } from "./schemas.ts";

/** Whom an owner has named, in lower case: a verified e-mail address, everybody's at a domain, or a user name. */
export type ReaderRule =
  | { readonly kind: "email"; readonly email: string }
  | { readonly kind: "domain"; readonly domain: string }
  | { readonly kind: "username"; readonly username: string };

/** What providers call people; nothing by which it could be taken for something else. */
const usernamePattern = /^[^\s@,;:<>()[\]\\"\p{C}]+$/u;

const whatTheyAre =
  'an e-mail address such as "ada@example.com", everybody at a domain such as "@example.com", or a user name such as "ada"';

/** The field `readers` of a request: each of them once. */
export function readersField() {
  return accepts(
    z.pipe(
      z.unknown(),
      z.transform((value, transformation): readonly ReaderRule[] => {
        const read = readReaders(value);
        if (!("message" in read)) return read;
        transformation.issues.push({ code: "custom", input: value, ...read });
        return z.NEVER;
      }),
    ),
    {
      type: "array",
      minItems: 1,
      maxItems: limits.readersPerDropMax,
      items: { type: "string", maxLength: limits.readerBytesMax },
    },
  );
}

/** Reads a list of readers: each of them once, or what is wrong with it. */
export function readReaders(
  input: unknown,
): readonly ReaderRule[] | { readonly message: string; readonly params: ProblemParams } {
  const most = limits.readersPerDropMax;
  if (!Array.isArray(input) || input.length === 0 || input.length > most) {
    const came = Array.isArray(input) ? `${input.length} came` : `${describe(input)} came`;
    const message = `readers must be an array of 1 to ${most} e-mail addresses, @domains or user names, but ${came}.`;
    return problem("invalid_arg", message, { field: "readers", readers_max: most });
  }
  const rules = new Map<string, ReaderRule>();
  for (const [index, entry] of input.entries()) {
    const rule = typeof entry === "string" ? parseReader(entry) : undefined;
    if (rule === undefined) return readerProblem(index, entry);
    rules.set(presentReader(rule), rule);
  }
  return [...rules.values()];
}

function readerProblem(index: number, entry: unknown) {
  const field = { field: "readers", index };
  const name = typeof entry === "string" ? entry.trim() : undefined;
  const bytes = Buffer.byteLength(name ?? "");
  if (bytes > limits.readerBytesMax) {
    const message = `readers[${index}] has ${bytes} bytes in UTF-8; at most ${limits.readerBytesMax} are allowed.`;
    return problem("invalid_arg", message, { ...field, bytes_max: limits.readerBytesMax });
  }
  const came = name === undefined ? describe(entry) : JSON.stringify(name);
  return problem("invalid_arg", `readers[${index}] must be ${whatTheyAre}, but ${came} came.`, field);
}

/** Reads an e-mail address, `@domain` or a user name, in any case; undefined for what is none of them, or too long. */
export function parseReader(text: string): ReaderRule | undefined {
  const name = text.trim();
  if (Buffer.byteLength(name) > limits.readerBytesMax) return undefined;
  if (!name.includes("@")) {
    return usernamePattern.test(name) ? { kind: "username", username: toLowerAscii(name) } : undefined;
  }
  const domain = name.startsWith("@") ? parseEmailDomain(name.slice(1)) : undefined;
  if (domain !== undefined) return { kind: "domain", domain };
  const email = parseEmailAddress(name);
  return email === undefined ? undefined : { kind: "email", email };
}

/** The reader rule of a text that `presentReader` has made. */
export function toReaderRule(text: string): ReaderRule {
  const at = text.lastIndexOf("@");
  if (at === -1) return { kind: "username", username: text };
  return at === 0 ? { kind: "domain", domain: text.slice(1) } : { kind: "email", email: text };
}

/** A reader rule as it is written: `ada@example.com`, `@example.com` or `ada`. */
export function presentReader(rule: ReaderRule): string {
  switch (rule.kind) {
    case "email":
      return rule.email;
    case "domain":
      return `@${rule.domain}`;
    case "username":
      return rule.username;
  }
}
