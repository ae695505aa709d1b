import * as z from "zod/mini";
import { environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { accepts, describe, type ProblemParams, problem } from "../http/schemas.ts";
import type { RawItem } from "../table/table.ts";

/** RFC 5321, section 4.5.3.1.3: a path has 256 characters, two of which are its brackets. */
const charactersMax = 254;

/** Dot-string of RFC 5321, section 4.1.2. Quoted local parts are not accepted. */
const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;

const domainName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/**
 * An e-mail address as it is compared, in lower case; undefined for a text that is none. Of ASCII alone: a letter that
 * looks like another makes another address.
 */
export function parseEmailAddress(text: string): string | undefined {
  const address = toLowerAscii(text.trim());
  const at = address.indexOf("@");
  const isAddress = at > 0 && localPart.test(address.slice(0, at)) && domainName.test(address.slice(at + 1));
  return isAddress && address.length <= charactersMax ? address : undefined;
}

/** A domain of e-mail addresses as it is compared; undefined for a text that is none. An encoded name (`xn--`) is one. */
export function parseEmailDomain(text: string): string | undefined {
  const domain = toLowerAscii(text.trim());
  return domainName.test(domain) && domain.length <= charactersMax ? domain : undefined;
}

/** Domain of an address. */
export function emailDomainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

/** A user name as it is compared. */
export function foldUsername(username: string): string {
  return toLowerAscii(username.trim());
}

/** Recognizes a user name that looks like an e-mail address, also by a wide or small at sign: only a verified address proves it. */
export function isAddressLike(userName: string): boolean {
  return userName.normalize("NFKC").includes("@");
}

/** Without the letters of other scripts, of which some have an ASCII letter as their lower case: the Kelvin sign has. */
export function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Readers whom an owner has named: a verified e-mail address, everybody's at a domain, a user name, or the people in a group. All but
 * groups are in lower case.
 */
export type ReaderRule =
  | { readonly kind: "email"; readonly email: string }
  | { readonly kind: "domain"; readonly domain: string }
  | { readonly kind: "username"; readonly username: string }
  | { readonly kind: "group"; readonly group: string };

/** Usernames at providers, without characters that separate or disguise names. Those with an at sign take the prefix. */
const usernamePattern = /^[^\s,;:<>()[\]\\"\p{C}]+$/u;

const usernamePrefix = "username:";
const groupPrefix = "group:";

/** Groups at providers: any text of one line. */
const groupPattern = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u;

const whatTheyAre =
  'an e-mail address such as "ada@example.com", everybody at a domain such as "@example.com", a user name such as "username:ada", or a group such as "group:engineering"';

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
    const message = `readers must be an array of 1 to ${most} e-mail addresses, @domains, user names or groups, beside "visibility": "people", but ${came}.`;
    return problem("invalid_arg", message, { field: "readers", readers_max: most });
  }
  const rules = new Map<string, ReaderRule>();
  for (const [index, entry] of input.entries()) {
    if (isEverybody(entry)) return everybodyProblem(index, entry);
    const rule = typeof entry === "string" ? parseReader(entry) : undefined;
    if (rule === undefined) return readerProblem(index, entry);
    rules.set(presentReader(rule), rule);
  }
  return [...rules.values()];
}

/** Words for everybody, which would be taken for a user name. */
function isEverybody(entry: unknown): entry is string {
  return (
    typeof entry === "string" &&
    /^(\*|all|anyone|everybody|everyone|members|public|world)$/i.test(entry.trim())
  );
}

function everybodyProblem(index: number, entry: string) {
  const message = `readers[${index}] is ${JSON.stringify(entry)}, which names no person. Leave readers out and send visibility: "public", "unlisted" (everybody with the link), or "members". A person with this user name is "username:${entry.trim()}".`;
  return problem("invalid_arg", message, { field: "readers", index });
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

/**
 * Reads an e-mail address, `@domain`, a user name with or without `username:`, or `group:` and a group. Undefined for anything else, and
 * for longer texts. Only groups are compared in the case that they are written in.
 */
export function parseReader(text: string): ReaderRule | undefined {
  const name = text.trim();
  if (Buffer.byteLength(name) > limits.readerBytesMax) return undefined;
  const group = afterPrefix(name, groupPrefix);
  if (group !== undefined) return groupPattern.test(group) ? { kind: "group", group } : undefined;
  const prefixed = afterPrefix(name, usernamePrefix);
  if (prefixed !== undefined || !name.includes("@")) {
    const username = prefixed ?? name;
    return usernamePattern.test(username)
      ? { kind: "username", username: toLowerAscii(username) }
      : undefined;
  }
  const domain = name.startsWith("@") ? parseEmailDomain(name.slice(1)) : undefined;
  if (domain !== undefined) return { kind: "domain", domain };
  const email = parseEmailAddress(name);
  return email === undefined ? undefined : { kind: "email", email };
}

/** The text behind a prefix in any case; undefined for texts without it. */
function afterPrefix(text: string, prefix: string): string | undefined {
  const isPrefixed = toLowerAscii(text.slice(0, prefix.length)) === prefix;
  return isPrefixed ? text.slice(prefix.length).trim() : undefined;
}

/** The reader rule of a text that `presentReader` has made. */
export function toReaderRule(text: string): ReaderRule {
  if (text.startsWith(groupPrefix)) return { kind: "group", group: text.slice(groupPrefix.length) };
  if (text.startsWith(usernamePrefix))
    return { kind: "username", username: text.slice(usernamePrefix.length) };
  const at = text.lastIndexOf("@");
  if (at === -1) return { kind: "username", username: text };
  return at === 0 ? { kind: "domain", domain: text.slice(1) } : { kind: "email", email: text };
}

/** A reader rule as it is written: `ada@example.com`, `@example.com`, `ada` or `group:engineering`. */
export function presentReader(rule: ReaderRule): string {
  switch (rule.kind) {
    case "email":
      return rule.email;
    case "domain":
      return `@${rule.domain}`;
    case "username":
      // Only the prefix tells a user name with an at sign from an address.
      return rule.username.includes("@") ? usernamePrefix + rule.username : rule.username;
    case "group":
      return groupPrefix + rule.group;
  }
}

/** From the most open to the least. */
export const visibilityKinds = ["public", "unlisted", "members", "people"] as const;

/** Kind of visibility: docs/adr/0040-drop-visibility.md. */
export type VisibilityKind = (typeof visibilityKinds)[number];

/**
 * Readers of a drop or file. `public`: anybody. `unlisted`: anybody with the URL, which the owner's page does not
 * list. `members`: everybody who may publish here. `people`: readers that a rule names. The owner can always read.
 */
export type Visibility =
  | { readonly kind: "public" }
  | { readonly kind: "unlisted" }
  | { readonly kind: "members" }
  | { readonly kind: "people"; readonly readers: readonly ReaderRule[] };

/** Visibility fields that an owner can change; undefined leaves a field as it is. */
export interface VisibilityChange {
  readonly visibility?: VisibilityKind | undefined;
  readonly readers?: readonly ReaderRule[] | undefined;
}

/** Kind of thing that a refusal names. */
type What = "drop" | "file";

/** Recognizes a visibility that needs no sign-in. Passcodes are checked elsewhere. */
export function isOpenToAll({ visibility }: { readonly visibility: Visibility }): boolean {
  return visibility.kind === "public" || visibility.kind === "unlisted";
}

/** Recognizes a visibility whose reads are recorded: readers have signed in, and the operator has turned the read trail on. */
export function isTrailed(thing: { readonly visibility: Visibility }): boolean {
  return hasReadTrail() && !isOpenToAll(thing);
}

/** Tells whether the operator has turned the read trail on. */
export function hasReadTrail(): boolean {
  return findEnvironment(environmentNames.readTrailDays) !== undefined;
}

/**
 * Visibility after a change. Named readers stay until they are replaced.
 *
 * @throws ApiError `invalid_arg` for readers without effect, and for `people` without readers
 */
export function changedVisibility(
  current: Visibility,
  { visibility = current.kind, readers }: VisibilityChange,
  what: What = "drop",
): Visibility {
  if (visibility !== "people") {
    if (readers === undefined) return { kind: visibility };
    throw new ApiError("invalid_arg", {
      message: `readers needs visibility "people", but this ${what} has "${visibility}". Send "visibility": "people" too, or leave out readers.`,
      details: { field: "readers", visibility },
    });
  }
  const named = readers ?? (current.kind === "people" ? current.readers : []);
  if (named.length > 0) return { kind: "people", readers: named };
  throw new ApiError("invalid_arg", {
    message: `visibility "people" needs readers. Send 1 to ${limits.readersPerDropMax} e-mail addresses, @domains, user names or groups with it.`,
    details: { field: "readers" },
  });
}

/**
 * Visibility of a new drop or file: the owner's, or else the operator's default.
 *
 * @throws ApiError `invalid_arg` as `changedVisibility` does, and for more than the operator allows
 */
export function newVisibility(
  { visibility = visibilityDefault(), readers }: VisibilityChange,
  what: What = "drop",
): Visibility {
  const chosen = changedVisibility({ kind: "public" }, { visibility, readers }, what);
  requireAllowed(chosen, what);
  return chosen;
}

/**
 * Lets a write through that leaves something no more open than the operator allows. What was so before stays as it is until
 * it is written.
 *
 * @throws ApiError `invalid_arg`
 */
export function requireAllowed({ kind }: Pick<Visibility, "kind">, what: What = "drop"): void {
  const allowed = allowedVisibilityKinds();
  if (allowed.includes(kind)) return;
  const choice = allowed.map((one) => `"${one}"`).join(", ");
  throw new ApiError("invalid_arg", {
    message: `The ${what} would be "${kind}", which is more open than this service allows. Send visibility as one of: ${choice}.`,
    details: { field: "visibility", allowed },
  });
}

/** The most open that the operator lets anything be. */
export function mostOpenVisibility(): VisibilityKind {
  return (findEnvironment(environmentNames.mostOpenVisibility) ?? "public") as VisibilityKind;
}

/** Kinds of visibility that the operator allows, the most open first. */
export function allowedVisibilityKinds(): readonly VisibilityKind[] {
  return visibilityKinds.slice(visibilityKinds.indexOf(mostOpenVisibility()));
}

/** Default visibility of the service. */
export function visibilityDefault(): VisibilityKind {
  return (findEnvironment(environmentNames.defaultVisibility) ?? "public") as VisibilityKind;
}

/** Attributes of a visibility. Public items have none, like those from before visibilities existed. */
export function visibilityAttributes(visibility: Visibility): Record<string, unknown> {
  switch (visibility.kind) {
    case "public":
      return {};
    case "people":
      return { visibility: "people", readers: visibility.readers.map(presentReader) };
    case "unlisted":
    case "members":
      return { visibility: visibility.kind };
  }
}

/** Reads an item's visibility. Unknown values, from newer versions of the service, allow the owner only. */
export function toVisibility({
  visibility = "public",
  readers,
}: Readonly<Record<string, unknown>>): Visibility {
  switch (visibility) {
    case "public":
    case "unlisted":
    case "members":
      return { kind: visibility };
    default:
      return { kind: "people", readers: ((readers ?? []) as string[]).map(toReaderRule) };
  }
}

/** The fields that say on the wire who may read something. */
export function presentVisibility(visibility: Visibility): {
  readonly visibility: VisibilityKind;
  readonly readers?: string[];
  readonly readable_by: string;
} {
  const { kind } = visibility;
  const words = describeReaders(visibility);
  if (kind !== "people") return { visibility: kind, readable_by: words };
  return { visibility: kind, readers: visibility.readers.map(presentReader), readable_by: words };
}

/** Readers that a description names. It says how many more there are: lists of drops would be too long otherwise. */
const describedMax = 4;

/** Says in words who may read something, such as "ada@example.com and people in engineering". */
export function describeReaders(visibility: Visibility): string {
  switch (visibility.kind) {
    case "public":
      return "anybody";
    case "unlisted":
      return "anybody who has the link";
    case "members":
      return "members of this service";
    case "people": {
      const named = visibility.readers.slice(0, describedMax).map(describeReader);
      const more = visibility.readers.length - named.length;
      const all = more === 0 ? named : [...named, more === 1 ? "1 other" : `${more} others`];
      return all.length === 0 ? "nobody but the owner" : new Intl.ListFormat("en").format(all);
    }
  }
}

/** Says in words whom a rule names. */
export function describeReader(rule: ReaderRule): string {
  switch (rule.kind) {
    case "email":
      return rule.email;
    case "domain":
      return `everybody at ${rule.domain}`;
    case "username":
      return `the user ${rule.username}`;
    case "group":
      return `people in ${rule.group}`;
  }
}

/** A drop or a file, which may expire: docs/adr/0093-drop-expiry.md. */
export interface Expiring {
  /** From then on it is not found, in Unix milliseconds. @default - never */
  readonly expiresAtMs?: number | undefined;
}

/** Recognizes what has expired. It is checked at each read. */
export function isExpired({ expiresAtMs }: Expiring, nowMs: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}

/** Recognizes the row of what has expired. */
export function isExpiredRow({ expiresAtMs }: RawItem, nowMs: number): boolean {
  return expiresAtMs !== undefined && isExpired({ expiresAtMs: Number(expiresAtMs.N) }, nowMs);
}

/** The time for which a response may be cached, or an address may work: so many seconds, or less if its subject expires before. */
export function secondsUntilExpiry(
  { expiresAtMs = Number.POSITIVE_INFINITY }: Expiring,
  nowMs: number,
  secondsMax: number,
): number {
  return Math.min(secondsMax, Math.max(0, Math.floor((expiresAtMs - nowMs) / 1000)));
}
