import type { RawQuery } from "../contract/query-reader.ts";

/** A request as an operation sees it, whoever carried it: a Lambda event or a socket. */
export interface HttpRequest {
  readonly method: string;
  /** As it was sent, percent-encoding included. */
  readonly path: string;
  /** The viewer's Host, as the edge saw it. */
  readonly host: string;
  /** The distribution's own name, where the service has no other. @default - it has */
  readonly serviceHost?: string | undefined;
  /** Whose path the edge found below `/@`, where owners have no hosts. @default - nobody's */
  readonly owner?: string | undefined;
  /** Names in lower case; every value of a repeated header. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** The query string as it was sent, without `?`. */
  readonly rawQuery: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Whose the viewer's network address is, as `networkOf` tells: what limits go by. */
  readonly network: string;
  readonly requestId: string;
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

/** Decodes a query string by the rules of `application/x-www-form-urlencoded` (URL Standard, section 5.1). */
export function parseQuery(rawQuery: string): RawQuery {
  // No prototype: `__proto__` is a name like any other.
  const query: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    query[name] = [...(query[name] ?? []), value];
  }
  return query;
}
