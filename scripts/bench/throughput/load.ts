import { Agent, request } from "node:http";
import { createHistogram } from "node:perf_hooks";

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
  /** Told of each good response's body. @default - nobody is */
  readonly onResponse?: (text: string) => void;
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
/** Requests before those that are measured: every connection meets a started function. */
export const warmUpRequests = connections * 4;
/** Requests that are measured, unless the time is up first. */
export const measuredRequests = 300;
const secondsMax = 60;

/**
 * Sends a case's requests over a fixed number of connections, each as soon as the one before it is answered.
 *
 * @throws Error with the response when its status is another than expected
 */
export async function runLoad(
  address: string,
  load: LoadCase,
  measured = measuredRequests,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies = createHistogram();
  let next = 0;
  const sendUntil = async (end: number, deadlineMs: number) => {
    const lanes = Array.from({ length: connections }, async (_, connection) => {
      while (next < end && performance.now() < deadlineMs) {
        const sentAtMs = performance.now();
        await send(agent, address, load, next++, connection);
        latencies.record(Math.max(1, Math.round((performance.now() - sentAtMs) * 1000)));
      }
    });
    await Promise.all(lanes);
  };
  try {
    await sendUntil(warmUpRequests, Number.POSITIVE_INFINITY);
    latencies.reset();
    const startedAtMs = performance.now();
    await sendUntil(warmUpRequests + measured, startedAtMs + secondsMax * 1000);
    const requests = latencies.count;
    return {
      requests,
      perSecond: requests / ((performance.now() - startedAtMs) / 1000),
      medianMs: latencies.percentile(50) / 1000,
      p99Ms: latencies.percentile(99) / 1000,
    };
  } finally {
    agent.destroy();
  }
}

async function send(
  agent: Agent,
  address: string,
  { name, expectedStatus, requestAt, onResponse }: LoadCase,
  index: number,
  connection: number,
): Promise<void> {
  const { method, path, token, body } = requestAt(index, connection);
  const { status, text } = await new Promise<{ status: number | undefined; text: string }>(
    (resolve, reject) => {
      const headers = {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
      };
      const sent = request(new URL(path, address), { agent, method, headers }, async (incoming) => {
        try {
          const chunks = await incoming.toArray();
          resolve({ status: incoming.statusCode, text: Buffer.concat(chunks).toString() });
        } catch (error) {
          reject(error);
        }
      });
      sent.on("error", reject);
      sent.end(body);
    },
  );
  if (status !== expectedStatus) {
    throw new Error(
      `${name}: ${method} ${path} answered ${status}, not ${expectedStatus}: ${text.slice(0, 500)}`,
    );
  }
  onResponse?.(text);
}
