import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { resolveLocalhostNames } from "@dropleaf/local-cloud/localhost-names";
import type { Context } from "aws-lambda";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkReaderWay } from "../../functions/background/check-reader-way.ts";

interface Response {
  readonly status: number;
  readonly location?: string;
}

let server: Server;
let origin: string;
let received: IncomingMessage[];
/** Responses of a broken service, by a part of the URL. */
let responses: Record<string, Response>;

beforeEach(async () => {
  resolveLocalhostNames();
  received = [];
  responses = {};
  server = createServer((request, response) => {
    received.push(request);
    const { url = "", headers } = request;
    const [path = ""] = url.split("/k");
    const working: Response =
      url === "/favicon.ico" ? { status: 200 } : { status: 302, location: `http://${headers.host}${path}` };
    const { status, location } =
      Object.entries(responses).find(([part]) => url.includes(part))?.[1] ?? working;
    response.writeHead(status, location === undefined ? {} : { location }).end("body");
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  origin = `localhost:${(server.address() as AddressInfo).port}`;
  vi.stubEnv("BASE_URL", `http://${origin}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  server.close();
});

/** Runs the check and returns its log, and if Lambda counts an error. */
async function check() {
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const run = checkReaderWay({}, { awsRequestId: "request" } as Context);
  const isFailed = await run.then(
    () => false,
    () => true,
  );
  const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)));
  write.mockRestore();
  return { isFailed, lines };
}

test("the service's host and an owner's host are requested if owners have hosts", async () => {
  vi.stubEnv("BASE_DOMAIN", origin);

  const { isFailed, lines } = await check();

  expect(isFailed).toBe(false);
  expect(
    received.map(({ headers, url }) => `${headers.host}${url?.replace(/k[\w-]{64}$/, "<key>")}`),
  ).toEqual([`${origin}/favicon.ico`, `reader-way.${origin}/b/0000000/<key>`]);
  expect(lines.map(({ level, step, status }) => [level, step, status])).toEqual([
    ["info", "icon", 200],
    ["info", "file", 302],
  ]);
});

test("one URL is requested if owners have paths, with a different key each time", async () => {
  await check();
  await check();

  const [first, second, ...others] = received.map(({ url }) => url);
  expect(first).toMatch(/^\/@reader-way\/b\/0000000\/k[\w-]{64}$/);
  expect(second).toMatch(/^\/@reader-way\/b\/0000000\/k[\w-]{64}$/);
  expect(second).not.toBe(first);
  expect(others).toEqual([]);
});

test.each([
  ["the gateway refuses it", { status: 403 }],
  ["it is throttled", { status: 429 }],
  ["a function fails", { status: 502 }],
  ["the edge function fails", { status: 503 }],
  ["another server responds", { status: 200 }],
  ["another server redirects", { status: 302, location: "http://localhost:1/elsewhere" }],
])("the check fails if %s, and follows no redirect", async (_, response) => {
  responses = { "/b/": response };

  const { isFailed, lines } = await check();

  expect(isFailed).toBe(true);
  expect(lines).toEqual([
    {
      level: "error",
      operation: "check-reader-way",
      requestId: "request",
      step: "file",
      status: response.status,
      durationMs: expect.any(Number),
    },
  ]);
  expect(received).toHaveLength(1);
});

test.each([
  ["the port is closed", async () => `http://localhost:${await findFreePort()}`, "ECONNREFUSED"],
  ["the name is missing in DNS", async () => "http://drops.invalid", "ENOTFOUND"],
])("the check fails if %s, and logs the reason without the URL", async (_, findUrl, why) => {
  const baseUrl = await findUrl();
  vi.stubEnv("BASE_URL", baseUrl);

  const { isFailed, lines } = await check();

  expect(isFailed).toBe(true);
  expect(lines).toEqual([expect.objectContaining({ level: "error", step: "file", why })]);
  expect(JSON.stringify(lines)).not.toContain(new URL(baseUrl).host);
});
