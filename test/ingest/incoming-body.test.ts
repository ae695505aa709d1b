import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { readIncomingBody } from "../../functions/ingest/incoming-body.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Sends the start of a request, and returns the message that a server receives. */
async function receive(text: string) {
  server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  // The server may close the connection before everything is sent.
  socket.on("error", () => undefined);
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\n${text}`);
  const [message] = (await once(server, "request")) as [IncomingMessage];
  return { socket, message };
}

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) chunks.push(piece);
  return Buffer.concat(chunks).toString();
}

test("a body with a length, and one in chunks, are read completely", async () => {
  const whole = await receive("content-length: 5\r\n\r\nhello");
  const body = readIncomingBody(whole.message);
  expect(body.contentLength).toBe(5);
  expect(await readAll(body.pieces())).toBe("hello");

  const chunked = await receive("transfer-encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n");
  const second = readIncomingBody(chunked.message);
  expect(second.contentLength).toBeUndefined();
  expect(await readAll(second.pieces())).toBe("hello");
});

test("a missing body has no bytes", async () => {
  const { message } = await receive("\r\n");

  const body = readIncomingBody(message);

  expect(body.contentLength).toBe(0);
  expect(await readAll(body.pieces())).toBe("");
});

test("a body that stalls is abandoned, with the number of received bytes", async () => {
  const { message } = await receive("content-length: 5\r\n\r\nhel");

  const reading = readAll(readIncomingBody(message, 50).pieces());

  await expect(reading).rejects.toMatchObject({
    code: "invalid_arg",
    message: expect.stringContaining("stopped after 3 bytes"),
  });
});

test("a body whose connection closes fails as truncated, with the number of received bytes", async () => {
  const { socket, message } = await receive("content-length: 5\r\n\r\nhel");
  const reading = readAll(readIncomingBody(message).pieces());

  socket.destroy();

  await expect(reading).rejects.toMatchObject({
    code: "invalid_arg",
    message: expect.stringContaining("cut off after 3 bytes"),
  });
});

test("a body is read only as fast as it is consumed: the sender has to wait", async () => {
  const { socket, message } = await receive(`content-length: 100000000\r\n\r\n`);
  readIncomingBody(message);

  socket.write(Buffer.alloc(100_000_000));
  await new Promise((resolve) => setTimeout(resolve, 200));

  expect(message.socket.bytesRead).toBeLessThan(1_000_000);
});

test("the number of discarded bytes is limited", async () => {
  const { socket, message } = await receive("content-length: 1000000\r\n\r\n");
  socket.write(Buffer.alloc(500_000));
  const body = readIncomingBody(message);

  expect(await body.discard(100_000, 1_000)).toBe(false);
  expect(await body.discard(10_000_000, 50)).toBe(false);

  socket.write(Buffer.alloc(500_000));
  expect(await body.discard(10_000_000, 5_000)).toBe(true);
});
