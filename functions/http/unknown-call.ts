import { comparedMax, isKnownWord } from "./nearest-words.ts";
import { acceptedNames, findNearest, type SentCall } from "./rank-operations.ts";
import { type HttpRequest, mediaTypeOf, parseQuery } from "./request.ts";
import type { Route } from "./route.ts";
import { isObject } from "./schemas.ts";

/** A call with an unknown method or path, and the operations that it may mean. */
export interface UnknownCall extends SentCall {
  /** The decoded path, with parameter names in place of the names of teams and people. */
  readonly path: string;
  /** Operations at this path, with any method. */
  readonly here: readonly Route[];
  /** Methods that the path supports, if the sent method is not among them. */
  readonly allow: readonly Route["method"][] | undefined;
  /** The path contains a drop's URL instead of the slug. `asked` is then the path with the slug. */
  readonly hasAddress: boolean;
  /** Names of the JSON body's fields. */
  readonly fields: readonly string[];
  /** The call would change the account itself. */
  readonly isOfAccount: boolean;
  /** The operations that the call may mean, best first. */
  readonly nearest: readonly Route[];
  readonly first: Route | undefined;
  /** The path's words, and those of them that match no operation. */
  readonly words: readonly string[];
  readonly unknown: readonly string[];
  /** The path's last word, or an empty string. */
  readonly last: string;
  /** Names of the parameters and fields that the first operation accepts. */
  readonly accepted: readonly string[];
}

/** Reads a call with an unknown method or path, and finds the operations that it may mean. */
export function readUnknownCall(
  request: Pick<HttpRequest, "method" | "headers" | "rawQuery" | "bodyBytes">,
  asked: string,
  rows: readonly Route[],
): UnknownCall {
  const { method } = request;
  // A drop's path with the suffix `.json` means the data of the drop.
  const path = decodeSlashes(withoutNames(asked, rows)).replace(/(\/[A-Za-z0-9]{7})\.json$/, "$1");
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
  const found = findNearest(sent, offered, here);
  const [first] = found.nearest;
  return {
    ...sent,
    ...found,
    ...{ path, here, hasAddress, fields, isOfAccount, first },
    allow: isOtherMethod ? allow : undefined,
    last: found.words.at(-1) ?? "",
    accepted: first ? acceptedNames(first) : [],
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

function decodeSlashes(asked: string): string {
  return asked.replaceAll(/%3A/gi, ":").replaceAll(/%2F/gi, "/");
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
