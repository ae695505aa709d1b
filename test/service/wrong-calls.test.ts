import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { expectedBytesMax, messageCharactersMax } from "../../functions/refusals/expected-call.ts";
import { createTokenPlaintext } from "../../functions/table/identifiers.ts";
import { type Account, anotherToken, newAccount, publish } from "../support/accounts.ts";
import { baseUrl, fetchPage, type ReceivedResponse } from "../support/http.ts";
import { readCalls, type WrongCall } from "../support/wrong-calls/read-calls.ts";
import { spellings } from "../support/wrong-calls/spellings.ts";

const calls = readCalls(readFileSync("test/support/wrong-calls/calls.txt", "utf8"));

/** Number of calls with one token, because its writes per minute are limited. */
const callsPerToken = 40;
const atOnce = 10;

let account: Account;
let kept: Awaited<ReturnType<typeof publish>>;
/** The values of the placeholders in the calls. */
let filled: Readonly<Record<string, string>>;
const responses = new Map<WrongCall, ReceivedResponse>();

beforeAll(async () => {
  account = await newAccount("wrong-calls");
  const { api } = account;
  kept = await publish(api, { metadata: { walk: "through" } });
  const [edited, doomed, shared] = [await publish(api), await publish(api), await publish(api)];
  await publish(api, { metadata: { walk: "alone", team: "eng" } });
  const blob = await api.succeed("upload-blob", {
    query: { filename: "kept.txt" },
    text: "kept",
    headers: { "content-type": "text/plain" },
  });
  const started = await api.succeed("start-sign-in");
  filled = {
    slug: kept.slug,
    url: kept.url,
    encodedUrl: encodeURIComponent(kept.url),
    base: encodeURIComponent(baseUrl()),
    edited: edited.slug,
    doomed: doomed.slug,
    shared: shared.slug,
    blob: blob.id,
    poll: started.poll_token,
    code: started.code,
    unknown: createTokenPlaintext(() => 7),
  };
  for (let from = 0; from < calls.length; from += callsPerToken) {
    const { token = "" } = await anotherToken(account);
    const ofToken = calls.slice(from, from + callsPerToken);
    for (let at = 0; at < ofToken.length; at += atOnce) {
      const sent = ofToken.slice(at, at + atOnce);
      await Promise.all(sent.map(async (call) => responses.set(call, await send(call, token))));
    }
  }
}, 300_000);

test.each(calls.map((call) => [call.line, call] as const))("%s", (_line, call) => {
  const response = responses.get(call);
  if (response === undefined) throw new Error("The call was not made.");

  const { code, message, details } = tellOf(response);

  expect({ status: response.status, code }).toEqual({ status: call.status, code: call.code });
  for (const { text, isAbsent, isInDetails } of call.words) {
    const said = isInDetails ? message + details : message;
    if (isAbsent) expect(said).not.toContain(text);
    else expect(said).toContain(text);
  }
});

test("the list has at least 200 different calls", () => {
  const lines = calls.map(({ line }) => line.replace(/ ->.*/, ""));

  expect(lines.length).toBeGreaterThanOrEqual(200);
  expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
});

describe("the refusal of an invalid API call", () => {
  test("describes the right call in at most 700 characters and 1,200 bytes", () => {
    const refused = calls.filter(({ address, status }) => status === 400 && address.startsWith("/api/"));

    expect(refused.length).toBeGreaterThan(100);
    for (const call of refused) {
      const { message, expected } = tellOf(responses.get(call) as ReceivedResponse);
      expect(message.length, call.line).toBeLessThanOrEqual(messageCharactersMax);
      expect(expected, call.line).toEqual({
        operation: expect.stringMatching(/^[a-z-]+$/),
        fields: expect.any(Object),
        example: expect.objectContaining({ method: call.method }),
      });
      expect(Buffer.byteLength(JSON.stringify(expected)), call.line).toBeLessThanOrEqual(expectedBytesMax);
    }
  });

  test.each([
    ["POST /api/drops", {}],
    ["PUT /api/drops", {}],
    ["PUT /api/drops/{slug}", {}],
    ["PATCH /api/drops/{slug}", { titel: 1, name: "B" }],
    ["POST /api/drops/{slug}/passcode", {}],
    ["POST /api/drops/{slug}/restore", {}],
    ["POST /api/publications", { slug: 7 }],
    ["POST /api/blobs", undefined],
    ["POST /api/blobs/uploads", {}],
    ["POST /api/pages", {}],
    ["GET /api/search", undefined],
  ])("has an example that succeeds when it is sent: %s", async (call, body) => {
    const owner = await newAccount("examples");
    const { slug } = await publish(owner.api);
    const [method = "", path = ""] = call.replace("{slug}", slug).split(" ");
    const authorization = `Bearer ${owner.api.token}`;
    const json = { authorization, "content-type": "application/json" };
    const refusal = await fetchPage("/", {
      method,
      asWritten: path,
      headers: body === undefined ? { authorization } : json,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { example } = tellOf(refusal).expected as { readonly example: Example };

    const response = await fetchPage("/", {
      method: example.method,
      asWritten: example.path,
      headers: { ...(example.body === undefined ? { authorization } : json), ...example.headers },
      ...(example.body === undefined
        ? {}
        : { body: typeof example.body === "string" ? example.body : JSON.stringify(example.body) }),
    });

    expect(refusal.status).toBeGreaterThanOrEqual(400);
    expect(response.status, response.text).toBeLessThan(300);
  });
});

interface Example {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

test.each(spellings)("a reader is redirected from %s to the page", async (address, location) => {
  const { status, headers } = await fetchPage("/", {
    asWritten: address.replaceAll("{slug}", kept.slug),
    headers: { accept: "text/html" },
  });

  expect(status).toBe(303);
  expect(headers.location).toMatch(location);
});

test("refused calls do not change the drop", async () => {
  expect(await account.api.succeed("get-drop", { params: { slug: kept.slug } })).toEqual(kept);
});

test("the response to a correct call has no warnings", async () => {
  const { text } = await account.api.call("get-drop", { params: { slug: kept.slug } });

  expect(JSON.parse(text)).not.toHaveProperty("warnings");
});

test("the error of a HEAD request is in a header", async () => {
  const { headers, status, text } = await fetchPage("/", {
    method: "HEAD",
    asWritten: `/api/pages/${kept.slug}`,
  });

  expect([status, text]).toEqual([404, ""]);
  expect(headers["x-error-message"]).toMatch(/GET \/api\/drops\/\{slug\}/);
});

function send(call: WrongCall, token: string): Promise<ReceivedResponse> {
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (braces, name: string) => filled[name] ?? braces);
  const isJson = /^[{["]/.test(call.body);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(isJson ? { "content-type": "application/json" } : {}),
    ...call.headers,
  };
  return fetchPage("/", {
    method: call.method,
    asWritten: fill(call.address),
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([, value]) => value !== "")
        .map(([name, value]) => [name, fill(value)]),
    ),
    ...(call.body === "" ? {} : { body: fill(call.body) }),
  });
}

/** An error of the API, OAuth or MCP, or the warnings or result of a successful call. */
interface Told {
  readonly error?:
    | string
    | { readonly code?: string | number; readonly message: string; readonly details?: object };
  readonly error_description?: string;
  readonly warnings?: readonly string[];
  readonly result?: { readonly content?: readonly { readonly text: string }[] };
}

function tellOf({ text }: ReceivedResponse) {
  const { error, error_description = "", warnings, result } = parse(text);
  const ofTool = result?.content?.map((one) => parse(one.text).error ?? one.text) ?? [];
  const said = [error, ...ofTool].flatMap((one) => (typeof one === "object" ? [one] : []));
  const [first] = said;
  const others = ofTool.filter((one) => typeof one === "string");
  const message = [first?.message ?? error_description, ...others, ...(warnings ?? [])].join(" ").trim();
  const details = first?.details as { readonly expected?: object } | undefined;
  const code = typeof error === "string" ? error : error?.code;
  return {
    // An MCP response has its error in the body, and no code of the API.
    code: text.startsWith('{"jsonrpc"') || text.startsWith('{"result"') ? undefined : code,
    message: message === "" ? text : message,
    details: JSON.stringify(details ?? {}),
    expected: details?.expected,
  };
}

function parse(text: string): Told {
  try {
    return JSON.parse(text) as Told;
  } catch {
    return {};
  }
}
