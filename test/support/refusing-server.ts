import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { ApiError } from "../../functions/core/errors.ts";

/** A received request and its time. */
export interface ReceivedRequest {
  readonly atMs: number;
  readonly body: string;
}

/** A fake of the service at its write limit, which saves the minute that reaching the limit takes. */
export interface RefusingServer {
  readonly address: string;
  readonly received: readonly ReceivedRequest[];
  stop(): void;
}

/** Rejects the first request with 429 and a Retry-After header; accepts later publications at `publishedUrl`. */
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
