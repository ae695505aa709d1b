import { isIPv6 } from "node:net";
import { Readable } from "node:stream";
import { parseCookie } from "cookie";
import { edgeHeaders } from "../core/environment.ts";
import type { RawQuery } from "./query.ts";

/** A request as an operation sees it, from a Lambda event or a socket. */
export interface HttpRequest {
  readonly method: string;
  /** As it was sent, percent-encoding included. */
  readonly path: string;
  /** The viewer's Host, as the edge saw it. */
  readonly host: string;
  /** The distribution's own name, where the service has no other. @default - it has */
  readonly serviceHost?: string | undefined;
  /** Namespace of the owner in a path below `/@`, where owners have no hosts. @default - none */
  readonly owner?: string | undefined;
  /** Names in lower case; every value of a repeated header. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** The query string as it was sent, without `?`. */
  readonly rawQuery: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Network of the viewer's address by `networkOf`, for limits. */
  readonly network: string;
  readonly requestId: string;
  /** The request comes from a tool of the MCP server. @default false */
  readonly isToolCall?: boolean;
  /**
   * The hash of the token that this request is made with, where the service makes it for somebody who does not send the token
   * along. No header says it. @default - the header Authorization has the token
   */
  readonly tokenHash?: string;
  /** The whole body. */
  readonly readBody: () => Promise<Uint8Array>;
  /** The whole body, where it is in memory already. */
  readonly bodyBytes: Uint8Array | undefined;
  /** The body as it comes; not to be used beside `readBody`. */
  readonly bodyStream: () => AsyncIterable<Uint8Array>;
  /** The body's length in bytes, where it is known before the body is read. */
  readonly contentLength: number | undefined;
}

/** The only value of a header, or undefined where it is absent or repeated. */
export function singleHeader(request: HttpRequest, name: string): string | undefined {
  const values = request.headers[name] ?? [];
  return values.length === 1 ? values[0] : undefined;
}

/** The media type of a request's body, in lower case and without parameters; empty where the header is absent or repeated. */
export function mediaTypeOf(request: HttpRequest): string {
  const [mediaType = ""] = (singleHeader(request, "content-type") ?? "").split(";");
  return mediaType.trim().toLowerCase();
}

/** The query string as the viewer sent it. Responses that use it must be `no-store`: at a raw page's address it is part of no cache key. */
export function sentQueryOf(request: HttpRequest): string {
  return singleHeader(request, edgeHeaders.sentQuery) ?? request.rawQuery;
}

/** Decodes a query string by the rules of `application/x-www-form-urlencoded` (URL Standard, section 5.1). */
export function parseQuery(rawQuery: string): RawQuery {
  // No prototype: `__proto__` is a name like any other.
  const query: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    query[name] = [...(query[name] ?? []), value];
  }
  return query;
}

/** A body as it comes. */
export interface ByteBody {
  /** In bytes, where it is known before the body is read. */
  readonly contentLength: number | undefined;
  /** The whole body, where it is in memory anyway: a failed write can then be tried again. */
  readonly bytes: Uint8Array | undefined;
  readonly stream: () => AsyncIterable<Uint8Array>;
}

/** The cookies of a request, by name. HTTP/2 may send several Cookie headers (RFC 9113, section 8.2.3). */
export function readCookies(request: HttpRequest): Readonly<Record<string, string | undefined>> {
  return parseCookie((request.headers.cookie ?? []).join("; "));
}

/** The fields of a form that was sent as `application/x-www-form-urlencoded` (URL Standard, section 5.1). */
export function parseForm(body: Uint8Array): URLSearchParams {
  return new URLSearchParams(new TextDecoder().decode(body));
}

/** The body of a request, as its carrier has it. */
type RequestBody = Pick<HttpRequest, "readBody" | "bodyBytes" | "bodyStream" | "contentLength">;

/** Facts about a request from its carrier: an event of API Gateway, or a message on a socket. */
interface CarriedRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case; every value of a repeated header. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Address of the connection's peer: the viewer or the edge. */
  readonly peerAddress: string;
  readonly requestId: string;
  /** @default false */
  readonly isToolCall?: boolean;
  readonly body: RequestBody;
}

/** Completes a request from headers that only the edge can set. */
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

/** A body that is in memory. */
export function wholeBody(bytes: Uint8Array): RequestBody {
  return {
    readBody: async () => bytes,
    bodyBytes: bytes,
    bodyStream: () => Readable.from([bytes]),
    contentLength: bytes.byteLength,
  };
}

/** The groups of an IPv6 address that name a network; the other four are its holder's to choose (RFC 4291, section 2.5.4). */
const networkGroups = 4;
const allGroups = 8;

/**
 * Network of an address for limits: an IPv4 address, or the /64 of an IPv6 address, since one person has all of its
 * addresses. IPv4-mapped addresses stay separate.
 */
export function networkOf(address: string): string {
  // Node compiles a regular expression for its first IPv6 check: 3 ms of a cold start.
  if (!address.includes(":") || !isIPv6(address)) return address;
  const groups = groupsOf(address);
  const network = groups.slice(0, networkGroups);
  return network.every((group) => group === "0") ? groups.join(":") : `${network.join(":")}::/64`;
}

/** Its eight groups without leading zeros: the URL parser knows every way to write them (URL Standard, section 3.5). */
function groupsOf(address: string): string[] {
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = canonical.split("::").map((part) => part.split(":").filter(Boolean));
  return [...head, ...Array(allGroups - head.length - tail.length).fill("0"), ...tail];
}
