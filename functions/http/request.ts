import { isIPv6 } from "node:net";
import { Readable } from "node:stream";
import { parseCookie } from "cookie";
import { edgeHeaders } from "../core/environment.ts";
import type { RawQuery } from "./query.ts";

/** A request for an operation, from a Lambda event or a socket. */
export interface HttpRequest {
  readonly method: string;
  /** The path as it was sent, including percent-encoding. */
  readonly path: string;
  /** The Host header that the viewer sent to the edge. */
  readonly host: string;
  /** The distribution's own host name, if the service has no domain. @default - the service has a domain */
  readonly serviceHost?: string | undefined;
  /** Owner's namespace in a path below `/@`, if owners have no hosts. @default - none */
  readonly owner?: string | undefined;
  /** Headers by name in lower case, with every value of a repeated header. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** The query string as it was sent, without the question mark. */
  readonly rawQuery: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Network of the viewer's IP address, from `networkOf`, to which limits apply. */
  readonly network: string;
  readonly requestId: string;
  /** The request comes from a tool of the MCP server. @default false */
  readonly isToolCall?: boolean;
  /** The request comes from the page that is embedded in the chat, so the model does not see the response. @default false */
  readonly isAppCall?: boolean;
  /**
   * Hash of the token, if the service itself makes the request for a person. No header can set this field.
   *
   * @default - the token is in the header Authorization
   */
  readonly tokenHash?: string;
  /** Reads the whole body. */
  readonly readBody: () => Promise<Uint8Array>;
  /** The whole body, if it is already in memory. */
  readonly bodyBytes: Uint8Array | undefined;
  /** Streams the body. Cannot be combined with `readBody`. */
  readonly bodyStream: () => AsyncIterable<Uint8Array>;
  /** The body's length in bytes, if it is known before the body is read. */
  readonly contentLength: number | undefined;
}

/** Returns the only value of a header, or undefined if the header is absent or repeated. */
export function singleHeader(request: Pick<HttpRequest, "headers">, name: string): string | undefined {
  const values = request.headers[name] ?? [];
  return values.length === 1 ? values[0] : undefined;
}

/** Returns the media type of a request's body, in lower case and without parameters. Empty if the header is absent or repeated. */
export function mediaTypeOf(request: Pick<HttpRequest, "headers">): string {
  const [mediaType = ""] = (singleHeader(request, "content-type") ?? "").split(";");
  return mediaType.trim().toLowerCase();
}

/**
 * Returns the complete query string as the viewer sent it. Responses that depend on the string must be `no-store`, because a raw page's
 * cache key does not contain the string.
 */
export function sentQueryOf(request: HttpRequest): string {
  return singleHeader(request, edgeHeaders.sentQuery) ?? request.rawQuery;
}

/** Decodes a query string by the rules of `application/x-www-form-urlencoded` (URL Standard, section 5.1). */
export function parseQuery(rawQuery: string): RawQuery {
  // Without a prototype, `__proto__` is an ordinary name.
  const query: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    query[name] = [...(query[name] ?? []), value];
  }
  return query;
}

/** A body that can be streamed. */
export interface ByteBody {
  /** Length in bytes, if it is known before the body is read. */
  readonly contentLength: number | undefined;
  /** The whole body, if it is in memory, so that a failed write can be retried. */
  readonly bytes: Uint8Array | undefined;
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** Returns the cookies of a request, by name. HTTP/2 clients may send several Cookie headers (RFC 9113, section 8.2.3). */
export function readCookies(request: HttpRequest): Readonly<Record<string, string | undefined>> {
  return parseCookie((request.headers.cookie ?? []).join("; "));
}

/** Parses a form that was sent as `application/x-www-form-urlencoded` (URL Standard, section 5.1). */
export function parseForm(body: Uint8Array): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(body));
}

/** Matches control characters, except tabs and line feeds, because control characters in a text could control a reader's terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Removes control characters from the text of a form field, including the CR of line ends, which forms send as CRLF (HTML Standard,
 * "Constructing the entry list").
 */
export function cleanFieldText(sent: string): string {
  return sent.toWellFormed().replace(controls, "");
}

/** The body of a request from a Lambda event or a socket. */
type RequestBody = Pick<HttpRequest, "readBody" | "bodyBytes" | "bodyStream" | "contentLength">;

/** A request from an API Gateway event or a socket, before `toHttpRequest` adds the data that the edge sends in headers. */
interface CarriedRequest {
  readonly method: string;
  readonly path: string;
  /** Headers by name in lower case, with every value of a repeated header. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** IP address of the connection's other end: the viewer or the edge. */
  readonly peerAddress: string;
  readonly requestId: string;
  /** @default false */
  readonly isToolCall?: boolean;
  /** @default false */
  readonly isAppCall?: boolean;
  readonly body: RequestBody;
}

/** Completes a request with data from the headers that only the edge can set. */
export function toHttpRequest({ peerAddress, body, ...carried }: CarriedRequest): HttpRequest {
  const { headers } = carried;
  return {
    ...carried,
    ...body,
    path: headers[edgeHeaders.path]?.[0] ?? carried.path,
    host: headers[edgeHeaders.host]?.[0] ?? "",
    serviceHost: headers[edgeHeaders.serviceHost]?.[0],
    owner: headers[edgeHeaders.owner]?.[0],
    rawQuery: headers[edgeHeaders.query]?.[0] ?? "",
    network: networkOf(headers[edgeHeaders.address]?.[0] ?? peerAddress),
  };
}

/** Creates a request body from bytes in memory. */
export function wholeBody(bytes: Uint8Array): RequestBody {
  return {
    readBody: async () => bytes,
    bodyBytes: bytes,
    bodyStream: () => Readable.from([bytes]),
    contentLength: bytes.byteLength,
  };
}

/**
 * Number of groups of an IPv6 address that identify the network. The other four groups identify an interface in the network (RFC 4291,
 * section 2.5.4).
 */
const networkGroups = 4;
const allGroups = 8;

/**
 * Returns the network of an IP address, for limits: the IPv4 address itself, or the /64 prefix of an IPv6 address, because one person may
 * have all addresses with this prefix. Each IPv4-mapped address counts as a network.
 */
export function networkOf(address: string): string {
  // Skips `isIPv6` for IPv4 addresses, because its first call takes 3 ms of a cold start.
  if (!address.includes(":") || !isIPv6(address)) return address;
  const groups = groupsOf(address);
  const network = groups.slice(0, networkGroups);
  return network.every((group) => group === "0") ? groups.join(":") : `${network.join(":")}::/64`;
}

/**
 * Returns the eight groups of an IPv6 address without leading zeros. Uses the URL parser, which reads every notation (URL Standard, section
 * 3.5).
 */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split("::").map((part) => part.split(":").filter(Boolean));
  return [...head, ...Array(allGroups - head.length - tail.length).fill("0"), ...tail];
}
