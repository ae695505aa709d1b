import { get as getByHttp, type IncomingMessage } from "node:http";
import { get as getByHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import pRetry from "p-retry";
import { Problem } from "../problem.ts";
import { isWebAddress } from "./fields.ts";
import { describeFailure, describeProxy, sendRequest } from "./network.ts";
import { readBody } from "./response-body.ts";

/** Response to a request without a token. */
export interface PublicResponse {
  readonly status: number;
  readonly bytes: Buffer;
  readonly contentType: string;
  /** File name of a download. */
  readonly filename?: string | undefined;
}

const timeoutMs = 60_000;

/** Resolves names below localhost to this machine (RFC 6761, section 6.3), because some systems do not. */
const lookupLoopback: LookupFunction = (_hostname, options, callback) =>
  options.all ? callback(null, [{ address: "127.0.0.1", family: 4 }]) : callback(null, "127.0.0.1", 4);

/**
 * Reads a public URL, for example on an owner's host. Sends no token, and does not follow redirects.
 *
 * @param service address of the service that returned the URL
 */
export async function readPublic(address: string, service: string): Promise<PublicResponse> {
  requireEncryption(address, service);
  return pRetry(() => read(new URL(address)), {
    retries: 3,
    minTimeout: 300,
    shouldRetry: ({ error }) => !(error instanceof Problem),
  }).catch((error) => {
    if (error instanceof Problem) throw error;
    throw new Problem(describeFailure(address, error));
  });
}

/**
 * Requires https for a URL in a response of a service that uses https itself.
 * @throws Problem if the URL is not encrypted, or not a web address
 */
export function requireEncryption(address: string, service: string): void {
  const isEncrypted = /^https:/i;
  if (!isWebAddress(address) || (isEncrypted.test(service) && !isEncrypted.test(address)))
    throw new Problem(`${service} returned ${JSON.stringify(address)}, which must be an https address.`);
}

async function read(url: URL): Promise<PublicResponse> {
  const { status, headers, chunks } = await (describeProxy(url.href) === undefined
    ? getPublic(url)
    : fetchPublic(url));
  const bytes = await readBody(chunks, url.href);
  if (status === 429 || status >= 500) throw new Error(`status ${status}`);
  const [, filename] = /filename="([^"]*)"/.exec(headers["content-disposition"] ?? "") ?? [];
  return { status, bytes, contentType: headers["content-type"] ?? "application/octet-stream", filename };
}

/** Response whose body has not been read yet. */
interface StartedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> & {
    readonly "content-type"?: string | undefined;
    readonly "content-disposition"?: string | undefined;
  };
  readonly chunks: AsyncIterable<Uint8Array>;
}

async function fetchPublic(url: URL): Promise<StartedResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { status, headers, body } = await sendRequest(url.href, { redirect: "manual", signal });
  return { status, headers: Object.fromEntries(headers), chunks: body ?? Readable.from([]) };
}

async function getPublic(url: URL): Promise<StartedResponse> {
  const isLocal = url.hostname.endsWith(".localhost");
  const get = url.protocol === "https:" ? getByHttps : getByHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    get(url, { signal, ...(isLocal ? { lookup: lookupLoopback } : {}) }, resolve).on("error", reject);
  });
  return { status: response.statusCode ?? 0, headers: response.headers, chunks: response };
}
