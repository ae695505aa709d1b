import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Account, newAccount, publish } from "../support/accounts.ts";
import { expectError } from "../support/expect-error.ts";
import type { ReceivedResponse } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import { type ReaderFacts, signInToRead } from "../support/reader.ts";
import { confirmedWith, unusedUsername } from "../support/sign-in.ts";

/** A group of a person who has signed in, with characters that identity providers use in group names. */
const group = `CN=Engineering (${randomUUID()})`;
const reader = `group:${group}`;
let owner: Account;

beforeAll(async () => {
  [owner] = await Promise.all([
    newAccount("sharer"),
    confirmedWith({ username: unusedUsername("engineer"), groups: group }),
  ]);
});

const share = (...readers: string[]) => publish(owner.api, { visibility: "people", readers });

/** Returns a response's warnings, or undefined. */
function warningsOf(response: ReceivedResponse): string[] | undefined {
  return (JSON.parse(response.text) as { readonly warnings?: string[] }).warnings;
}

async function statusFor(url: string, facts: Partial<ReaderFacts>): Promise<number> {
  const visit = await signInToRead(url, { username: unusedUsername("reader"), ...facts });
  return visit.response.status;
}

describe.concurrent("a page for a group", () => {
  test("can be read by people in the group, and no one else", async () => {
    const { url } = await share(reader);

    expect(await statusFor(url, { groups: group })).toBe(200);
    expect(await statusFor(url, { groups: `another, ${group}` })).toBe(200);
    expect(await statusFor(url, { groups: group.toLowerCase() })).toBe(404);
    expect(await statusFor(url, { groups: "another" })).toBe(404);
    expect(await statusFor(url, {})).toBe(404);
  });

  test("cannot be read by a person whose user name is the group's name", async () => {
    const name = unusedUsername("team");
    const { url } = await share(`group:${name}`);

    expect(await statusFor(url, { username: name })).toBe(404);
    expect(await statusFor(url, { username: `group:${name}` })).toBe(404);
  });

  test("is returned with a sentence that says who can read it", async () => {
    const named = ["ada@example.com", "@example.org", "username:Grace", reader];

    expect(await share(...named)).toMatchObject({
      readers: ["ada@example.com", "@example.org", "grace", reader],
      readable_by: `ada@example.com, anyone at example.org, the user grace, and people in ${group}`,
    });
    expect(await publish(owner.api, { visibility: "unlisted" })).toMatchObject({
      readable_by: "anyone with the link",
    });
  });
});

describe.concurrent("a group whose members have never signed in", () => {
  const unknown = `Enginering ${randomUUID()}`;
  const warning = `No one in the group ${JSON.stringify(unknown)} has signed in here yet.`;
  const change = { visibility: "people", readers: [reader, `group:${unknown}`] };
  const page = { html: "<p>two</p>", title: "T" };

  test.each([
    ["publish-drop", { body: { ...page, ...change } }],
    ["edit-drop", { body: change }],
    ["publish-version", { body: { ...page, ...change } }],
    ["upsert-drop", { query: { "metadata.kind": "misspelt" }, body: { ...page, ...change } }],
    ["start-publish", { body: change }],
    ["edit-blob", { body: change }],
    ["start-upload", { body: { filename: "a.txt", size_bytes: 1, ...change } }],
  ] as const)("is accepted by %s with a warning", async (id, options) => {
    const { slug } = await publish(owner.api);
    const file = await owner.api.succeed("upload-blob", { query: { filename: "a.txt" }, text: "text" });
    const params = { slug, id: file.id };

    const response = await owner.api.call(id, { params, ...options });

    expect(response.status).toBeLessThan(300);
    expect(warningsOf(response)).toContainEqual(expect.stringContaining(warning));
  });

  test("causes the warning in the publishing tool, too", async () => {
    const mcp = await connectMcp(owner.api.token);

    const { content } = await mcp.call("publish_drop", {
      ...{ html: "<p>one</p>", title: "A page" },
      ...{ visibility: "people", readers: [`group:${unknown}`] },
    });

    expect(content.at(-1)).toMatchObject({ text: expect.stringContaining("has signed in here yet") });
  });

  test("causes no warning after a member has signed in", async () => {
    const later = `Later ${randomUUID()}`;
    const name = () => {
      const body = { ...page, visibility: "people", readers: [`group:${later}`] };
      return owner.api.call("publish-drop", { body });
    };
    const before = await name();

    await confirmedWith({ username: unusedUsername("engineer"), groups: later });

    expect([before, await name()].map((response) => warningsOf(response)?.length)).toEqual([1, undefined]);
  });
});

test.each(["group:", "group: ", "group:a\nb", "username:", "username:a b", "groups:engineering"])(
  "the reader %j is refused as invalid",
  async (text) => {
    const refused = await owner.api.call("publish-drop", {
      body: { html: "<p>one</p>", title: "A page", visibility: "people", readers: [text] },
    });

    const { message } = expectError(refused, "invalid_arg");
    expect(message).toContain('a group such as "group:engineering"');
  },
);

test("the prefix username: distinguishes a user name with an at sign from an e-mail address", async () => {
  const username = `${unusedUsername("ada")}@contoso.example`;
  const { url, readers } = await share(`username:${username.toUpperCase()}`);

  expect(readers).toEqual([`username:${username}`]);
  expect(await statusFor(url, { username })).toBe(200);
  expect(await statusFor(url, { email: username, email_verified: "true" })).toBe(404);
});
