import { beforeAll, describe, expect, test } from "vitest";
import { undescribedOperationIds } from "../../functions/discovery/openapi/document.ts";
import { type OperationId, operationIds } from "../../functions/routes.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { type Answer, baseUrl, fetchPage } from "../support/http.ts";
import { type ApiDescription, type Described, servedDescription } from "../support/openapi-validation.ts";
import { ownerAddress } from "../support/owner-address.ts";
import { startSignIn } from "../support/sign-in.ts";

let api: ApiDescription;
let account: Account;
let ownerUrl: string;

beforeAll(async () => {
  [api, account] = await Promise.all([servedDescription(), newAccount("described")]);
  ownerUrl = ownerAddress((await publish(account.api)).url);
});

test("an answer of the API says the version that the document is of, and so does a refusal", async () => {
  const { info } = JSON.parse((await fetchPage("/openapi.json")).text) as { info: { version: string } };
  const answers = [
    await fetchPage("/api/me", { headers: { authorization: `Bearer ${account.api.token}` } }),
    await fetchPage("/api/me"),
    await fetchPage("/mcp"),
  ];

  expect(info.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(answers.map(({ status }) => status)).toEqual([200, 401, expect.any(Number)]);
  for (const { headers } of answers) expect(headers["x-dropleaf-version"]).toBe(info.version);
});

/** What the examples cannot know: the things of this account, by the names of the parameters in paths. */
type Things = Readonly<Record<string, string | number>>;

/** Sends what the document says of an operation: its first server, its parameters' examples, its body's example. */
async function send(id: string, things: Things = {}, query: Things = {}): Promise<Answer> {
  const operation = api.operation(id);
  const address = addressOf(operation, things, query);
  const [type, content] = Object.entries<Described>(operation.requestBody?.content ?? {})[0] ?? [];
  const body = type === undefined ? undefined : bodyOf(type, content.example);
  const needsToken = operation.security === undefined;
  return fetchPage(address, {
    method: operation.method,
    headers: {
      ...(needsToken ? { authorization: `Bearer ${account.api.token}` } : {}),
      ...(type === undefined ? {} : { "content-type": type }),
      // What browsers send with forms: the service takes those of its own pages only.
      ...(operation.security === undefined ? {} : { origin: address.origin }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

function addressOf(operation: Described, things: Things, query: Things): URL {
  const [server] = operation.servers ?? api.document.servers;
  const host = server.url.includes("{namespace}") ? ownerUrl : server.url;
  const path = operation.path.replace(/\{(\w+)\}/g, (_: string, name: string) => {
    return encodeURIComponent(things[name] ?? exampleOf(operation, name));
  });
  const address = new URL(host + path);
  for (const { name, in: place, example, required } of operation.parameters) {
    if (place !== "query" || !(required || name in query || typeof example === "object")) continue;
    const pairs = typeof example === "object" ? Object.entries(example) : [[name, query[name] ?? example]];
    for (const [key, value] of pairs) address.searchParams.append(key, String(value));
  }
  return address;
}

function exampleOf(operation: Described, name: string): string {
  return String(operation.parameters.find((one: Described) => one.name === name).example);
}

function bodyOf(type: string, example: Described): string {
  if (type === "application/json") return JSON.stringify(example);
  return type === "application/x-www-form-urlencoded" ? new URLSearchParams(example).toString() : "bytes";
}

/** Each call as the document describes it, in an order in which each can succeed. */
const calls: Readonly<Partial<Record<OperationId, () => Promise<Answer>>>> = {
  "start-sign-in": () => send("start-sign-in"),
  "poll-sign-in": () => send("poll-sign-in"),
  "show-verify-page": async () => send("show-verify-page", {}, { code: (await startSignIn()).code }),
  "show-login-page": () => send("show-login-page"),
  "start-browser-sign-in": () => send("start-browser-sign-in"),
  "show-token-page": () => send("show-token-page"),
  "get-me": () => send("get-me"),
  "get-usage": () => send("get-usage"),
  "list-tokens": () => send("list-tokens"),
  "upload-blob": () => send("upload-blob"),
  "delete-blob": async () => send("delete-blob", { id: (await upload()).id }),
  "serve-blob": async () => send("serve-blob", { id: (await upload()).id }),
  "start-upload": () => send("start-upload"),
  "list-drops": () => send("list-drops"),
  "upsert-drop": () => send("upsert-drop"),
  "publish-drop": () => send("publish-drop"),
  "get-drop": async () => send("get-drop", await drop()),
  "publish-version": async () => send("publish-version", await drop()),
  "edit-drop": async () => send("edit-drop", await drop()),
  "set-passcode": async () => send("set-passcode", await drop()),
  "list-versions": async () => send("list-versions", await drop()),
  "get-version": async () => send("get-version", await drop()),
  "delete-version": async () => send("delete-version", await dropOfTwoVersions()),
  "delete-drop": async () => send("delete-drop", await drop()),
  "view-drop": async () => send("view-drop", await drop()),
  "read-raw-page": async () => send("read-raw-page", await drop()),
  "read-context": async () => send("read-context", await drop({ context: "Why." })),
  "unlock-drop": async () => send("unlock-drop", await drop({ passcode: "open sesame" })),
  "show-home-page": () => send("show-home-page"),
  "show-owner-page": () => send("show-owner-page"),
  "read-open-api": () => send("read-open-api"),
  "show-reference": () => send("show-reference"),
  "read-reference-asset": async () => send("read-reference-asset", { asset: await referenceScript() }),
  "read-llms-txt": () => send("read-llms-txt"),
  "read-onboarding": () => send("read-onboarding"),
  "list-agent-skills": () => send("list-agent-skills"),
  "read-agent-skill": () => send("read-agent-skill"),
  "read-api-catalog": () => send("read-api-catalog"),
  "read-robots-txt": () => send("read-robots-txt"),
  "call-mcp": () => send("call-mcp"),
};

/** What other tests send, because it needs a browser's cookies, an upload at Amazon S3, or a contact that is set. */
const sentElsewhere: readonly OperationId[] = [
  "authorize-sign-in",
  "complete-sign-in",
  "reveal-token",
  "undo-sign-in",
  "revoke-token",
  "complete-upload",
  "read-security-txt",
];

describe("what the OpenAPI document describes", () => {
  test.each(Object.entries(calls))("%s succeeds as described", async (id, call) => {
    const answer = await call();

    api.requireDescribed(id, answer);
    expect(Math.floor(answer.status / 100), answer.text.slice(0, 300)).toBeLessThan(4);
  });

  test("is sent here or elsewhere", () => {
    const sent = [...Object.keys(calls), ...sentElsewhere, ...undescribedOperationIds];

    expect(sent.toSorted()).toEqual([...operationIds].toSorted());
  });

  test("has the examples that it leads to", async () => {
    const contents = [...api.operations.values()].flatMap(({ responses }) =>
      Object.entries<Described>(responses).flatMap(([status, response]) =>
        Object.values<Described>(api.resolve(response).content ?? {}).map((content) => ({ status, content })),
      ),
    );
    const led = contents.flatMap(({ status, content }) => {
      const address = content.examples?.served?.externalValue;
      return address === undefined ? [] : [{ status, address }];
    });

    expect(led.length).toBeGreaterThan(5);
    for (const { status, address } of led) {
      // Only where the operator has named a contact.
      const expected = address.endsWith("/security.txt") ? expect.any(Number) : Number(status);
      expect((await fetchPage(address)).status, address).toEqual(expected);
    }
  });

  test("leads to this service, and nowhere else", () => {
    const { origin } = new URL(baseUrl());

    expect(api.document.servers.map(({ url }: Described) => url)).toEqual([origin]);
    expect(JSON.stringify(api.document)).not.toContain(".invalid");
  });
});

describe("the description itself", () => {
  const answer = (changes: Partial<Answer>): Answer => {
    const error = { code: "not_found", message: "There is nothing here." };
    const headers = { "content-type": "application/json; charset=utf-8" };
    const text = JSON.stringify({ error });
    return { status: 404, headers, setCookies: [], bytes: Buffer.from(text), text, ...changes };
  };

  test("finds an answer that is as described", () => {
    expect(() => api.requireDescribed("get-drop", answer({}))).not.toThrow();
  });

  test.each([
    ["a status that is not described", { status: 418 }, "no such status"],
    ["another type", { headers: { "content-type": "text/plain" } }, 'no "text/plain"'],
    [
      "a code of another operation",
      { text: '{"error":{"code":"empty_blob","message":"x"}}' },
      "not name this code",
    ],
    ["another shape", { text: '{"message":"x"}' }, "required property 'error'"],
    [
      "a missing header",
      { status: 429, text: '{"error":{"code":"rate_limited","message":"x"}}' },
      "Retry-After is missing",
    ],
  ])("finds %s", (_name, changes, problem) => {
    expect(() => api.requireDescribed("get-drop", answer(changes))).toThrow(problem);
  });
});

async function drop(fields: object = {}): Promise<Things> {
  const { slug } = await publish(account.api, { ...fields });
  return { slug, n: 1 };
}

async function dropOfTwoVersions(): Promise<Things> {
  const things = await drop();
  await account.api.succeed("publish-version", { params: things, body: { html: "<p>two" } });
  return things;
}

function upload() {
  return account.api.succeed("upload-blob", { query: { filename: "a.txt" }, text: "A file." });
}

async function referenceScript(): Promise<string> {
  const { text } = await fetchPage("/docs");
  return /"\/docs\/([^"]+\.js)"/.exec(text)?.[1] ?? "";
}
