import { beforeAll, describe, expect, test } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { createTokenPlaintext } from "../../functions/table/identifiers.ts";
import { type Account, anotherToken, newAccount, publish } from "../support/accounts.ts";
import { expectErrorShape } from "../support/expect-error.ts";
import { baseUrl, fetchPage, type ReceivedResponse, type SendOptions } from "../support/http.ts";
import { wrongAddresses } from "../support/wrong-calls/addresses.ts";
import { wrongAuthorizations } from "../support/wrong-calls/authorization.ts";
import { wrongBodies } from "../support/wrong-calls/bodies.ts";
import { wrongChanges } from "../support/wrong-calls/drops.ts";
import { wrongFields } from "../support/wrong-calls/fields.ts";
import { wrongFilesAndSignIns } from "../support/wrong-calls/files-and-sign-in.ts";
import { wrongHeaders } from "../support/wrong-calls/headers.ts";
import { callsOfOtherHosts } from "../support/wrong-calls/hosts.ts";
import { wrongLists } from "../support/wrong-calls/lists.ts";
import { wordsInPaths } from "../support/wrong-calls/paths.ts";
import { tolerantCalls, wrongToolCalls } from "../support/wrong-calls/tools.ts";
import { wrongBesidesTheirAddress } from "../support/wrong-calls/unknown-addresses.ts";
import type { WrongCall } from "../support/wrong-calls/wrong-call.ts";

const tables = {
  addresses: wrongAddresses,
  "words in paths": wordsInPaths,
  headers: wrongHeaders,
  authorization: wrongAuthorizations,
  bodies: wrongBodies,
  fields: wrongFields,
  "changes of a drop": wrongChanges,
  lists: wrongLists,
  "files and sign-in": wrongFilesAndSignIns,
  "other hosts' calls": callsOfOtherHosts,
  "calls with faults beside their address": wrongBesidesTheirAddress,
  tools: wrongToolCalls,
  "calls in another form": tolerantCalls,
} as const;

const atOnce = 12;

let account: Account;
let kept: DropResponse;
/** Values of the placeholders in the tables. */
let filled: Readonly<Record<string, string>>;
/** The response of each call. */
const responses = new Map<WrongCall, ReceivedResponse>();

beforeAll(async () => {
  account = await newAccount("wrong-calls");
  const { api } = account;
  kept = await publish(api, { metadata: { walk: "through" } });
  const [edited, doomed, tagged, shared] = [
    await publish(api),
    await publish(api),
    await publish(api, { metadata: { walk: "alone", team: "eng" } }),
    await publish(api),
  ];
  const blob = await api.succeed("upload-blob", {
    query: { filename: "kept.txt" },
    text: "kept",
    headers: { "content-type": "text/plain" },
  });
  const revoked = await anotherToken(account, "to be revoked");
  const { token } = await revoked.succeed("get-me");
  await revoked.succeed("revoke-token", { params: { id: token.id } });
  const started = await api.succeed("start-sign-in");
  const own = api.token ?? "";
  filled = {
    slug: kept.slug,
    url: kept.url,
    raw: kept.raw_url,
    encodedUrl: encodeURIComponent(kept.url),
    base: encodeURIComponent(baseUrl()),
    edited: edited.slug,
    doomed: doomed.slug,
    tagged: tagged.slug,
    shared: shared.slug,
    blob: blob.id,
    poll: started.poll_token,
    code: started.code,
    cut: own.slice(0, -4),
    mistyped: own.slice(0, -1) + (own.endsWith("x") ? "y" : "x"),
    unknown: createTokenPlaintext(() => 7),
    revoked: revoked.token ?? "",
  };
  // Each table has a token of its own, whose writes in a minute are bounded.
  for (const calls of Object.values(tables)) {
    const { token: own = "" } = await anotherToken(account);
    for (let at = 0; at < calls.length; at += atOnce) {
      const sent = calls.slice(at, at + atOnce).map(async (call) => {
        responses.set(call, await send(call, own));
      });
      await Promise.all(sent);
    }
  }
});

describe.each(Object.entries(tables))("%s", (_name, calls) => {
  test.each(calls.map((call) => [call.what, call] as const))("%s: %o", (_what, call) => {
    const response = responses.get(call);
    if (response === undefined) throw new Error("The call was not made.");

    expect(tellOf(response)).toEqual({ status: call.status, code: call.code });
    if (call.code !== undefined && !call.call.includes(" /oauth/")) expectErrorShape(response);
    expect(helpOf(response)).toMatch(call.hint);
    if (call.allow !== undefined)
      expect(response.headers.allow?.split(", ")).toEqual(expect.arrayContaining([...call.allow]));
  });
});

test("there are 150 calls at least, and no two of them are the same", () => {
  const calls = Object.values(tables).flat();

  expect(calls.length).toBeGreaterThanOrEqual(150);
  const texts = calls.map((call) => JSON.stringify([call.call, call.sent]));
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
});

test("what the refused calls were about is as it was", async () => {
  expect(await account.api.succeed("get-drop", { params: { slug: kept.slug } })).toEqual(kept);
});

test("a right call has no warnings", async () => {
  const { text } = await account.api.call("get-drop", { params: { slug: kept.slug } });

  expect(JSON.parse(text)).not.toHaveProperty("warnings");
});

test("a response to HEAD has its words in a header", async () => {
  const { headers, status, text } = await fetchPage("/", {
    method: "HEAD",
    asWritten: `/api/pages/${kept.slug}`,
  });

  expect([status, text]).toEqual([404, ""]);
  expect(headers["x-error-message"]).toMatch(/GET \/api\/drops\/\{slug\}/);
});

function send({ call, sent }: WrongCall, token: string): Promise<ReceivedResponse> {
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (braces, name: string) =>
      name === "token" ? token : (filled[name] ?? braces),
    );
  const [method = "", address = ""] = fill(call).split(" ");
  const { json, headers: given = {} } = sent;
  const body = json === undefined ? sent.body : fill(JSON.stringify(json));
  const headers: Record<string, string | readonly string[]> = {
    authorization: `Bearer ${token}`,
    ...(json === undefined ? {} : { "content-type": "application/json" }),
    ...given,
  };
  const filledIn = Object.entries(headers)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => [name, typeof value === "string" ? fill(value) : value.map(fill)] as const);
  const options: SendOptions = {
    method,
    headers: Object.fromEntries(filledIn),
    asWritten: address,
    ...(body === undefined ? {} : { body }),
  };
  return fetchPage("/", options);
}

function tellOf({ status, text }: ReceivedResponse) {
  const { error } = bodyOf(text);
  // A message of MCP says in its body that it was refused.
  const isOfMcp = text.startsWith('{"jsonrpc"') || text.startsWith('{"result"');
  return { status, code: isOfMcp ? undefined : typeof error === "string" ? error : error?.code };
}

/** All that the response says of what was wrong, or the response if it says nothing of that. */
function helpOf({ text, headers }: ReceivedResponse): string {
  const { error, error_description, warnings, result } = bodyOf(text);
  if (headers.location !== undefined) return headers.location;
  if (error_description !== undefined) return error_description;
  if (typeof error === "object") return `${error.message}\n${JSON.stringify(error.details)}`;
  if (result !== undefined && "content" in result)
    return result.content
      .map((one) => one.text)
      .map(messageIn)
      .join("\n");
  return warnings === undefined ? text : warnings.join("\n");
}

/** The message of a tool's refusal; any other text as it is. */
function messageIn(text: string): string {
  const { error } = bodyOf(text);
  return typeof error === "object" ? error.message : text;
}

/** Text about an error in a response of the API, of OAuth or of MCP. */
interface Told {
  readonly error?: string | { readonly code: string; readonly message: string; readonly details?: object };
  readonly error_description?: string;
  readonly warnings?: readonly string[];
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

function bodyOf(text: string): Told {
  try {
    return JSON.parse(text) as Told;
  } catch {
    return {};
  }
}
