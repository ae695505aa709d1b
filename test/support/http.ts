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

/** Whole response of the service. */
export interface ReceivedResponse {
  readonly status: number;
  /** By lower-case name; several of one name are joined by a comma. Cookies are in `setCookies`. */
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
  /** Several values of one name go out as several header lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** The loopback address to come from: to the service, another visitor. @default - one of the test file's own */
  readonly from?: string;
  /** The path and query to send, as they are: an address would be tidied up. @default - the address's */
  readonly asWritten?: string;
}

/** Well before the service closes a connection that nobody uses: on a busy machine both would be at it in the same moment. */
const unusedMs = 30_000;
const kept = { keepAlive: true, timeout: unusedMs };
const agents = { "http:": new HttpAgent(kept), "https:": new HttpsAgent(kept) };
/** For what hangs: API Gateway itself answers within half a minute. */
const responseTimeoutMs = 120_000;

/** Limits by network address would otherwise be shared by test files that run side by side. */
const ownAddress = unusedLoopbackAddress();

/** A service, and where its log and data are. @default - nowhere to be seen */
type ServiceUnderTest = Pick<RunningService, "address" | "port"> & Partial<Pick<RunningService, "directory">>;

let own: ServiceUnderTest | undefined;

/** An address that no other test comes from. */
export function unusedLoopbackAddress(): string {
  return `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
}

/**
 * Makes another service than the run's the one under test in this file.
 *
 * @throws Error that says how to call the file, where the files after it would find that service too
 */
export function useService(service: ServiceUnderTest): void {
  if (inject("hasOwnProcess") !== true)
    throw new Error(
      "Call the file *.own.test.ts: who uses another service than the run's needs a process of its own.",
    );
  own = service;
}

/** The address of the service under test: `http://localhost:<port>`, or one of its own; no trailing slash. */
export function baseUrl(): string {
  return own?.address ?? inject("baseUrl");
}

/** Sends one request to the service, or to a page on an owner's host, and reads the response. Follows no redirect. */
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

/** Real destination of a URL: a local service has every name of its template, and uses no TLS. */
export function routeTo(url: URL, from = ownAddress): RequestOptions {
  // The local cloud's S3, to which a signed address leads.
  if (url.hostname === "127.0.0.1") return {};
  if (isLoopback(url)) return loopbackRoute(from);
  const port = own?.port ?? inject("servicePort");
  return port ? { ...loopbackRoute(from), protocol: "http:", port } : {};
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname.endsWith(".localhost");
}

/** No system promises to resolve `*.localhost` (RFC 6761, section 6.3); the Host header keeps the name. */
function loopbackRoute(from: string): RequestOptions {
  // Only Linux has every 127.x.y.z without being told.
  return process.platform === "linux"
    ? { hostname: "127.0.0.1", localAddress: from }
    : { hostname: "localhost" };
}

/** Node.js announces no length of a body with GET and DELETE, and the server would take it for another request. */
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
