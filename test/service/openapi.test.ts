import { beforeAll, describe, expect, test } from "vitest";
import { undescribedOperationIds } from "../../functions/discovery/openapi/document.ts";
import { type OperationId, operationIds, routeOf } from "../../functions/routes.ts";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { givenAnswer } from "../support/given-answers.ts";
import { givenComment } from "../support/given-feedback.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { type ApiDescription, type Described, servedDescription } from "../support/openapi-validation.ts";
import { ownerAddress, ownerName } from "../support/owner-address.ts";
import { startSignIn } from "../support/sign-in.ts";

let api: ApiDescription;
let account: Account;
let ownerUrl: string;

beforeAll(async () => {
  [api, account] = await Promise.all([servedDescription(), newAccount("described")]);
  ownerUrl = ownerAddress((await publish(account.api)).url);
});

test("every response of the API, also an error, has the document's version in a header", async () => {
  const { info } = JSON.parse((await fetchPage("/openapi.json")).text) as { info: { version: string } };
  const told = [
    await fetchPage("/api/me", { headers: { authorization: `Bearer ${account.api.token}` } }),
    await fetchPage("/api/me"),
    await fetchPage("/mcp"),
  ];

  expect(info.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(told.map(({ status }) => status)).toEqual([200, 401, expect.any(Number)]);
  for (const { headers } of told) expect(headers["x-dropleaf-version"]).toBe(info.version);
});

/** Values that replace the examples, such as the slugs of this account's drops, by the names of the path parameters. */
type Things = Readonly<Record<string, string | number>>;

/** Sends an operation's example request: to its first server, with the examples of its parameters and its body. */
async function send(id: string, things: Things = {}, query: Things = {}): Promise<ReceivedResponse> {
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
      // Browsers send the origin with forms, and the service accepts only forms of its own pages.
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
  for (const { name, in: place, example, required, description } of operation.parameters) {
    // Such a parameter belongs to the second body type; the first is sent here.
    if (description?.startsWith("With a body of `text/html`")) continue;
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

/** Calls that need more than the examples and the values that thingsOf derives from the path. */
const particularCalls: Readonly<Partial<Record<OperationId, () => Promise<ReceivedResponse>>>> = {
  "show-verify-page": async () => send("show-verify-page", {}, { code: (await startSignIn()).code }),
  "compare-versions": async () => send("compare-versions", await dropOfTwoVersions()),
  "delete-version": async () => send("delete-version", await dropOfTwoVersions()),
  "purge-drop": async () => send("purge-drop", await trashedDrop()),
  "send-page": async () => send("send-page", {}, await announcedPage()),
  "read-source": async () => send("read-source", await dropOfMarkdown()),
  "show-comparison": async () => send("show-comparison", await dropOfTwoVersions()),
  "read-oembed": async () => send("read-oembed", {}, { url: (await publish(account.api)).url }),
  "read-context": async () => send("read-context", await drop({ context: "Why." })),
  "unlock-drop": async () => send("unlock-drop", await drop({ passcode: "open sesame" })),
};

/**
 * Operations that only other tests call, because they need a browser's cookies, an upload to Amazon S3, a contact, a renderer, a
 * folder, or a team.
 */
const sentElsewhere: readonly OperationId[] = [
  "authorize-sign-in",
  "choose-account",
  "get-team",
  "edit-team",
  "set-team-role",
  "create-team-token",
  "remove-team-role",
  "move-drop",
  "dismiss-access-request",
  "complete-sign-in",
  "reveal-token",
  "undo-sign-in",
  "revoke-token",
  "complete-upload",
  "get-render",
  "get-pdf",
  "read-pdf",
  "list-files",
  "start-folder",
  "publish-folder",
  "read-folder-file",
  "read-security-txt",
];

/** All other operations that the document describes. */
const sentHere = operationIds.filter((id) => ![...sentElsewhere, ...undescribedOperationIds].includes(id));

async function trashedDrop(): Promise<Things> {
  const things = await drop();
  await account.api.succeed("delete-drop", { params: { slug: String(things.slug) } });
  return things;
}

async function dropWithThread(): Promise<Things> {
  const things = await drop();
  await givenComment(account.userId, String(things.slug));
  return { ...things, thread: 1 };
}

/** A drop shared by all read-only calls, because each publication counts against the token's limit. */
let read: Promise<Things> | undefined;

/** Creates the items that an operation's path refers to, and returns the path parameters. */
async function thingsOf(id: OperationId): Promise<Things> {
  const { method, path, resource } = routeOf(id);
  if (path.includes("{thread}")) return dropWithThread();
  if (path.includes("{number}")) {
    const things = await drop();
    await givenAnswer(account.userId, String(things.slug));
    return { ...things, number: 1 };
  }
  if (path.includes("{slug}") && method === "GET") {
    read ??= drop();
    return read;
  }
  if (path.includes("{slug}")) return drop();
  if (!path.includes("{id}")) return {};
  if (resource === "tokens") return { id: (await account.api.succeed("get-me")).token.id };
  const file = await upload();
  return { id: file.id, namespace: ownerName(file.url) };
}

describe("the OpenAPI document", () => {
  test.each(sentHere)("describes %s, and its example request succeeds as described", async (id) => {
    const answer = await (particularCalls[id]?.() ?? send(id, await thingsOf(id)));

    api.requireDescribed(id, answer);
    expect(Math.floor(answer.status / 100), answer.text.slice(0, 300)).toBeLessThan(4);
  });

  test("links only to examples that exist", async () => {
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
      // The file exists only if the operator has configured a contact.
      const expected = address.endsWith("/security.txt") ? expect.any(Number) : Number(status);
      expect((await fetchPage(address)).status, address).toEqual(expected);
    }
  });

  test("links to this service only", () => {
    const { origin } = new URL(baseUrl());

    expect(api.document.servers.map(({ url }: Described) => url)).toEqual([origin]);
    expect(JSON.stringify(api.document)).not.toContain(".invalid");
  });
});

describe("the validation of responses", () => {
  const answer = (changes: Partial<ReceivedResponse>): ReceivedResponse => {
    const error = { code: "not_found", message: "There is nothing here." };
    const headers = { "content-type": "application/json; charset=utf-8" };
    const text = JSON.stringify({ error });
    return { status: 404, headers, setCookies: [], bytes: Buffer.from(text), text, ...changes };
  };

  test("accepts a response that matches its description", () => {
    expect(() => api.requireDescribed("get-drop", answer({}))).not.toThrow();
  });

  test.each([
    ["an undescribed status", { status: 418 }, "no such status"],
    ["an undescribed content type", { headers: { "content-type": "text/plain" } }, 'no "text/plain"'],
    [
      "an error code of another operation",
      { text: '{"error":{"code":"empty_blob","message":"x"}}' },
      "not name this code",
    ],
    ["a body of another shape", { text: '{"message":"x"}' }, "required property 'error'"],
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

async function announcedPage(): Promise<Things> {
  const { url } = await account.api.succeed("start-publish", { body: { title: "To come" } });
  return { key: new URL(url).searchParams.get("key") ?? "" };
}

async function dropOfMarkdown(): Promise<Things> {
  const options = { text: "# A page\n", headers: { "content-type": "text/markdown" } };
  const { slug } = await account.api.succeed("publish-drop", options);
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
