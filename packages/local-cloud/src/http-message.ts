import type { Readable } from "node:stream";

/** Header fields in the order sent, including repeated fields. */
export type HeaderFields = ReadonlyArray<readonly [name: string, value: string]>;

/** A request between two parts of the local cloud. */
export interface HttpRequest {
  readonly method: string;
  /** The path as it was sent, percent-encoding included. */
  readonly path: string;
  /** Query without the question mark. Undefined if the URL has no query. */
  readonly query: string | undefined;
  readonly headers: HeaderFields;
  readonly body: Readable;
  /** Address and port of the client. */
  readonly peer: { readonly address: string; readonly port: number };
}

/** A response between two parts of the local cloud. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly headers: HeaderFields;
  readonly body: Buffer | Readable;
  /** Name of the Lambda function that responded, for the request log. */
  readonly servedBy?: string | undefined;
}

/** Splits the target of a request at the question mark. */
export function splitTarget(target: string): Pick<HttpRequest, "path" | "query"> {
  const mark = target.indexOf("?");
  return mark < 0
    ? { path: target, query: undefined }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** Joins a path and a query into a request target. */
export function targetOf({ path, query }: Pick<HttpRequest, "path" | "query">): string {
  return query === undefined ? path : `${path}?${query}`;
}

/** Splits `name=value` at the first equals sign. Without an equals sign, the value is empty. */
export function splitPair(pair: string): [name: string, value: string] {
  const equals = pair.indexOf("=");
  return equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

/** Decodes percent-encoding. Returns text with invalid percent-encoding unchanged. */
export function decodeIfValid(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the value of a header. Repeated fields are joined (RFC 9110, section 5.3). */
export function headerValue(headers: HeaderFields, name: string): string | undefined {
  const lowerCased = name.toLowerCase();
  const values = headers.filter(([field]) => field.toLowerCase() === lowerCased).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(lowerCased === "cookie" ? "; " : ", ");
}

/** Returns the headers without the named fields. */
export function withoutHeaders(headers: HeaderFields, names: Iterable<string>): HeaderFields {
  const removed = new Set([...names].map((name) => name.toLowerCase()));
  return headers.filter(([field]) => !removed.has(field.toLowerCase()));
}

/** Returns the headers with the given field, which replaces fields of the same name. */
export function withHeader(headers: HeaderFields, name: string, value: string): HeaderFields {
  return withHeaders(headers, [[name, value]]);
}

/** Returns the headers with the given fields, which replace fields of the same names. */
export function withHeaders(headers: HeaderFields, fields: HeaderFields): HeaderFields {
  const names = fields.map(([name]) => name);
  return [...withoutHeaders(headers, names), ...fields];
}

/** Converts Node's flat `rawHeaders` list to header fields. */
export function fromRawHeaders(rawHeaders: readonly string[]): HeaderFields {
  const fields: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    fields.push([rawHeaders[index] ?? "", rawHeaders[index + 1] ?? ""]);
  }
  return fields;
}

/** Returns the size of the fields in HTTP/1.1, in bytes. */
export function headerBytes(headers: HeaderFields): number {
  return headers.reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value) + 4,
    0,
  );
}

/** Reads the whole body. Returns undefined, and stops reading, if the body is larger than `maxBytes`. */
export async function readBody(body: Buffer | Readable, maxBytes: number): Promise<Buffer | undefined> {
  if (Buffer.isBuffer(body)) return body.length > maxBytes ? undefined : body;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, bytes);
}
