import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Client } from "../src/service/client.ts";

const server = createServer();
afterEach(() => {
  server.removeAllListeners("request");
  server.closeAllConnections();
  server.close();
});

/** Starts a service that closes the connection of the first request. Returns a client and the received requests. */
async function losingFirstAnswer(status: number) {
  const requests: IncomingMessage[] = [];
  server.on("request", (request, response) => {
    requests.push(request);
    if (requests.length === 1) request.socket.destroy();
    else response.writeHead(status, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { client: new Client(`http://127.0.0.1:${port}`), requests };
}

test.each(["POST", "PUT"] as const)(
  "a %s without a response is repeated with the same idempotency key",
  async (method) => {
    const { client, requests } = await losingFirstAnswer(200);

    await client.send("/api/drops", { method, json: {} });

    const keys = requests.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([expect.stringMatching(/^[\w-]{36}$/), keys[0]]);
  },
);

test("a deletion without a response counts as successful if the repeated one returns 404", async () => {
  const { client, requests } = await losingFirstAnswer(404);

  const { response } = await client.send("/api/drops/k3J9xQ2", { method: "DELETE" });

  expect([response.status, requests.length]).toEqual([404, 2]);
});

test("a patient client reports that it waits, and repeats the call after Retry-After", {
  tags: "slow",
}, async () => {
  const requests: string[] = [];
  server.on("request", ({ method }, response) => {
    requests.push(String(method));
    if (requests.length > 1) return void response.end();
    response.writeHead(429, { "content-type": "application/json", "retry-after": "1" });
    response.end('{"error": {"code": "rate_limited", "message": "Too many."}}');
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const pauses: string[] = [];
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  const { response } = await client.patient((message) => pauses.push(message)).send("/api/me");

  expect([response.status, requests.length, pauses]).toEqual([
    200,
    2,
    ["The service requests a pause of 1 s"],
  ]);
});
