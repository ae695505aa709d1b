import dns, { type LookupAddress } from "node:dns";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** A request to a server whose URL was provided from outside the service. */
export interface PublicRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** @default - none */
  readonly body?: string;
  /** Time limit in milliseconds for the whole request, from name resolution to the last byte of the body. */
  readonly timeoutMs: number;
  /** Maximum size of the response's body, in bytes. With 0, only status and headers are read. */
  readonly responseBytesMax: number;
}

/** The server's response. */
export interface PublicResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The response's body, or undefined if the body is longer than the limit. */
  readonly body: Buffer | undefined;
}

/** Thrown if the server sent no response, or must not be reached. */
export class PublicRequestError extends Error {
  override readonly name = "PublicRequestError";
  /** Cause of the failure. `not-public`: the server's address is not on the public internet. */
  readonly why: "not-public" | "timed-out" | "unreachable";

  constructor(why: PublicRequestError["why"], cause?: unknown) {
    super(`The address is ${why}.`, { cause });
    this.why = why;
  }
}

/**
 * Sends a request over https to a server on the public internet, without following redirects. The host name is resolved once, and all its
 * addresses must be public. The connection's address is checked again.
 *
 * @throws PublicRequestError
 */
export async function requestPublicly(url: URL, asked: PublicRequest): Promise<PublicResponse> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new PublicRequestError("not-public");
  const signal = AbortSignal.timeout(asked.timeoutMs);
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(toRequestError(error, signal));
    const { method, headers } = asked;
    const request = https.request(url, { agent: false, lookup: publicLookup, method, headers, signal });
    request.on("error", fail);
    request.on("socket", (socket) => {
      socket.on("connect", () => {
        if (!isPublicAddress(socket.remoteAddress ?? ""))
          request.destroy(new PublicRequestError("not-public"));
      });
    });
    request.on("response", (response) => {
      readBody(response, asked.responseBytesMax).then((body) => {
        request.destroy();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      }, fail);
    });
    request.end(asked.body);
  });
}

async function readBody(response: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  if (bytesMax === 0) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).byteLength;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function toRequestError(error: unknown, signal: AbortSignal): PublicRequestError {
  if (error instanceof PublicRequestError) return error;
  return new PublicRequestError(signal.aborted ? "timed-out" : "unreachable", error);
}

/** Works like `dns.lookup`, but fails for names that resolve to an address outside the public internet. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  dns.lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first] = found ?? [];
    if (error || first === undefined) callback(error ?? new PublicRequestError("unreachable"), "");
    else if (!found.every(({ address }) => isPublicAddress(address)))
      callback(new PublicRequestError("not-public"), "");
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  });
};

/** Range of IPv6's global unicast addresses (RFC 4291, section 2.4, and IANA's registry). */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Recognizes addresses on the public internet. Excludes loopback, private and link-local addresses, such as those of cloud instance
 * metadata, and the corresponding IPv6 addresses.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return address.range() === "unicast";
  return address.range() === "unicast" && address.match(globalUnicast);
}
