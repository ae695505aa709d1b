import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { startHttpServer } from "../src/http-server.ts";

it("a client that sends its whole body before reading receives a response sent before the body was read", async () => {
  const server = await startHttpServer({
    port: 0,
    handle: async () => ({ statusCode: 413, headers: [], body: Buffer.from("too large") }),
    onError: (error) => expect.unreachable(String(error)),
  });
  const bodyPart = Buffer.alloc(1024 * 1024);
  const client = connect(server.port, "127.0.0.1");
  client.pause();
  client.write(
    `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${8 * bodyPart.length}\r\n\r\n`,
  );
  for (let part = 0; part < 8; part += 1) {
    await sleep(10);
    if (!client.write(bodyPart)) await once(client, "drain");
  }
  const response = await text(client);
  expect(response).toMatch(/^HTTP\/1\.1 413 /);
  expect(response).toContain("too large");
  await server.stop(0);
});
