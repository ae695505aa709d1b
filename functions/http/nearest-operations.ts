import { ApiError, joinMessages, wordsFor } from "../core/errors.ts";
import { singular } from "../core/names.ts";
import { expectedCall, sayExpected } from "./expected-call.ts";
import { comparedMax, hasSynonym, isKnownWord, wordsOfName } from "./nearest-words.ts";
import { acceptedNames, filledParameters, findNearest, isItemOf, type SentCall } from "./rank-operations.ts";
import { type HttpRequest, mediaTypeOf, parseQuery } from "./request.ts";
import type { Route } from "./route.ts";
import { fieldNamesOf, isObject, quote } from "./schemas.ts";
import { guideUrl, type Site } from "./site.ts";
import { adviceOnFields, adviceOnWords, isFieldOf, namesOfResource } from "./unknown-names.ts";
import { isReviewed } from "./warnings.ts";

/** Selects the operations that programs call. */
export function calledRows(rows: readonly Route[]): readonly Route[] {
  return rows.filter(
    ({ caller, path, resource }) =>
      caller !== "session" &&
      // Excludes the paths of the MCP registry, which its clients know, and the sign-in paths, to which browsers are redirected.
      !path.includes("{proxy+}") &&
      !path.startsWith("/api/auth/idp/") &&
      (path.startsWith("/api/") || path === "/oembed" || ["discovery", "mcp", "oauth"].includes(resource)),
  );
}

/**
 * Creates the error for an unknown method or path. The message names the nearest operations by method, words and fields, and the parameters
 * of the first one.
 *
 * @param rows the operations that programs call; empty on hosts for readers
 */
export function refuseUnknownCall(
  request: Pick<HttpRequest, "method" | "headers" | "rawQuery" | "bodyBytes">,
  asked: string,
  rows: readonly Route[],
  site: Site,
): ApiError {
  const { method } = request;
  const guide = guideUrl(site);
  // A drop's path with the suffix `.json` means the data of the drop.
  const decoded = decodeSlashes(withoutNames(asked, rows)).replace(/(\/[A-Za-z0-9]{7})\.json$/, "$1");
  const here = rows.filter(({ path }) => isAt(path, decoded));
  const allow = [...new Set(here.map((row) => row.method))].toSorted();
  const isOtherMethod = allow.length > 0 && !(allow as readonly string[]).includes(method);
  const named = decoded.replace(dropAddressInPath, "/api/drops/$1");
  const isNamed = named !== decoded && rows.some((row) => row.method === method && isAt(row.path, named));
  const fields = fieldsIn(request.bodyBytes);
  const call: SentCall = {
    method,
    asked: isNamed ? named : decoded,
    names: [...Object.keys(parseQuery(request.rawQuery)), ...fields],
    body: bodyKindOf(request),
  };
  // Calls for other resources do not change an account, so they are not suggested.
  const isOfAccount = method !== "GET" && /^\/api\/(me|account|profile)(\/|$)/.test(decoded);
  const offered = isOfAccount ? rows.filter(({ resource }) => resource === "account") : rows;
  const { nearest, words, unknown } = findNearest(call, offered, here);
  const [first] = nearest;
  const isBelow = first?.method === method && here.some(({ path }) => isItemOf(first.path, path));
  const fault = isOtherMethod
    ? `${quote(asked)} does not support ${method}${isBelow ? `. Use ${first.method} ${first.path}.` : `, only ${allow.join(", ")}.`}`
    : `There is nothing at ${quote(asked)}.${isNamed ? ` Call ${method} ${named}.` : ""}`;
  const isOfReaders = rows.length === 0;
  const isAddress = decoded.includes("://");
  const isNew = unknown.length > 0 && !isOtherMethod && !isOfReaders && !isAddress;
  const origins =
    method === "OPTIONS" ? "Browsers cannot call the API from other origins: it sends no CORS headers." : "";
  const isChange = here.length === 0 && ["POST", "PUT", "PATCH"].includes(method);
  const accepted = first ? acceptedNames(first) : [];
  const isPlainRead = method === "GET" && !isOtherMethod;
  const ofBody = isChange && typeof first?.body === "object" ? fieldNamesOf(first.body.json) : [];
  const parameter = isPlainRead
    ? fieldNamesOf(first?.query).find((name) => words.includes(name))
    : ofBody.find((name) => name === words.at(-1));
  const last = words.at(-1) ?? "";
  // In a team's path, words such as `members` mean the team's people: no missing feature, and no readers of a drop.
  const isOfTeam =
    /^\/api\/teams(\/|$)/.test(decoded) && last !== "drops" && !hasSynonym(["drop"], singular(last));
  const isPart = method === "POST" && first?.path.split("/").includes(last);
  const rule = {
    isChange: isChange && !isPart && decoded.endsWith(`/${last}`),
    isFieldless: isPlainRead || isOtherMethod,
  };
  const onWords = isOfTeam || isOfAccount ? "" : adviceOnWords(wordsOfName(call.asked), accepted, last, rule);
  const isPage = call.body === "page" && typeof first?.body === "object" && first.body.page !== undefined;
  const sentences = [
    fault,
    isOfReaders ? "Readers open pages here. Programs call /api/drops/{slug} and the addresses below it." : "",
    isNew
      ? `No call matches ${unknown.map(quote).join(", ")}${wordsFor("http", onWords) === "" ? ": there is no such feature" : ""}.`
      : "",
    onWords,
    isNew
      ? partsBelow(decoded, rows) || (nearest.length === 0 ? partsBelow(`/api${decoded}`, rows) : "")
      : "",
    origins,
    nearest.length === 0 ? "" : `Nearest: ${nearest.map(describeRow).join("; ")}.`,
    listOf(first, call.asked, rows),
    isPlainRead ? shownIn(first, last) : "",
    parameter === undefined ? "" : `Send ${quote(parameter)} with ${first?.method} ${first?.path}.`,
    isOtherMethod && first?.resource !== "account" ? "" : readOnly(nearest, method, rows),
    isOtherMethod ? unchangeable(here, method) : "",
    isOtherMethod ? onlyWritten(decoded, method, rows) : "",
    isPage ? "Send the body as it is, with its Content-Type: the fields are query parameters." : "",
    typeof first?.body === "object" && isReviewed(first)
      ? adviceOnFields("field", fields, accepted, namesOfResource[first.resource]?.intents)
      : "",
    `The guide to all calls is ${guide}.`,
  ];
  const message = wordsFor("http", joinMessages(sentences));
  const pathParameters = first ? filledParameters(first, call.asked) : {};
  const expected = first && isReviewed(first) ? expectedCall(first, { pathParameters }) : undefined;
  const details = {
    ...(isOtherMethod ? { allow } : {}),
    nearest: nearest.map((row) => `${row.method} ${row.path}`),
    guide,
    ...(expected && { expected }),
  };
  const said =
    first && expected ? sayExpected(message, expected, `${first.method} ${first.path}`, parameter) : message;
  return isOtherMethod
    ? new ApiError("method_not_allowed", { message: said, details, allow })
    : new ApiError("not_found", { message: said, details });
}

function describeRow({ method, path, summary }: Route): string {
  return `${method} ${path} (${summary})`;
}

/** Returns a hint that a path is write-only, with the field of the parent resource that shows its state. */
function onlyWritten(asked: string, method: string, rows: readonly Route[]): string {
  const [, parent = "", part = ""] = /^(.+)\/([a-z]+)$/.exec(asked) ?? [];
  const whole = rows.find((row) => row.method === "GET" && isAt(row.path, parent));
  if (method !== "GET" || whole === undefined || !("json" in whole.response)) return "";
  const field = fieldNamesOf(whole.response.json).find((name) => name !== part && isFieldOf(name, part));
  return field === undefined
    ? ""
    : `The ${part} can be set, but is never returned. ${quote(field)} in ${whole.method} ${whole.path} shows its state.`;
}

const ofAccounts =
  "No call changes or deletes an account: its name comes from the sign-in, it has no password, and only the service's operator deletes it.";

/** Says that the nearest path is read-only, if the caller wants to change it. */
function readOnly(nearest: readonly Route[], method: string, rows: readonly Route[]): string {
  const [first] = nearest;
  const isRead = method === "GET" || method === "HEAD";
  const isChanged = [
    ...nearest,
    ...rows.filter(({ path }) => path === first?.path || isItemOf(path, `${first?.path}`)),
  ].some((row) => row.method !== "GET");
  if (first === undefined || isRead || isChanged) return "";
  return `${first.path} can only be read.${first.resource === "account" ? ` ${ofAccounts}` : ""}`;
}

const ofTeams =
  "POST /api/teams creates a team. No call renames or deletes a team. Only the service's operator deletes it.";

/** Says that no call changes or deletes an item, if the caller wants to change or delete it. */
function unchangeable(here: readonly Route[], method: string): string {
  const [{ path = "", resource } = {}] = here;
  if (!path.endsWith("}")) return "";
  if (path.endsWith("{namespace}") && resource === "teams") return ofTeams;
  if (method === "DELETE") return "No call deletes it.";
  const isChanged = here.some((row) => row.method === "PATCH" || row.method === "PUT");
  return isChanged || !["PATCH", "PUT"].includes(method) ? "" : "It can't be changed after it was created.";
}

/** Names the response field that the last word of a path means, such as `readers` for `/shares`. */
function shownIn(first: Route | undefined, word: string): string {
  if (first?.method !== "GET" || !("json" in first.response) || !first.path.endsWith("}")) return "";
  const field = fieldNamesOf(first.response.json).find((name) => name === word || isFieldOf(word, name));
  return field === undefined ? "" : `GET ${first.path} responds with ${quote(field)}.`;
}

/** Names the call that lists the items of the nearest call, if the path contains no id of an item. */
function listOf(first: Route | undefined, asked: string, rows: readonly Route[]): string {
  const list = rows.find(({ method, path }) => method === "GET" && isItemOf(first?.path ?? "", path));
  const isNamed = first !== undefined && Object.keys(filledParameters(first, asked)).length > 0;
  return list === undefined || isNamed ? "" : `GET ${list.path} lists them.`;
}

/** Lists the words that can follow the longest known prefix of a path. */
function partsBelow(asked: string, rows: readonly Route[]): string {
  const segments = asked.split("/").slice(0, comparedMax);
  const paths = rows.map(({ path }) => path.split("/"));
  for (let length = segments.length - 1; length > 1; length -= 1) {
    const start = segments.slice(0, length).join("/");
    const below = paths.filter((own) => own.length > length && isAt(own.slice(0, length).join("/"), start));
    const words = below.flatMap((own) => own[length] ?? []).filter((word) => !word.startsWith("{"));
    const known = below[0]?.slice(0, length).join("/");
    if (words.length > 0) return `Below ${known} are ${[...new Set(words)].toSorted().join(", ")}.`;
    if (known !== undefined) return "";
  }
  return "";
}

/** Lists the field names of a JSON body in memory. */
function fieldsIn(body: Uint8Array | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(body ?? []).toString());
    return isObject(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

/** Recognizes a file, a page or a text in the body by its media type. */
function bodyKindOf(request: Pick<HttpRequest, "headers" | "bodyBytes">): SentCall["body"] {
  const type = mediaTypeOf(request);
  if (/^text\/(csv|css|calendar|javascript)$/.test(type)) return "file";
  if (/^(image|video|audio|font|multipart)\/|\/pdf$|octet-stream$/.test(type)) return "file";
  if ((request.bodyBytes?.byteLength ?? 0) === 0) return undefined;
  if (type === "text/plain") return "text";
  return /^text\/(html|markdown)$|zip/.test(type) ? "page" : "other";
}

function decodeSlashes(asked: string): string {
  return asked.replaceAll(/%3A/gi, ":").replaceAll(/%2F/gi, "/");
}

/** Replaces the names of teams and people in a path with parameter names, because a name may be any word. */
function withoutNames(asked: string, rows: readonly Route[]): string {
  const segments = asked.split("/").slice(0, comparedMax);
  for (const { path } of rows) {
    const own = path.split("/");
    const at = own.findLastIndex((part) => /^\{(namespace|reader)\}$/.test(part));
    const isBelow = own.slice(0, at).every((part, place) => part === segments[place]);
    if (at > 0 && isBelow && segments[at]) segments[at] = own[at] ?? "";
  }
  return [...segments, ...asked.split("/").slice(comparedMax)].join("/");
}

/** A drop's URL or path that was sent instead of the slug. */
const dropAddressInPath = /^\/api\/drops\/(?:https?:\/\/?[^/]+)?\/*[dp]\/([A-Za-z0-9]{7})(?:\/raw)?(?=\/|$)/;

/** Lengths of slugs and ids, which may consist only of lower-case letters. */
const idLengths = [7, 12, 16];

/**
 * Compares a sent path with an operation's path. Words do not count as slugs, ids or numbers: `/api/trash/empty` does not name a drop in
 * the trash.
 */
function isAt(path: string, asked: string): boolean {
  const expected = path.split("/");
  const sent = asked.split("/");
  const isSame = (part: string, at: number) => {
    const one = sent[at] ?? "";
    return part.startsWith("{") ? one !== "" && !isWord(one) && !one.includes(".") : part === one;
  };
  return sent.length === expected.length && expected.every(isSame);
}

function isWord(segment: string): boolean {
  const isPlain = /^[a-z]+(?:[-_][a-z]+)*$/.test(segment);
  return isPlain && (!idLengths.includes(segment.length) || isKnownWord(segment));
}
