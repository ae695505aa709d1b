import { randomInt } from "node:crypto";
import {
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { inject } from "vitest";
import type { RunningService } from "./running-service.ts";
import { noteSecrets } from "./seen-secrets.ts";

/** A complete response of the service. */
export interface ReceivedResponse {
  readonly status: number;
  /** By lower-case name. Repeated headers are joined by a comma; cookies are in `setCookies`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly setCookies: readonly string[];
  readonly bytes: Buffer;
  /** The body as UTF-8. */
  readonly text: string;
}

/** Options of a request. */
export interface SendOptions {
  /** @default "GET" */
  readonly method?: string;
  /** An array is sent as several header lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** Loopback address of the sender, which the service takes for another visitor. @default - the test file's own */
  readonly from?: string;
  /** Path and query to send without URL normalization. @default - those of the address */
  readonly asWritten?: string;
}

/**
 * Well below the service's idle timeout: on a busy machine, both sides might close a connection at the same moment.
 */
const unusedMs = 30_000;
const kept = { keepAlive: true, timeout: unusedMs };
const agents = { "http:": new HttpAgent(kept), "https:": new HttpsAgent(kept) };
/** Catches hangs: API Gateway itself responds within half a minute. */
const responseTimeoutMs = 120_000;

/** Gives each file its own address; otherwise files that run in parallel would share limits by network address. */
const ownAddress = unusedLoopbackAddress();

/** A service and the folder of its log and data. @default - the folder is unknown */
type ServiceUnderTest = Pick<RunningService, "address" | "port"> & Partial<Pick<RunningService, "directory">>;

let own: ServiceUnderTest | undefined;

/** Returns a random loopback address, so that no other test uses it. */
export function unusedLoopbackAddress(): string {
  return `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
}

/**
 * Makes another service the one under test in this file.
 *
 * @throws Error with advice on naming the file, if later files would use that service too
 */
export function useService(service: ServiceUnderTest): void {
  if (inject("hasOwnProcess") !== true)
    throw new Error(
      "Call the file *.own.test.ts: who uses another service than the run's needs a process of its own.",
    );
  own = service;
}

/**
 * The address of the service under test, without a trailing slash: `http://localhost:<port>`, or that of
 * `useService`.
 */
export function baseUrl(): string {
  return own?.address ?? inject("baseUrl");
}

/** Sends one request to the service, or to an owner's host, and reads the response. Follows no redirect. */
export function fetchPage(address: string | URL, options: SendOptions = {}): Promise<ReceivedResponse> {
  const url = new URL(address, baseUrl());
  const { method = "GET", headers = {}, body, from = ownAddress, asWritten } = options;
  const route = routeTo(url, from);
  const protocol = (route.protocol ?? url.protocol) as keyof typeof agents;
  const requestOptions: RequestOptions = {
    method,
    agent: agents[protocol],
    ...route,
    ...(asWritten === undefined ? {} : { path: asWritten }),
    headers: { host: url.host, ...lengthOf(body), ...headers } as Record<string, string | string[]>,
    timeout: responseTimeoutMs,
  };
  const send = protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const request = send(url, requestOptions, (incoming) =>
      readResponse(incoming).then((response) => {
        noteSecrets(own && (own.directory ?? ""), { requestBody: body, response });
        resolve(response);
      }, reject),
    );
    request.on("timeout", () => request.destroy(new Error(`${method} ${url.pathname}: no answer in time.`)));
    request.on("error", reject);
    request.end(body);
  });
}

/** Maps a URL to its real destination: a local service has all host names of its template and does not use TLS. */
export function routeTo(url: URL, from = ownAddress): RequestOptions {
  // The local cloud's S3, the target of signed addresses.
  if (url.hostname === "127.0.0.1") return {};
  if (isLoopback(url)) return loopbackRoute(from);
  const port = own?.port ?? inject("servicePort");
  return port ? { ...loopbackRoute(from), protocol: "http:", port } : {};
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost");
}

/**
 * Connects to an IP address, because `*.localhost` need not resolve (RFC 6761, section 6.3). The Host header keeps
 * the name.
 */
function loopbackRoute(from: string): RequestOptions {
  // Only Linux has all 127.x.y.z addresses without configuration.
  return process.platform === "linux"
    ? { hostname: "127.0.0.1", localAddress: from }
    : { hostname: "localhost" };
}

/** Sets the length, which Node.js omits for GET and DELETE; the server would take the body for another request. */
function lengthOf(body: string | Uint8Array | undefined): Record<string, string> {
  return body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

async function readResponse(incoming: IncomingMessage): Promise<ReceivedResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const { "set-cookie": setCookies = [], ...others } = incoming.headers;
  return {
    status: incoming.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)])),
    setCookies,
    bytes,
    text: bytes.toString("utf8"),
  };
}
