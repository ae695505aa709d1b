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
  /** The query string as it was sent, without `?`. */
  readonly rawQuery: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Network of the viewer's IP address, as `networkOf` returns it. Limits apply to each network. */
  readonly network: string;
  readonly requestId: string;
  /** The request comes from a tool of the MCP server. @default false */
  readonly isToolCall?: boolean;
  /** The request comes from the page that is embedded in the chat. The model does not see the response. @default false */
  readonly isAppCall?: boolean;
  /**
   * The hash of the request's token, if the service makes the request for a person who does not send the token. No header can set this
   * field.
   * @default - the header Authorization has the token
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
 * Returns the query string as the viewer sent it. Responses that use the query must be `no-store`, because it is not part of a raw page's
 * cache key.
 */
export function sentQueryOf(request: HttpRequest): string {
  return singleHeader(request, edgeHeaders.sentQuery) ?? request.rawQuery;
}

/** Decodes a query string by the rules of `application/x-www-form-urlencoded` (URL Standard, section 5.1). */
export function parseQuery(rawQuery: string): RawQuery {
  // The object has no prototype, so that `__proto__` is an ordinary name.
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
  /** The whole body, if it is in memory. A failed write can then be retried. */
  readonly bytes: Uint8Array | undefined;
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** Parses the cookies of a request, by name. HTTP/2 may send several Cookie headers (RFC 9113, section 8.2.3). */
export function readCookies(request: HttpRequest): Readonly<Record<string, string | undefined>> {
  return parseCookie((request.headers.cookie ?? []).join("; "));
}

/** Parses a form that was sent as `application/x-www-form-urlencoded` (URL Standard, section 5.1). */
export function parseForm(body: Uint8Array): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(body));
}

/** Control characters, except tabs and line feeds. They could control the terminal of an agent that reads a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Cleans the text of a form field. Forms send line ends as CRLF (HTML Standard, "Constructing the entry list"), and their CR is removed
 * too.
 */
export function cleanFieldText(sent: string): string {
  return sent.toWellFormed().replace(controls, "");
}

/** The body of a request, as an event or a socket provides it. */
type RequestBody = Pick<HttpRequest, "readBody" | "bodyBytes" | "bodyStream" | "contentLength">;

/** The parts of a request that an API Gateway event or a message on a socket contains, before `toHttpRequest` completes it. */
interface CarriedRequest {
  readonly method: string;
  readonly path: string;
  /** Headers by name in lower case, with every value of a repeated header. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** IP address of the connection's peer: the viewer or the edge. */
  readonly peerAddress: string;
  readonly requestId: string;
  /** @default false */
  readonly isToolCall?: boolean;
  /** @default false */
  readonly isAppCall?: boolean;
  readonly body: RequestBody;
}

/** Completes a request with data from headers that only the edge can set. */
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

/** Makes a request body from bytes in memory. */
export function wholeBody(bytes: Uint8Array): RequestBody {
  return {
    readBody: async () => bytes,
    bodyBytes: bytes,
    bodyStream: () => Readable.from([bytes]),
    contentLength: bytes.byteLength,
  };
}

/** Number of groups of an IPv6 address that identify a network. The network's owner assigns the other four (RFC 4291, section 2.5.4). */
const networkGroups = 4;
const allGroups = 8;

/**
 * Returns the network of an IP address, for limits: an IPv4 address itself, or the /64 of an IPv6 address, because one person has all
 * addresses of a /64. IPv4-mapped addresses stay separate.
 */
export function networkOf(address: string): string {
  // Node compiles a regular expression at its first IPv6 check, which takes 3 ms of a cold start.
  if (!address.includes(":") || !isIPv6(address)) return address;
  const groups = groupsOf(address);
  const network = groups.slice(0, networkGroups);
  return network.every((group) => group === "0") ? groups.join(":") : `${network.join(":")}::/64`;
}

/** Returns the eight groups of an IPv6 address without leading zeros. The URL parser reads every notation (URL Standard, section 3.5). */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split("::").map((part) => part.split(":").filter(Boolean));
  return [...head, ...Array(allGroups - head.length - tail.length).fill("0"), ...tail];
}
