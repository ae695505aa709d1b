import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpAnswer } from "../../../functions/http/answer.ts";
import { compressed } from "../../../functions/http/compression.ts";
import type { HttpRequest } from "../../../functions/http/request.ts";

/** A running server of pages that the service seldom shows. */
export interface PageServer {
  /** Such as `http://localhost:40123`. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Serves answers by their path, with the headers that the service sends and compressed as it does. */
export async function startPageServer(answers: Readonly<Record<string, HttpAnswer>>): Promise<PageServer> {
  const server = createServer(async (incoming, outgoing) => {
    const [path = ""] = (incoming.url ?? "").split("?");
    const answer = answers[path];
    if (answer === undefined) {
      outgoing.writeHead(404).end();
      return;
    }
    const headers = { "accept-encoding": [String(incoming.headers["accept-encoding"])] };
    const sent = await compressed(answer, { headers } as unknown as HttpRequest);
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
