import { createHistogram } from "node:perf_hooks";
import { Client, type Dispatcher } from "undici";

/** A request of a load. */
export interface LoadRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly token?: string;
  /** Sent as JSON. */
  readonly body?: string;
}

/** Requests of one kind. */
export interface LoadCase {
  readonly name: string;
  readonly expectedStatus: number;
  /** The request of a number, counted from 0 over all connections; each connection has a number too. */
  requestAt(index: number, connection: number): LoadRequest;
  /** Told of each good response's body. @default - nobody is, and bodies are thrown away */
  readonly onResponse?: (text: string) => void;
  /** Before those that are measured. @default 300 */
  readonly warmUpRequests?: number;
  /** Requests that are measured, unless the time is up first. @default - as many as there is time for */
  readonly requestsMax?: number;
  /** Whether each connection comes from an address of its own, as limits by address want it. @default false */
  readonly isFromManyAddresses?: boolean;
}

/** What is read before and after the requests that are measured. */
export interface LoadMeter {
  start(): Promise<void> | void;
  end(): Promise<void> | void;
}

/** How a load went. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** Requests under way at any time, each on a connection that stays open. */
export const connections = 8;
/** Every environment of a function has compiled what it runs often. */
const warmUpRequestsUsual = 300;
/** How long a row is measured. */
export const measuredSeconds = 3;

/**
 * Sends a case's requests over a fixed number of connections, each as soon as the one before it is answered. By undici,
 * which takes as little of the processors as any client of Node: `npm run bench throughput` says how much.
 *
 * @throws Error with the response when its status is another than expected
 */
export async function runLoad(
  address: string,
  load: LoadCase,
  meter: LoadMeter = { start() {}, end() {} },
): Promise<LoadResult> {
  const clients = Array.from({ length: connections }, (_, connection) => {
    // Of the loopback network, where Linux takes every address for its own.
    const own = load.isFromManyAddresses ? { localAddress: `127.${connection + 1}.0.1` } : {};
    return new Client(address.replace("localhost", "127.0.0.1"), { pipelining: 1, ...own });
  });
  const latencies = createHistogram();
  let next = 0;
  const sendUntil = async (end: number, deadlineMs: number) => {
    const lanes = clients.map(async (client, connection) => {
      while (next < end && performance.now() < deadlineMs) {
        const sentAtMs = performance.now();
        await send(client, new URL(address).host, load, next++, connection);
        latencies.record(Math.max(1, Math.round((performance.now() - sentAtMs) * 1000)));
      }
    });
    await Promise.all(lanes);
  };
  try {
    const warmUpRequests = load.warmUpRequests ?? warmUpRequestsUsual;
    await sendUntil(warmUpRequests, Number.POSITIVE_INFINITY);
    latencies.reset();
    await meter.start();
    const startedAtMs = performance.now();
    const requestsMax = load.requestsMax ?? Number.POSITIVE_INFINITY;
    await sendUntil(warmUpRequests + requestsMax, startedAtMs + measuredSeconds * 1000);
    const seconds = (performance.now() - startedAtMs) / 1000;
    await meter.end();
    return {
      requests: latencies.count,
      perSecond: latencies.count / seconds,
      medianMs: latencies.percentile(50) / 1000,
      p99Ms: latencies.percentile(99) / 1000,
    };
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
}

async function send(
  client: Client,
  host: string,
  { name, expectedStatus, requestAt, onResponse }: LoadCase,
  index: number,
  connection: number,
): Promise<void> {
  const { method, path, token, body } = requestAt(index, connection);
  const headers: Record<string, string> = { host };
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const isBodyWanted = (status: number) => onResponse !== undefined || status !== expectedStatus;
  const { status, text } = await exchange(
    client,
    { method, path, headers, body: body ?? null },
    isBodyWanted,
  );
  if (status !== expectedStatus) {
    throw new Error(
      `${name}: ${method} ${path} answered ${status}, not ${expectedStatus}: ${text.slice(0, 500)}`,
    );
  }
  onResponse?.(text);
}

function exchange(
  client: Client,
  request: Dispatcher.DispatchOptions,
  isBodyWanted: (status: number) => boolean,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        if (isBodyWanted(status)) chunks.push(chunk);
      },
      onResponseEnd: () => resolve({ status, text: Buffer.concat(chunks).toString() }),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}
