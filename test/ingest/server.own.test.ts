import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limits } from "../../functions/core/limits.ts";
import { createAdmission } from "../../functions/ingest/admission.ts";
import { createIngestServer } from "../../functions/ingest/server.ts";
import { createTokenPlaintext } from "../../functions/table/identifiers.ts";

let server: Server;
let port: number;
/** Replaces AWS. It never responds, unless `isTokenKnown` is set. */
let silence: Server;
let isTokenKnown = false;

const knownToken = {
  pk: { S: "TOKEN#hash" },
  id: { S: "token" },
  userId: { S: "ada" },
  namespace: { S: "ada" },
  createdAtMs: { N: "1" },
  lastUsedAtMs: { N: "1" },
};

beforeAll(async () => {
  process.env.ORIGIN_SECRET = "old,new";
  process.env.BASE_URL = "https://drops.example.com";
  process.env.BASE_DOMAIN = "example.page";
  server = createIngestServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  port = (server.address() as AddressInfo).port;
  silence = createServer((_, response) => {
    if (!isTokenKnown) return;
    response.writeHead(200, { "content-type": "application/x-amz-json-1.0", connection: "close" });
    response.end(JSON.stringify({ Attributes: knownToken }));
  }).listen(0, "127.0.0.1");
  await once(silence, "listening");
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(silence.address() as AddressInfo).port}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
    TABLE_NAME: "table",
  });
});

afterAll(() => {
  silence.closeAllConnections();
  silence.close();
  server.closeAllConnections();
  server.close();
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** @default - the port of the server that all tests share */
  readonly port?: number;
}

async function send({ method = "POST", path = "/api/drops", headers = {}, body, ...sent }: Sent) {
  const request = httpRequest({ port: sent.port ?? port, method, path, headers }).end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

const fromEdge = { "x-dropleaf-origin": "new", "x-dropleaf-host": "drops.example.com" };

describe("a request that bypasses the edge", () => {
  test.each([undefined, "", "old,new", "ne", "newer"])("is forbidden: secret %j", async (secret) => {
    const headers = {
      "x-dropleaf-host": "drops.example.com",
      ...(secret === undefined ? {} : { "x-dropleaf-origin": secret }),
    };

    const { status, text } = await send({ headers });

    expect(status).toBe(403);
    expect(JSON.parse(text).error.code).toBe("forbidden");
  });
});

describe("a request from the edge", () => {
  test.each(["old", "new"])("is accepted with each valid secret: %s", async (secret) => {
    const { status, headers } = await send({ headers: { ...fromEdge, "x-dropleaf-origin": secret } });

    expect(status).toBe(401);
    expect(headers["www-authenticate"]).toBe("Bearer");
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("for an unknown path gets 404 in the contract's shape", async () => {
    const { status, text } = await send({ method: "GET", path: "/api/large-bodies", headers: fromEdge });

    expect(status).toBe(404);
    expect(JSON.parse(text).error.code).toBe("not_found");
  });

  test("is read to its end when it is refused, so that its connection can be reused", async () => {
    const socket = connect(port, "127.0.0.1");
    const body = "x".repeat(1_000_000);
    const head = Object.entries({ ...fromEdge, host: "x" })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
    const request = `POST /api/drops HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`;
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes.toString();
    });

    socket.write(request + request);

    await expect.poll(() => received.match(/HTTP\/1\.1 401/g)?.length).toBe(2);
    expect(received.toLowerCase()).not.toContain("connection: close");
    socket.destroy();
  });

  test("with a body too long to read is answered before the body is sent, and its connection is closed", async () => {
    const socket = connect(port, "127.0.0.1");
    const head = Object.entries({ ...fromEdge, host: "x" })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes.toString();
    });

    socket.write(
      `POST /api/drops HTTP/1.1\r\n${head}content-length: 999999999\r\n\r\n${"x".repeat(100_000)}`,
    );

    await expect
      .poll(() => received)
      .toMatch(/^HTTP\/1\.1 401[\s\S]*connection: close[\s\S]*"unauthorized"/i);
    socket.destroy();
  });
});

/** A well-formed token without an account, which only the table can detect. */
const withToken = { ...fromEdge, authorization: `Bearer ${createTokenPlaintext((max) => randomInt(max))}` };

describe("an overloaded server returns a documented error and reads the refused body to its end:", () => {
  test.each([
    [
      "too many requests a second",
      { requestsMax: 9, ratePerSecond: 0.001, burst: 1 },
      429,
      "rate_limited",
      "1",
    ],
    ["too many concurrent requests", { requestsMax: 1, ratePerSecond: 9, burst: 9 }, 503, "unavailable", "5"],
  ])("%s", async (_, limits, status, code, retryAfter) => {
    const busy = createIngestServer({ ...limits, waitMsMax: 20 }).listen(0, "127.0.0.1");
    await once(busy, "listening");
    const toBusy = { headers: fromEdge, port: (busy.address() as AddressInfo).port };
    const [asking] = [once(silence, "connection"), send({ ...toBusy, headers: withToken }).catch(() => {})];
    await asking;

    const response = await send({ ...toBusy, body: Buffer.alloc(20_000_000) });

    expect(response.status).toBe(status);
    expect(response.headers["retry-after"]).toBe(retryAfter);
    expect(response.headers.connection).not.toBe("close");
    expect(JSON.parse(response.text).error).toMatchObject({
      code,
      details: { retry_after_seconds: Number(retryAfter) },
    });
    busy.closeAllConnections();
    busy.close();
  });
});

describe("Markdown, which would block the server's only thread,", () => {
  const type = { "content-type": "Text/Markdown; charset=utf-8" };

  test.each([
    ["without a length", { "transfer-encoding": "chunked" }, "invalid_arg", "without Content-Length"],
    ["of too many bytes", { "content-length": "4000000" }, "html_too_large", "4000000 bytes"],
  ])("is refused %s, with how to send it", async (_, length, code, words) => {
    isTokenKnown = true;

    const { status, text } = await send({
      headers: { ...withToken, ...type, ...length },
      body: Buffer.alloc(4_000_000, "["),
    }).finally(() => {
      isTokenKnown = false;
    });

    expect(status).toBe(400);
    const { error } = JSON.parse(text);
    expect(error).toMatchObject({ code, details: { bytes_max: limits.markdownBytesMax } });
    expect(error.message).toContain(`${limits.markdownBytesMax} bytes`);
    expect(error.message).toContain(words);
  });
});

test("a request that waits briefly for others is accepted", async () => {
  const admit = createAdmission({ requestsMax: 1, waitMsMax: 1_000, ratePerSecond: 9, burst: 9 });
  const release = await admit();
  const second = admit();

  release();

  await expect(second).resolves.toBeTypeOf("function");
});

test("a container's health check needs no secret, and reveals nothing about the service", async () => {
  const { status, text } = await send({ method: "GET", path: "/health" });

  expect(status).toBe(200);
  expect(text).toBe("ok\n");
});
