import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { compressed } from "../../../functions/http/page-operation.ts";
import type { HttpRequest } from "../../../functions/http/request.ts";
import type { HttpResponse } from "../../../functions/http/response.ts";

/** Running server of pages that the service seldom shows. */
export interface PageServer {
  /** Such as `http://localhost:40123`. */
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Serves responses by their path, with the service's headers and compression. With the query `?slowly`, a page is sent uncompressed and in
 * parts, like over a bad connection.
 */
export async function startPageServer(
  responses: Readonly<Record<string, HttpResponse>>,
): Promise<PageServer> {
  const server = createServer(async (incoming, outgoing) => {
    const [path = "", query] = (incoming.url ?? "").split("?");
    const response = responses[path];
    if (response === undefined) {
      outgoing.writeHead(404).end();
      return;
    }
    if (query === "slowly") {
      await sendInParts(response, outgoing);
      return;
    }
    const headers = { "accept-encoding": [String(incoming.headers["accept-encoding"])] };
    const sent = await compressed(response, { headers } as unknown as HttpRequest);
    outgoing.writeHead(sent.status, sent.headers).end(sent.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const partCount = 8;
const pauseMs = 50;

/** Sends the head immediately, so that the browser can paint each part of the body as it arrives. */
async function sendInParts({ status, headers, body }: HttpResponse, outgoing: ServerResponse): Promise<void> {
  const bytes = Buffer.from(body);
  const bodyStart = bytes.indexOf("<body");
  const partBytes = Math.ceil((bytes.length - bodyStart) / partCount);
  outgoing.writeHead(status, headers);
  outgoing.write(bytes.subarray(0, bodyStart));
  for (let start = bodyStart; start < bytes.length; start += partBytes) {
    await setTimeout(pauseMs);
    outgoing.write(bytes.subarray(start, start + partBytes));
  }
  outgoing.end();
}
