import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen, setEnvironment } from "./programs.ts";
import { runInProcess } from "./run-in-process.ts";

/** Error responses of a service, by the slug that a command names. */
const refusals: Readonly<Record<string, readonly [number, object]>> = {
  missing: [
    404,
    {
      code: "not_found",
      message:
        "You have no such drop: it may have been deleted. GET /api/drops lists your drops. Only its owner can change a drop or read it here: GET /api/library lists what others share.",
    },
  ],
  revoked: [
    401,
    {
      code: "unauthorized",
      message:
        "This token was revoked. Send the header Authorization: Bearer <API_TOKEN>; to get a token: POST /api/auth/start.",
    },
  ],
  readers: [
    400,
    { code: "invalid_arg", message: "readers must name a person.", details: { field: "readers" } },
  ],
  strange: [400, { code: "constructor", message: "POST /api/drops", details: { field: "__proto__" } }],
};

const server = createServer((request, response) => {
  const name = Object.keys(refusals).find((slug) => request.url?.includes(slug)) ?? "missing";
  const [status, error] = refusals[name] ?? [500, {}];
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
});
let restore = () => {};
beforeAll(async () => {
  restore = setEnvironment({ DROPLEAF_URL: await listen(server), DROPLEAF_TOKEN: "hb_1" });
});
afterAll(() => {
  restore();
  server.closeAllConnections();
  server.close();
});

test.each([
  ["delete", "dropleaf rm <drop>"],
  ["deploy", "dropleaf publish <file>"],
  ["unlock", "dropleaf lock <drop> --off"],
  ["whoami", "dropleaf doctor"],
  ["completion", "dropleaf complete <shell>"],
  ["Upload", "dropleaf publish <file>"],
  ["publsh", "(Did you mean publish?)"],
])("the unknown command %s is refused with a suggestion of the right one", async (word, right) => {
  const plain = await runInProcess([word, "x"]);
  const json = await runInProcess([word, "x", "--json"]);

  expect(plain).toMatchObject({ exitCode: 2, out: "" });
  expect(plain.notes).toMatch(/^Error: /);
  expect(plain.notes).toContain(right);
  expect(json).toMatchObject({ exitCode: 2, notes: "" });
  expect(JSON.parse(json.out)).toEqual({ error: { code: "usage", message: expect.stringContaining(right) } });
});

test.each([
  [
    ["share", "missing"],
    1,
    /^You have no such drop: it may have been deleted\. dropleaf list shows your drops\.$/,
  ],
  [
    ["versions", "revoked"],
    3,
    /^This token was revoked\. The token is from DROPLEAF_TOKEN\. .*dropleaf login http/,
  ],
  [["share", "readers", "--reader", "x"], 1, /^readers must name a person\. The option is --reader\.$/],
  [["share", "strange"], 1, /^The service refused the request \(constructor\)\.$/],
])("an error suggests commands and options, not API calls: %j", async (args, exitCode, sentence) => {
  const outcome = await runInProcess([...args, "--json"]);
  const { error } = JSON.parse(outcome.out);

  expect(outcome).toMatchObject({ exitCode, notes: "" });
  expect(error.message).toMatch(sentence);
  expect(error.status).toBeGreaterThanOrEqual(400);
});

test.each([
  [["list", "--limit", "many"], "usage"],
  [["list", "--nothing"], "usage"],
  [["publish"], "usage"],
  [["publish", "gone.html"], "usage"],
  [[], "usage"],
  [["list", "--service", "https://other.invalid"], "failed"],
])("with --json every failure is one JSON object on standard output: %j", async (args, code) => {
  const outcome = await runInProcess(["--json", ...args]);

  expect(outcome.exitCode).toBeGreaterThan(0);
  expect(JSON.parse(outcome.out)).toEqual({ error: { code, message: expect.stringMatching(/\S/) } });
  expect(outcome.notes).not.toContain("Error:");
});

test("the help explains errors, first steps, proxies and completion", async () => {
  const { out } = await runInProcess(["--help"]);

  for (const words of [
    '{"error":',
    "dropleaf login https://",
    "HTTPS_PROXY",
    "NO_PROXY",
    "dropleaf complete zsh",
  ])
    expect(out).toContain(words);
});
