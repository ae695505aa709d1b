import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { listen, setEnvironment } from "./programs.ts";
import { runInProcess } from "./run-in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "dropleaf-login-"));
const restore = setEnvironment({ DROPLEAF_CONFIG_DIR: folder });
afterAll(() => {
  restore();
  rmSync(folder, { recursive: true });
});

type Answer = (response: ServerResponse) => void;

const json =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const html =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { "content-type": "text/html" }).end("<h1>Sign in to this network</h1>");
const reset: Answer = (response) => void response.destroy();
const refusal = (code: string) => ({ error: { code, message: "Not now." } });
const verified = json(200, { status: "verified", api_token: "hb_new", user_id: "u1" });
const pending = json(200, { status: "pending" });

/** Requested pauses between polls, in seconds. The test waits 5 ms instead. */
const pauses: number[] = [];
const { setTimeout: startTimer } = globalThis;
beforeEach(() => {
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((
    run: (...given: unknown[]) => void,
    ms?: number,
    ...given: unknown[]
  ) => {
    // `fetch` has its own timers.
    if (!/commands.login/.test(new Error("here").stack ?? "")) return startTimer(run, ms, ...given);
    pauses.push((ms ?? 0) / 1000);
    return startTimer(run, 5, ...given);
  }) as typeof setTimeout);
});

const servers: Server[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  pauses.length = 0;
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a service that sends these responses to the polls of a sign-in in order, and then repeats the last one. */
async function givenService(
  polls: readonly Answer[],
  { starts = [], expiresIn = 600 }: { readonly starts?: readonly Answer[]; readonly expiresIn?: number } = {},
): Promise<string> {
  const waiting = [...polls];
  const waitingStarts = [...starts];
  const server = createServer((request, response) => {
    const isPoll = request.url?.startsWith("/api/auth/poll") === true;
    const answer = isPoll
      ? waiting.length > 1
        ? waiting.shift()
        : waiting[0]
      : (waitingStarts.shift() ?? started);
    answer?.(response);
  });
  servers.push(server);
  const address = await listen(server);
  const started = json(200, {
    code: "BCDF-GHJK",
    verification_url: `${address}/verify?code=BCDF-GHJK`,
    poll_token: "poll",
    expires_in: expiresIn,
    poll_interval: 2,
  });
  return address;
}

const login = (address: string, ...more: readonly string[]) =>
  runInProcess(["login", address, "--no-browser", ...more]);

test.each([
  ["an internal error", json(500, refusal("internal_error"))],
  ["a gateway's HTML page", html(502)],
  ["a network's sign-in page", html(200)],
  ["a proxy's HTML page", html(403)],
  ["a rate limit", json(429, refusal("rate_limited"), { "retry-after": "1" })],
  ["a lost connection", reset],
])("a sign-in continues after %s, at its start and while it waits", async (_, answer) => {
  const address = await givenService([pending, answer, answer, answer, pending, verified], {
    starts: [answer],
  });

  const outcome = await login(address, "--json");

  expect(outcome, outcome.notes).toMatchObject({ exitCode: 0 });
  expect(outcome.notes.match(/Trying again until the code expires/g)).toHaveLength(1);
  expect(readFileSync(join(folder, "services.json"), "utf8")).toContain("hb_new");
});

test("failed polls become less frequent until one succeeds, and a pause that the service asks for is kept", async () => {
  const wait = json(503, refusal("unavailable"), { "retry-after": "20" });
  const slow = json(400, refusal("slow_down"));
  const address = await givenService([
    pending,
    reset,
    reset,
    reset,
    reset,
    pending,
    wait,
    slow,
    pending,
    verified,
  ]);

  await login(address);

  expect(pauses).toEqual([2, 2, 4, 8, 10, 2, 20, expect.any(Number), 7]);
});

test("a refusal by the service ends the sign-in immediately, and an expired code is reported with the command", async () => {
  const refused = await givenService([json(400, refusal("invalid_arg"))]);
  const expired = await givenService([html(502)], { expiresIn: 0.2 });

  expect(await login(refused)).toMatchObject({ exitCode: 1 });
  const late = await login(expired);

  expect(late).toMatchObject({ exitCode: 3 });
  expect(late.notes).toContain(`To start again, run: dropleaf login ${expired}`);
});

test.each([
  ["with scopes", "publish", 0],
  ["older than scopes", undefined, 1],
])(
  "a sign-in with --scope at a service %s stores no token with a wider scope",
  async (_, scope, exitCode) => {
    const calls: string[] = [];
    const server = createServer(async (request, response) => {
      const body = await text(request);
      calls.push(
        `${request.method} ${request.url?.replace(/[?].*/, "")} ${body.includes('"scope":"publish"')}`,
      );
      if (request.url?.startsWith("/api/auth/poll")) return verified(response);
      if (request.url?.startsWith("/api/me")) return json(200, { token: { id: "own", scope } })(response);
      if (request.method === "DELETE") return response.writeHead(204).end();
      const code = { code: "BCDF-GHJK", poll_token: "poll", expires_in: 600, poll_interval: 2 };
      json(200, { ...code, verification_url: `http://${request.headers.host}/verify` })(response);
    });
    servers.push(server);
    const address = await listen(server);

    const outcome = await login(address, "--scope", "publish");

    expect(outcome, outcome.notes).toMatchObject({ exitCode });
    expect(calls[0]).toBe("POST /api/auth/start true");
    expect(calls.includes("DELETE /api/tokens/own false")).toBe(exitCode === 1);
    expect(readFileSync(join(folder, "services.json"), "utf8").includes(address)).toBe(exitCode === 0);
  },
);
