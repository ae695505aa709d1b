import { Readable } from "node:stream";
import { edgeHeaders } from "../contract/environment.ts";
import { networkOf } from "../domain/network.ts";
import type { HttpRequest } from "./request.ts";

/** The body of a request, as its carrier has it. */
export type RequestBody = Pick<HttpRequest, "readBody" | "bodyBytes" | "bodyStream" | "contentLength">;

/** What the carrier of a request knows of it: an event of API Gateway, or a message on a socket. */
export interface CarriedRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case; every value of a repeated header. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Who opened the connection: the viewer, or an address of the edge. */
  readonly peerAddress: string;
  readonly requestId: string;
  readonly body: RequestBody;
}

/** Completes a request by what the edge tells in headers that nobody else can set. */
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
