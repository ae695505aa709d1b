import { type HttpRequest, mediaTypeOf, parseQuery } from "../http/request.ts";
import type { Route } from "../http/route.ts";
import { isObject } from "../http/schemas.ts";
import { comparedMax, isKnownWord } from "./nearest-words.ts";
import { findNearest, type SentCall } from "./rank-operations.ts";

/** A call with an unknown method or path, and the operations that it may mean. */
export type UnknownCall = ReturnType<typeof readUnknownCall>;

/** Reads a call with an unknown method or path, and finds the operations that it may mean. */
export function readUnknownCall(
  request: Pick<HttpRequest, "method" | "headers" | "rawQuery" | "bodyBytes">,
  asked: string,
  rows: readonly Route[],
) {
  const { method } = request;
  // A drop's path with the suffix `.json` means the data of the drop.
  const path = withoutNames(asked, rows)
    .replaceAll(/%3A/gi, ":")
    .replaceAll(/%2F/gi, "/")
    .replace(/(\/[A-Za-z0-9]{7})\.json$/, "$1");
  const here = rows.filter((row) => isAt(row.path, path));
  const allow = [...new Set(here.map((row) => row.method))].toSorted();
  const isOtherMethod = allow.length > 0 && !(allow as readonly string[]).includes(method);
  const named = path.replace(dropAddressInPath, "/api/drops/$1");
  const hasAddress = named !== path && rows.some((row) => row.method === method && isAt(row.path, named));
  const fields = fieldsIn(request.bodyBytes);
  const sent: SentCall = {
    method,
    asked: hasAddress ? named : path,
    names: [...Object.keys(parseQuery(request.rawQuery)), ...fields],
    body: bodyKindOf(request),
  };
  // Suggests only operations on the account for a call that would change the account.
  const isOfAccount = method !== "GET" && /^\/api\/(me|account|profile)(\/|$)/.test(path);
  const offered = isOfAccount ? rows.filter(({ resource }) => resource === "account") : rows;
  return {
    ...sent,
    ...findNearest(sent, offered, here),
    /** The decoded path, with parameter names in place of the names of teams and people. */
    path,
    /** Operations at this path, with any method. */
    here,
    /** The path contains a drop's URL instead of the slug. `asked` is then the path with the slug. */
    hasAddress,
    /** Names of the JSON body's fields. */
    fields,
    /** The call would change the account itself. */
    isOfAccount,
    /** Methods that the path supports, if the sent method is not among them. */
    allow: isOtherMethod ? allow : undefined,
  };
}

/** Recognizes a GET request for an unknown path. */
export function isPlainRead({ allow, method }: UnknownCall): boolean {
  return method === "GET" && allow === undefined;
}

/** Recognizes a POST, PUT or PATCH request for an unknown path. */
export function isChange({ here, method }: UnknownCall): boolean {
  return here.length === 0 && ["POST", "PUT", "PATCH"].includes(method);
}

/** Lists the field names of a JSON body. */
function fieldsIn(body: Uint8Array | undefined): readonly string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(body ?? []).toString());
    return isObject(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}

/** Returns the kind of content in the body, by its media type. */
function bodyKindOf(request: Pick<HttpRequest, "headers" | "bodyBytes">): SentCall["body"] {
  const type = mediaTypeOf(request);
  if (/^text\/(csv|css|calendar|javascript)$/.test(type)) return "file";
  if (/^(image|video|audio|font|multipart)\/|\/pdf$|octet-stream$/.test(type)) return "file";
  if ((request.bodyBytes?.byteLength ?? 0) === 0) return undefined;
  if (type === "text/plain") return "text";
  return /^text\/(html|markdown)$|zip/.test(type) ? "page" : "other";
}

/**
 * Replaces the names of teams and people in a path with parameter names, because a name such as `trash` could be mistaken for a part of the
 * path.
 */
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

/** Matches a path with a drop's URL or path in place of the slug. */
const dropAddressInPath = /^\/api\/drops\/(?:https?:\/\/?[^/]+)?\/*[dp]\/([A-Za-z0-9]{7})(?:\/raw)?(?=\/|$)/;

/** Lengths of slugs and ids. A word with one of these lengths may be a slug or an id. */
const idLengths = [7, 12, 16];

/** Compares a sent path with an operation's path. A word does not match a path parameter: in `/api/trash/empty`, `empty` is not a slug. */
export function isAt(path: string, asked: string): boolean {
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
