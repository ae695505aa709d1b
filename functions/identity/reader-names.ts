import * as z from "zod/mini";
import { limits } from "../core/limits.ts";
import { accepts, describe, mustBe, type ProblemParams, problem } from "../http/schemas.ts";
import { parseEmailAddress, parseEmailDomain } from "../people/email-addresses.ts";
import {
  groupPrefix,
  isMistakable,
  presentReader,
  type ReaderRule,
  toLowerAscii,
  usernamePrefix,
} from "../policies/access.ts";

/** Pattern of user names. Excludes invisible characters, and separators. User names with an @ need the prefix `username:`. */
const usernamePattern = /^[^\s,;:<>()[\]\\"\p{C}]+$/u;

/** Pattern of group names: any string without line breaks or other control characters. */
const groupPattern = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u;

const whatTheyAre =
  'an e-mail address such as "ada@example.com", a domain such as "@example.com", a user name such as "username:ada", or a group such as "group:engineering"';

/** Name of a field that lists reader rules: a drop's `readers`, or a team's `owners`, `editors` or `people`. */
type ReadersField = "readers" | "owners" | "editors" | "people";

/** Schema of a field with reader rules. It removes duplicates. */
export function readersField(field: ReadersField = "readers") {
  return accepts(
    z.pipe(
      z.unknown(),
      z.transform((value, transformation): readonly ReaderRule[] => {
        const read = readReaders(value, field);
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

/** Parses a list of readers and removes duplicates. Returns the first error for an invalid list. */
export function readReaders(
  input: unknown,
  field: ReadersField = "readers",
): readonly ReaderRule[] | { readonly message: string; readonly params: ProblemParams } {
  const most = limits.readersPerDropMax;
  if (!Array.isArray(input) || input.length === 0 || input.length > most) {
    const given = Array.isArray(input) ? `${input.length} entries` : describe(input);
    const beside =
      field === "readers" ? ', with "visibility": "people"; any other visibility removes them' : "";
    const message = `${field} ${mustBe(`an array of 1 to ${most} e-mail addresses, @domains, user names or groups${beside}`, given)}`;
    return problem("invalid_arg", message, { field, [`${field}_max`]: most });
  }
  const rules = new Map<string, ReaderRule>();
  for (const [index, entry] of input.entries()) {
    const at = { field, index };
    if (typeof entry !== "string") return readerProblem(at, entry);
    if (everybodyPattern.test(entry.trim())) return everybodyProblem(at, entry);
    if (oneselfPattern.test(entry.trim())) return oneselfProblem(at, entry);
    const meant = meantReader(entry);
    if (meant !== undefined) return unmatchedProblem(at, entry.trim(), meant);
    const rule = parseReader(entry);
    if (rule === undefined) return readerProblem(at, entry);
    rules.set(presentReader(rule), rule);
  }
  return [...rules.values()];
}

/** Pattern of words that mean everyone, and would otherwise be accepted as a user name. */
const everybodyPattern = /^(\*|all|anyone|everybody|everyone|members|public|world)$/i;

/** Position of an entry in its list, for error messages. */
interface Entry {
  readonly field: ReadersField;
  readonly index: number;
}

function everybodyProblem(at: Entry, entry: string) {
  const instead =
    at.field === "readers"
      ? 'Omit "readers", and send "visibility": "public", "unlisted" (anyone with the link) or "members".'
      : "Name people, a domain or a group.";
  const message = `${at.field}[${at.index}] is ${JSON.stringify(entry)}, which names no person. ${instead} If a person has this user name, send "username:${entry.trim()}".`;
  return problem("invalid_arg", message, { ...at });
}

/** Pattern of words with which callers mean themselves. */
const oneselfPattern = /^(i|me|myself|self|owner|only me)$/i;

function oneselfProblem(at: Entry, entry: string) {
  const whose = at.field === "readers" ? "the drop's owner" : "the person";
  const message = `${at.field}[${at.index}] is ${JSON.stringify(entry)}, which names no person. Send the e-mail address or user name of ${whose}. If a person has this user name, send "username:${entry.trim()}".`;
  return problem("invalid_arg", message, { ...at });
}

/** Suggests a correction for a reader that would match no one, such as `@example.com` for `example.com`. */
function meantReader(text: string): string | undefined {
  const name = toLowerAscii(text.trim());
  if (Buffer.byteLength(name) > limits.readerBytesMax) return undefined;
  const [, group] = /^(?:#|groups?\/)\s*(.+)$/i.exec(text.trim()) ?? [];
  if (group !== undefined) return groupPattern.test(group) ? groupPrefix + group : undefined;
  const isPrefixed = name.startsWith(groupPrefix) || name.startsWith(usernamePrefix);
  if (isPrefixed || name.startsWith("@") || !isMistakable(name)) return undefined;
  const domain = parseEmailDomain(name.replace(/^\*@?\.?/, ""));
  return domain === undefined ? undefined : `@${domain}`;
}

function unmatchedProblem(at: Entry, name: string, meant: string) {
  const who = meant.startsWith("@") ? "anyone with an address in this domain" : "the members of this group";
  const isUsername = usernamePattern.test(name) && !name.includes("@");
  const otherwise = isUsername ? `, or "${usernamePrefix}${name}" for a person with this user name` : "";
  const message = `${at.field}[${at.index}] ${JSON.stringify(name)} would match no one. Send ${JSON.stringify(meant)} for ${who}${otherwise}.`;
  return problem("invalid_arg", message, { ...at, meant });
}

function readerProblem(at: Entry, entry: unknown) {
  const name = typeof entry === "string" ? entry.trim() : undefined;
  const bytes = Buffer.byteLength(name ?? "");
  if (bytes > limits.readerBytesMax) {
    const message = `${at.field}[${at.index}] has ${bytes} bytes in UTF-8; at most ${limits.readerBytesMax} are allowed.`;
    return problem("invalid_arg", message, { ...at, bytes_max: limits.readerBytesMax });
  }
  const given = name === undefined ? describe(entry) : JSON.stringify(name);
  return problem("invalid_arg", `${at.field}[${at.index}] ${mustBe(whatTheyAre, given)}`, { ...at });
}

/**
 * Parses an e-mail address, `@domain`, a user name with or without the prefix `username:`, or a group with the prefix `group:`. Returns
 * undefined for any other string. Only groups are case-sensitive.
 */
export function parseReader(text: string): ReaderRule | undefined {
  const name = text.trim();
  if (Buffer.byteLength(name) > limits.readerBytesMax) return undefined;
  const group = afterPrefix(name, groupPrefix);
  if (group !== undefined) return groupPattern.test(group) ? { kind: "group", group } : undefined;
  const prefixed = afterPrefix(name, usernamePrefix);
  if (prefixed !== undefined || !name.includes("@")) {
    const username = prefixed ?? name;
    if (prefixed === undefined && isMistakable(toLowerAscii(name))) return undefined;
    return usernamePattern.test(username)
      ? { kind: "username", username: toLowerAscii(username) }
      : undefined;
  }
  const domain = name.startsWith("@") ? parseEmailDomain(name.slice(1)) : undefined;
  if (domain !== undefined) return { kind: "domain", domain };
  const email = parseEmailAddress(name);
  return email === undefined ? undefined : { kind: "email", email };
}

/** Returns the text after a prefix, or undefined if the text does not have the prefix. Ignores the prefix's case. */
function afterPrefix(text: string, prefix: string): string | undefined {
  const isPrefixed = toLowerAscii(text.slice(0, prefix.length)) === prefix;
  return isPrefixed ? text.slice(prefix.length).trim() : undefined;
}
