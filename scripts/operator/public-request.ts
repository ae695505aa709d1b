import { type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { buffer } from "node:stream/consumers";

/** Response of the service's public URL. */
export interface PublicResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Request to the service's public URL. */
export interface PublicRequest {
  /** @default "GET" */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const timeoutMs = 120_000;

/** Sends a request to a public URL, through the service's edge. Does not follow redirects. */
export function sendPublic(address: string | URL, request: PublicRequest = {}): Promise<PublicResponse> {
  const url = new URL(address);
  const { method = "GET", headers = {}, body } = request;
  const options: RequestOptions = {
    method,
    // Connects to localhost for names below localhost, because not every system resolves them (RFC 6761, section 6.3).
    ...(url.hostname.endsWith(".localhost") ? { hostname: "localhost" } : {}),
    headers: {
      host: url.host,
      ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
      ...headers,
    },
    timeout: timeoutMs,
  };
  const open = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const outgoing = open(url, options, (incoming) => {
      const { statusCode: status = 0, headers } = incoming;
      buffer(incoming).then((body) => resolve({ status, headers, body }), reject);
    });
    outgoing.on("timeout", () => {
      const what = `${method} ${url.origin}${url.pathname}`;
      outgoing.destroy(new Error(`${what}: no response in ${timeoutMs / 1000} s.`));
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
