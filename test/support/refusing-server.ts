import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { ApiError } from "../../functions/core/errors.ts";

/** What it was sent, and when. */
export interface ReceivedRequest {
  readonly atMs: number;
  readonly body: string;
}

/** A server that plays the service where the write limit is reached, without the minute that reaching it takes. */
export interface RefusingServer {
  readonly address: string;
  readonly received: readonly ReceivedRequest[];
  stop(): void;
}

/** Answers the first request with 429 and asks to wait; publishes, as it says, what comes next at `publishedUrl`. */
export async function startRefusingServer(
  retryAfterSeconds: number,
  publishedUrl: string,
): Promise<RefusingServer> {
  const received: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    received.push({ atMs: performance.now(), body: await text(request) });
    if (received.length > 1) response.writeHead(201).end(JSON.stringify({ url: publishedUrl }));
    else {
      const error = new ApiError("rate_limited", { retryAfterSeconds });
      response.writeHead(429, { "Retry-After": retryAfterSeconds }).end(JSON.stringify(error.toBody()));
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, received, stop: () => server.close() };
}
