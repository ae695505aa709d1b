import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { baseUrl, type ReceivedResponse, routeTo } from "./http.ts";

/** A request whose body is sent piece by piece. */
export interface OpenUpload {
  readonly request: ClientRequest;
  readonly response: Promise<ReceivedResponse>;
}

/**
 * Opens a POST or PUT without a length: the body is sent in chunks (RFC 9112, section 7.1) unless the headers set
 * one.
 */
export function openUpload(
  path: string,
  options: { readonly method?: string; readonly headers: Readonly<Record<string, string>> },
): OpenUpload {
  const url = new URL(path, baseUrl());
  const { protocol, hostname, port } = url;
  const route = { protocol, hostname, port, ...routeTo(url) };
  const { method = "POST", headers } = options;
  const send = route.protocol === "https:" ? httpsRequest : httpRequest;
  const request = send({
    ...route,
    path: url.pathname + url.search,
    method,
    headers: { host: url.host, ...headers },
    agent: false,
  });
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    request.once("response", resolve).once("error", reject);
  }).then(readResponse);
  return { request, response };
}

/** Sends a whole body in chunks, without announcing its length. */
export function sendInChunks(
  path: string,
  body: Uint8Array,
  options: { readonly method?: string; readonly headers: Readonly<Record<string, string>> },
): Promise<ReceivedResponse> {
  const { request, response } = openUpload(path, options);
  const chunkBytes = 64 * 1024;
  for (let start = 0; start < body.byteLength; start += chunkBytes) {
    request.write(body.subarray(start, start + chunkBytes));
  }
  request.end();
  return response;
}

async function readResponse(incoming: IncomingMessage): Promise<ReceivedResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]);
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    setCookies: [],
    bytes,
    text: bytes.toString("utf8"),
  };
}
