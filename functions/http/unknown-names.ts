import { edgeHeaders } from "../core/environment.ts";
import { ApiError, joinMessages, type Message, wordsFor } from "../core/errors.ts";
import { findSimilarName, normalizeName, singular, wordsIn } from "../core/names.ts";
import {
  absentFeatures,
  callsByField,
  fieldIntents,
  type Intent,
  signInIntents,
  synonyms,
  visibility,
} from "./intents.ts";
import type { HttpRequest } from "./request.ts";
import type { Route } from "./route.ts";
import { isObject, patterns, quote, shownCharactersMax } from "./schemas.ts";

/** Names of fields or parameters in a request, and the names that the call accepts. */
export interface GivenNames {
  readonly kind: "field" | "query parameter" | "argument";
  readonly given: readonly string[];
  readonly known: readonly string[];
  /** Values of the given names. @default - unknown */
  readonly values?: Readonly<Record<string, unknown>>;
  /** Required names that the request lacks. The caller may have sent an unknown name instead. @default - none */
  readonly missing?: readonly string[];
  /** Possible meanings of unknown names. @default - `fieldIntents` */
  readonly intents?: readonly Intent[];
  /** Other calls to suggest, by the name of the field or parameter that they accept. @default - `callsByField` */
  readonly calls?: Readonly<Record<string, Message>>;
  /** Read-only fields of the response, and advice for callers who send these fields. @default - none */
  readonly echoed?: { readonly fields: readonly string[]; readonly advice: string };
}

/** Name of an unknown field or parameter in a request, and advice for the caller. */
export interface UnknownName {
  readonly name: string;
  readonly advice: Message;
  /** @default - the name is ignored with a warning */
  readonly isRefused?: true;
  /** The known name that the caller probably meant. @default - unclear */
  readonly means?: string;
  /** The advice is general, such as the list of known names. @default - the advice is about this name */
  readonly isUnexplained?: true;
}

/** Names that callers use for the expiry of a team's service token. Such a token's expiry is only given in days. */
const expiryInDays = fieldIntents
  .filter(({ field }) => field === "expires_in_days")
  .map(({ advice: _, ...intent }) => intent);

/** Meanings of unknown names, and calls to suggest, for resources whose bodies do not describe a drop. */
export const namesOfResource: Partial<Record<Route["resource"], Pick<GivenNames, "intents" | "calls">>> = {
  auth: { intents: signInIntents, calls: {} },
  blobs: { calls: {} },
  teams: { intents: expiryInDays, calls: { members: "PUT /api/teams/{namespace}/members/{reader}" } },
};

/** Maximum number of unknown names in a request, because each is compared with all known names. */
export const unknownMax = 100;

/** Maximum number of names in a message. */
const shownMax = 10;

/**
 * Fields that determine who may read or edit, for how long, and which drop is written. A misspelling of these names is refused instead of
 * ignored.
 */
const restricting = "passcode visibility readers expires_at expires_in_days scope owners editors slug".split(
  " ",
);

/** Finds the known name that a caller means by another spelling, by another service's name, or by a misspelling. */
export function findMeantName(name: string, known: readonly string[]): string | undefined {
  const normalized = normalizeName(name);
  return (
    known.find((one) => normalizeName(one) === normalized) ??
    known.find((one) => hasSynonym(one, normalized)) ??
    // A name that other services use for another field is not a misspelling.
    (Object.keys(synonyms).some((field) => hasSynonym(field, normalized))
      ? undefined
      : findMisspelled(name, known))
  );
}

/**
 * Finds a similar known name. If both names have several words, and equally many, each word must be similar: `allow_scripts` does not match
 * `allow_secrets`.
 */
function findMisspelled(name: string, known: readonly string[]): string | undefined {
  const words = wordsIn(name);
  const alike = known.filter((one) => {
    const own = wordsIn(one);
    return (
      words.length < 2 ||
      own.length !== words.length ||
      own.every((word, at) => findSimilarName(words[at] ?? "", [word]) !== undefined)
    );
  });
  return findSimilarName(normalizeName(name), alike);
}

/** Explains each unknown name in a request. @throws ApiError if there are more than `unknownMax` unknown names */
export function explainNames(names: GivenNames): readonly UnknownName[] {
  const { kind, given, known } = names;
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length > unknownMax)
    throw new ApiError("invalid_arg", {
      message: `The request was refused because it has ${unknown.length} unknown ${kind}s. At most ${unknownMax} are ignored. ${listKnown(names)}`,
    });
  return unknown.map((name) => explainName(name, names));
}

/** Matches values of a field that declare the page to be Markdown. */
const markdownType = /^(text\/)?(x-)?(markdown|md)$/;

function explainName(name: string, names: GivenNames): UnknownName {
  const { kind, known, missing = [], intents = fieldIntents, calls = callsByField, echoed } = names;
  const normalized = normalizeName(name);
  const value = names.values?.[name];
  const inside = isObject(value) ? known.filter((one) => Object.hasOwn(value, one)) : [];
  if (inside.length > 0) return explainWrapper(name, inside, missing);
  if (known.includes("html") && markdownType.test(String(value))) return { name, advice: asMarkdown };
  if (known.includes("html") && /^(markdown|md)$/.test(normalized))
    return { name, advice: asMarkdown, isRefused: true, means: "html" };
  const absent = missing.find((one) => hasSynonym(one, normalized));
  if (absent !== undefined)
    return { name, advice: `Send it as ${quote(absent)}.`, isRefused: true, means: absent };
  const [, outer = "", inner = ""] = /^(\w+)(?:\.|\[["']?)([\w-]+)/.exec(name) ?? [];
  if (kind !== "query parameter" && known.includes(outer))
    return { name, advice: `Send ${quote(outer)}: {${quote(inner)}: …}, an object.`, isRefused: true };
  const meant = findMeantName(name, known);
  const candidates = intents.filter(
    (one) => isNamed(one, name, normalized) && names.values?.[one.unless ?? ""] === undefined,
  );
  const intent =
    candidates.find(({ field = "" }) => known.includes(field)) ??
    candidates.find(
      ({ advice, field }) => (advice !== undefined && field === undefined) || calls[field ?? ""],
    ) ??
    candidates[0];
  if (meant !== undefined && (normalizeName(meant) === normalized || intent === undefined))
    return didYouMean(name, meant, missing, value);
  if (
    calls[name] === undefined &&
    echoed?.fields.some((one) => one === normalized || hasSynonym(one, normalized))
  )
    return { name, advice: echoed.advice };
  const { field = "", advice, isIgnored } = intent ?? {};
  if (known.includes(field))
    return { name, advice: advice ?? `Send ${quote(field)}.`, isRefused: true, means: field };
  const own = hasSynonym("html", normalized) && meant === undefined ? "html" : name;
  const elsewhere = field === "" || calls[name] !== undefined ? own : field;
  if (intent === undefined && calls[elsewhere] === undefined)
    return { name, advice: placeElsewhere(name, names) ?? listKnown(names), isUnexplained: true };
  const isHere = field === "" || calls[field] !== undefined;
  const isOrder = field.startsWith("sort") && calls[elsewhere] === undefined;
  const fixed = isOrder ? "The order of this call's results is fixed." : "";
  const said = joinMessages([(isHere && advice) || "", fixed, sendWith(calls[elsewhere], elsewhere)]);
  return { name, advice: said, ...(isIgnored ? {} : { isRefused: true }) };
}

/** Explains an unknown field whose value is an object with known fields, such as `{"page": {"html": "…"}}`. */
function explainWrapper(name: string, inside: readonly string[], missing: readonly string[]): UnknownName {
  const [means = ""] = [...inside.filter((one) => missing.includes(one)), ...inside];
  const advice = `Send ${inside.slice(0, shownMax).map(quote).join(", ")} beside the other fields, not inside ${quote(name)}.`;
  const isRefused = inside.some((one) => restricting.includes(one) || missing.includes(one));
  return { name, advice, means, ...(isRefused ? { isRefused } : {}) };
}

/** Returns advice to put an unknown value into the page or into metadata. */
function placeElsewhere(name: string, { kind, known, values }: GivenNames): string | undefined {
  if (kind === "query parameter" || !known.includes("metadata")) return undefined;
  // A boolean is probably meant as a setting, not as a fact about the page.
  if (typeof values?.[name] === "boolean")
    return `There is no such setting. ${listKnown({ kind, known, given: [] })}`;
  const key = patterns.metadataKey.test(name) ? name : "<key>";
  const inPage = known.includes("html") ? "To show the value to readers, put it in the html. " : "";
  return `${inPage}To keep it with the drop, send "metadata": {${quote(key)}: "…"}.`;
}

function didYouMean(name: string, means: string, missing: readonly string[], value: unknown): UnknownName {
  const tag = [value ?? "…"].flat().join(", ");
  const shape =
    means === "metadata" && !isObject(value) ? `: {${quote(normalizeName(name))}: ${quote(tag)}}` : "";
  const named = { name, advice: `Did you mean ${quote(means)}${shape}?`, means };
  return restricting.includes(means) || missing.includes(means) ? { ...named, isRefused: true } : named;
}

/** Finds advice for a word that means an absent feature. */
export function findAbsent(word: string): Message | undefined {
  return Object.entries(absentFeatures).find(([key]) => key.split(" ").includes(singular(word)))?.[1];
}

function hasSynonym(field: string, normalized: string): boolean {
  return synonyms[field]?.split(" ").includes(normalized) ?? false;
}

/** Returns true if a name means an intent. `normalized` is the name in lower case and without separators. */
export function isNamed({ names, words }: Intent, name: string, normalized: string): boolean {
  const telling = words?.split(" ") ?? [];
  return (
    names.split(" ").includes(normalized) ||
    telling.includes(normalized) ||
    wordsIn(name).some((word) => telling.includes(word) || telling.includes(singular(word)))
  );
}

const asMarkdown: Message = {
  http: "Send Markdown as the body itself, with Content-Type: text/markdown, and the title as its first heading or in ?title=.",
  tool: "Convert the Markdown to HTML. To publish a Markdown file instead, call start_publish and change text/html to text/markdown in the returned command.",
};

/** Returns the sentence that a field belongs to another call. */
export function sendWith(call: Message | undefined, field: string): Message {
  if (call === undefined) return "";
  const sentence = (audience: "http" | "tool") => `Send ${quote(field)} with ${wordsFor(audience, call)}.`;
  return { http: sentence("http"), tool: sentence("tool") };
}

function listKnown({ kind, known }: GivenNames): string {
  return known.length === 0 ? `This call has no ${kind}s.` : `Known ${kind}s: ${known.join(", ")}.`;
}

/** Returns sentences about unknown names. Names with the same advice share a sentence. */
export function sentencesOf(
  kind: GivenNames["kind"],
  names: readonly UnknownName[],
  outcome = "",
): readonly Message[] {
  const groups = Map.groupBy(names.slice(0, unknownMax), ({ advice }) => JSON.stringify(advice));
  const sorted = [...groups.values()].toSorted((a, b) => Number(isRefusal(b)) - Number(isRefusal(a)));
  return sorted.flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const shown = [first, ...others].slice(0, shownMax).map(({ name }) => quote(name));
    const plural = shown.length > 1 ? "s" : "";
    // Omits the list of known names, because the error ends with all names that the call accepts.
    const advice = first.isUnexplained && outcome === "" ? "" : first.advice;
    return [joinMessages([`Unknown ${kind}${plural} ${shown.join(", ")}${outcome}.`, advice])];
  });
}

function isRefusal(names: readonly UnknownName[]): boolean {
  return names.some(({ isRefused }) => isRefused === true);
}

/**
 * Warns about unknown names, which are ignored.
 *
 * @param areAlone true if the request has only unknown names
 * @throws ApiError with all unknown names, if one of them must not be ignored, or if the request has only unknown names and the meaning of
 * one is clear
 */
export function reviewNames(names: GivenNames, areAlone = false): readonly Message[] {
  const explained = explainNames(names);
  if (explained.length === 0) return [];
  if (isRefusal(explained) || (areAlone && explained.some(({ means }) => means !== undefined)))
    throw refusalOf(names.kind, explained);
  const shown = explained.slice(0, shownMax);
  const last = shown.findLast(({ isUnexplained }) => isUnexplained);
  return shown.map((one) =>
    joinMessages([
      ...sentencesOf(names.kind, [one], " was ignored"),
      one.means === undefined ? "" : sendWith((names.calls ?? callsByField)[one.means], one.means),
      one === last ? listKnown(names) : "",
    ]),
  );
}

/** Creates the error for a request with unknown names. */
export function refusalOf(kind: GivenNames["kind"], explained: readonly UnknownName[]): ApiError {
  const [first] = explained.toSorted((a, b) => Number(b.isRefused ?? false) - Number(a.isRefused ?? false));
  const parameter = kind === "query parameter" ? "parameter" : "field";
  return new ApiError("invalid_arg", {
    message: joinMessages(sentencesOf(kind, explained)),
    details: {
      [parameter]: first?.name.slice(0, shownCharactersMax),
      ...(first?.means && { did_you_mean: first.means }),
    },
  });
}

/**
 * Refuses headers that would be ignored although they change the meaning of the call, such as a header that overrides the method.
 *
 * @throws ApiError `invalid_arg` with the right place for the header's data
 */
export function refuseHeaders(
  route: Route,
  { headers }: Pick<HttpRequest, "headers">,
  known: readonly string[],
): void {
  const { caller, method, headers: taken = [] } = route;
  if (caller !== "token") return;
  const explained = Object.keys(headers).flatMap((name) => {
    const isCondition = name === "if-match" && method !== "GET" && !taken.includes("If-Match");
    const advice = isCondition
      ? "This call does not support conditional requests: leave the header out."
      : adviceOnHeader(name, method, known);
    const header = (name === edgeHeaders.method ? headers[name]?.[0] : name) ?? name;
    return advice === undefined ? [] : [{ header, advice }];
  });
  const [first] = explained;
  if (first === undefined) return;
  const sentences = explained.map(({ header, advice }) =>
    joinMessages([`The header ${quote(header)} has no effect here.`, advice]),
  );
  throw new ApiError("invalid_arg", {
    message: joinMessages(sentences),
    details: { header: first.header.slice(0, shownCharactersMax) },
  });
}

/**
 * Advice for headers whose data belongs in the body, the query or another header. Headers that are not listed, such as `x-title`, mean the
 * field with the same name.
 */
const headerIntents: Readonly<Record<string, string>> = {
  "x-dropleaf-method x-http-method-override x-http-method x-method-override":
    "Use the HTTP method itself, such as curl -X DELETE: X-HTTP-Method-Override and similar headers are not supported.",
  "if-none-match if-unmodified-since":
    "To change only the version that you have read, send its ETag as If-Match.",
  "content-range upload-offset upload-length":
    "Send the file whole. POST /api/blobs/uploads accepts large files.",
  "x-idempotency-key x-idempotency": "To repeat a call safely, send the header Idempotency-Key.",
  "slug x-slug x-id x-path": "The service chooses the address. PUT /api/drops/{slug} adds a version.",
  "x-amz-acl x-goog-acl": visibility,
};

function adviceOnHeader(header: string, method: string, known: readonly string[]): Message | undefined {
  const [names, advice] =
    Object.entries(headerIntents).find(([key]) => key.split(" ").includes(header)) ?? [];
  if (names !== undefined && (method !== "GET" || names.includes("method"))) return advice;
  const [, name] = /^x-(?:(?:amz|goog|ms)-)?(.+)$/.exec(header) ?? [];
  if (name === undefined || method === "GET") return undefined;
  const normalized = normalizeName(name);
  const means = /^(meta-.+|tags?)$/.test(name)
    ? "metadata"
    : fieldIntents.find((one) => one.field !== undefined && isNamed(one, name, normalized))?.field;
  const field = known.find((one) => normalizeName(one) === normalized) ?? means;
  if (field === undefined) return undefined;
  if (!known.includes(field)) return sendWith(callsByField[field], field);
  return `Send ${quote(field)} as a field of the JSON body. If the body is a page or file, send it as a query parameter, such as ?title=….`;
}
