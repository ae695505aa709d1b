// @module-tag slow

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provisionedNameOf } from "../../functions/people/members.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import { getItem, queryAll } from "../../functions/table/table.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { accountsCommand } from "../../scripts/operator/accounts/account-lists.ts";
import { auditCommand } from "../../scripts/operator/audit.ts";
import { listMembersCommand } from "../../scripts/operator/members/members.ts";
import { runCommand } from "../operator/given-service.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { baseUrl, fetchPage } from "../support/http.ts";
import { openSignedIn } from "../support/own-pages.ts";
import { race } from "../support/race.ts";
import type { RunningService } from "../support/running-service.ts";
import { confirmedWith, signIn, unusedUsername } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import {
  createToken,
  Directory,
  errorSchema,
  scimDataDirectory,
  scimToken,
  startScimService,
  unusedAddress,
  userOf,
} from "./scim-client.ts";

let service: RunningService;
let directory: Directory;
let tokenId: string;
let members: string;
/** User name of a person who had an account before the directory was connected. */
const early = unusedUsername("early");
let earlyApi: ApiClient;

beforeAll(async () => {
  service = await startScimService();
  earlyApi = new ApiClient(
    await confirmedWith({ username: early, email: `${early}@example.com`, email_verified: "true" }),
  );
});

afterAll(() => service.stop());

/** Connects the directory with a token, once for all tests. */
async function connectDirectory(): Promise<void> {
  if (directory !== undefined) return;
  const { id, plaintext } = await createToken();
  tokenId = id;
  directory = new Directory(plaintext);
  members = await directory.createGroup("Publishers");
}

const statusOf = async (api: ApiClient) => (await api.call("get-me")).status;

describe("SCIM without an operator's token", () => {
  test.each([
    ["GET", "/Users"],
    ["POST", "/Users"],
    ["GET", "/ServiceProviderConfig"],
    ["DELETE", "/Groups/x"],
  ])("%s /scim/v2%s gets the response of a missing page", async (method, path) => {
    const headers = { accept: "application/json", authorization: "Bearer scim_x" };

    const scim = await fetchPage(`/scim/v2${path}`, { method, headers });
    const missing = await fetchPage(`/scim-v3${path}`, { method, headers });

    expect([scim.status, missing.status]).toEqual([404, 404]);
    const errorOf = ({ text }: typeof scim) => JSON.parse(text).error;
    expect(errorOf(scim)).toEqual({
      code: errorOf(missing).code,
      message: "Nothing was found at this address.",
      details: { guide: errorOf(missing).details.guide },
    });
    const named = ({ headers: received }: typeof scim) =>
      Object.keys(received)
        .filter((name) => !["x-request-id", "date"].includes(name))
        .sort();
    expect(named(scim)).toEqual(named(missing));
  });
});

describe("the operator", () => {
  test("creates at most two tokens, whose plaintext is not stored, and revokes one while the other works", async () => {
    const [one, two] = [await createToken(), await createToken()];

    await expect(scimToken("create")).rejects.toThrow("There are 2 SCIM tokens");
    const stored = JSON.stringify(await getItem(keys.scimTokens()));
    expect(stored).not.toContain(one.plaintext);
    expect((await scimToken("list")).lines.join("\n")).toContain(two.id);
    expect((await scimToken("revoke", two.id)).isWell).toBe(true);

    const statuses = [one, two].map(
      async ({ plaintext }) => (await new Directory(plaintext).send("GET", "/Users")).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 401]);
    await scimToken("revoke", one.id);
  });
});

describe("a person", () => {
  beforeAll(connectDirectory);

  test("who signed in before being provisioned with a verified address loses access when deactivated", async () => {
    const id = await directory.createUser(`${early}@EXAMPLE.com`);
    expect(await statusOf(earlyApi)).toBe(200);

    await directory.setActive(id, false);

    expect(await statusOf(earlyApi)).toBe(401);
  });

  test("who is provisioned as inactive loses access immediately, and cannot sign in", async () => {
    const username = unusedUsername("inactive");
    const facts = { username, email: `${username}@example.com`, email_verified: "true" };
    const api = new ApiClient(await confirmedWith(facts));

    await directory.createUser(username, { active: false });

    expect(await statusOf(api)).toBe(401);
    await expect(confirmedWith(facts)).rejects.toThrow("403");
  });

  test("whom the directory has never provisioned signs in by the other rules", async () => {
    const username = unusedUsername("guest");

    const token = await confirmedWith({ username, email: `${username}@example.com`, email_verified: "true" });

    expect(await statusOf(new ApiClient(token))).toBe(200);
  });

  test("who is deleted has no access until the directory provisions them again", async () => {
    const username = unusedUsername("deleted");
    const facts = { username, email: `${username}@example.com`, email_verified: "true" };
    const id = await directory.createUser(username);
    await directory.send("DELETE", `/Users/${id}`);
    await expect(confirmedWith(facts)).rejects.toThrow("403");

    const next = await directory.createUser(username);

    expect(next).not.toBe(id);
    expect(await statusOf(new ApiClient(await confirmedWith(facts)))).toBe(200);
    expect(JSON.stringify(await getItem(keys.provisionedUser(id)))).not.toContain(username);
  });

  test("who was renamed loses the old session and token, while the name's next holder stays", async () => {
    const [name, renamed] = [unusedUsername("name"), unusedUsername("renamed")];
    const id = await directory.createUser(name);
    await directory.patch(`/Groups/${members}`, [{ op: "add", path: "members", value: [{ value: id }] }]);
    const api = new ApiClient((await signIn(name)).token);
    const browser = new Visitor();
    await openSignedIn("/account", name, browser);
    await directory.patch(`/Users/${id}`, [{ op: "Replace", path: "userName", value: renamed }]);
    const next = await directory.createUser(name);

    await directory.setActive(id, false);

    expect(await statusOf(api)).toBe(401);
    expect((await browser.open("/account")).response.status).toBe(403);
    expect((await directory.send("GET", `/Users/${next}`)).body.active).toBe(true);
  });

  test("keeps their tokens when the next holder of their old name is deactivated", async () => {
    const [name, renamed] = [unusedUsername("name"), unusedUsername("renamed")];
    const id = await directory.createUser(name);
    await directory.patch(`/Groups/${members}`, [{ op: "add", path: "members", value: [{ value: id }] }]);
    const api = new ApiClient((await signIn(name)).token);
    await directory.patch(`/Users/${id}`, [{ op: "Replace", path: "userName", value: renamed }]);

    await directory.setActive(await directory.createUser(name), false);

    expect(await statusOf(api)).toBe(200);
  });

  test("with more tokens than fit into a transaction loses all of them", { tags: "nightly" }, async () => {
    const username = unusedUsername("many");
    const id = await directory.createUser(username);
    await directory.patch(`/Groups/${members}`, [{ op: "add", path: "members", value: [{ value: id }] }]);
    const { token, userId } = await signIn(username);
    const row = (await queryAll(ranges.tokenRows(userId)))[0] ?? {};
    // Copies of the first token's item, which saves a dozen requests for each.
    for (let count = 0; count < 60; count += 1) {
      const hash = `${String(count).padStart(4, "0")}${String(row.hash).slice(4)}`;
      await updateItem({
        key: keys.tokenRow(userId, `given${String(count).padStart(7, "0")}`),
        update: "SET #hash = :hash",
        condition: "attribute_not_exists(pk)",
        names: { "#hash": "hash" },
        values: { ":hash": hash },
      });
    }

    await directory.setActive(id, false);

    expect(await queryAll(ranges.tokenRows(userId))).toEqual([]);
    expect(await statusOf(new ApiClient(token))).toBe(401);
  });
});

describe("the operator's lists", () => {
  beforeAll(connectDirectory);

  test("show changes that the directory has sent since the person's last sign-in", {
    tags: "nightly",
  }, async () => {
    const username = unusedUsername("listed");
    const id = await directory.createUser(username);
    const change = (op: string) =>
      directory.patch(`/Groups/${members}`, [{ op, path: "members", value: [{ value: id }] }]);
    await change("add");
    await signIn(username);
    const listed = async () => {
      const given = { dataDirectory: scimDataDirectory() };
      const { lines: all } = await runCommand(listMembersCommand, given, []);
      const { lines: found } = await runCommand(accountsCommand, given, [username]);
      return [all.find((line) => line.includes(`account  ${username.toLowerCase()}`)), found[0]];
    };
    const expectBoth = async (words: string) => {
      for (const line of await listed()) expect(line).toContain(words);
    };

    await expectBoth('member through the group "Publishers"');
    await change("remove");
    await expectBoth("no member");
    await change("add");
    await expectBoth('member through the group "Publishers"');
    await directory.setActive(id, false);
    await expectBoth("  deactivated");
  });
});

describe("a group", () => {
  beforeAll(connectDirectory);

  test("gives its people membership and read access until they leave it, without a new sign-in", async () => {
    const username = unusedUsername("grouped");
    const owner = unusedUsername("owner");
    const [id, ownerId] = [await directory.createUser(username), await directory.createUser(owner)];
    const change = (op: string) =>
      directory.patch(`/Groups/${members}`, [{ op, path: "members", value: [{ value: id }] }]);
    await directory.patch(`/Groups/${members}`, [
      { op: "add", path: "members", value: [{ value: ownerId }] },
    ]);
    const html = pageOf("For members");
    const { slug } = await publish(new ApiClient((await signIn(owner)).token), {
      visibility: "members",
      html,
    });
    const browser = new Visitor();
    await openSignedIn("/account", username, browser);
    const reads = async () =>
      (await browser.open(`${baseUrl()}/p/${slug}/raw`)).response.text.includes("For members");
    expect(await reads()).toBe(false);

    await change("add");
    expect(await reads()).toBe(true);
    await change("remove");
    expect(await reads()).toBe(false);
  });

  test("gives its people the pages shared with it, also in the library, until they leave it", async () => {
    const [username, owner] = [unusedUsername("shared-with"), unusedUsername("owner")];
    const [id, ownerId] = [await directory.createUser(username), await directory.createUser(owner)];
    await directory.patch(`/Groups/${members}`, [
      { op: "add", path: "members", value: [{ value: ownerId }] },
    ]);
    const name = unusedUsername("engineering");
    const group = await directory.createGroup(name);
    const api = new ApiClient((await signIn(owner)).token);
    const drop = await publish(api, {
      visibility: "people",
      readers: [`group:${name}`],
      title: `Plan of ${name}`,
    });
    const browser = new Visitor();
    await openSignedIn("/account", username, browser);
    const statusAt = async () => (await browser.open(`${baseUrl()}/p/${drop.slug}`)).response.status;
    const isListed = async () => (await browser.open("/library")).response.text.includes(`Plan of ${name}`);
    const change = (op: string) =>
      directory.patch(`/Groups/${group}`, [{ op, path: "members", value: [{ value: id }] }]);
    expect([await statusAt(), await isListed()]).toEqual([404, false]);

    await change("add");

    expect(drop).not.toHaveProperty("warnings");
    expect(await statusAt()).toBe(200);
    await expect.poll(isListed).toBe(true);
    await change("remove");
    expect([await statusAt(), await isListed()]).toEqual([404, false]);
  });

  test("that is renamed gives its members the new name, and removes the old one", async () => {
    const username = unusedUsername("renamed-group");
    const id = await directory.createUser(username);
    const name = unusedUsername("group");
    const group = await directory.createGroup(name, [id]);

    await directory.patch(`/Groups/${group}`, [{ op: "replace", value: { displayName: `${name} 2` } }]);

    expect(await getItem(keys.provisionedUser(id))).toMatchObject({
      groups: { [group]: `${name} 2` },
      formerGroups: new Set([name]),
    });
    expect((await getItem(keys.provisionedGroup(group)))?.formerNames).toBeUndefined();
  });

  test("is completed by a repeated request if the first one was interrupted", async () => {
    const ids = await Promise.all([1, 2, 3].map(() => directory.createUser(unusedAddress())));
    const group = await directory.createGroup(unusedUsername("half"), ids.slice(0, 1));
    // The state after a function was stopped between the writes of the group and of its members.
    await updateItem({
      key: keys.provisionedGroup(group),
      update: "ADD revision :one",
      condition: "attribute_exists(pk)",
      values: { ":one": 1 },
    });
    const whole = [{ op: "replace", path: "members", value: ids.map((value) => ({ value })) }];

    for (let count = 0; count < 2; count += 1)
      expect((await directory.patch(`/Groups/${group}`, whole)).status).toBe(204);

    const { body } = await directory.send("GET", `/Groups/${group}`);
    expect(body.members).toHaveLength(3);
  });

  test("gets the existing members of a request even if another one is missing, which the error names", async () => {
    const id = await directory.createUser(unusedAddress());
    const group = await directory.createGroup(unusedUsername("partial"));
    const missing = "0000000000000000";

    const { status, body } = await directory.patch(`/Groups/${group}`, [
      { op: "add", path: "members", value: [{ value: missing }, { value: id }] },
    ]);

    expect([status, body.scimType]).toEqual([400, "invalidValue"]);
    expect(body.detail).toContain(missing);
    expect((await directory.send("GET", `/Groups/${group}`)).body.members).toMatchObject([{ value: id }]);
  });

  test("loses a member who is deleted", async () => {
    const id = await directory.createUser(unusedAddress());
    const group = await directory.createGroup(unusedUsername("losing"), [id]);

    await directory.send("DELETE", `/Users/${id}`);

    expect((await directory.send("GET", `/Groups/${group}`)).body.members).toEqual([]);
  });
});

describe("requests", () => {
  beforeAll(connectDirectory);

  test("that change one user concurrently all succeed, each with its own version", async () => {
    const id = await directory.createUser(unusedAddress());
    const parts = ["givenName", "familyName", "middleName", "formatted"];

    const responses = await race(parts.length, (index) =>
      directory.patch(`/Users/${id}`, [
        { op: "replace", path: `name.${parts[index]}`, value: `new ${index}` },
      ]),
    );

    expect(responses.map(({ status }) => status)).toEqual(parts.map(() => 200));
    expect(new Set(responses.map(({ headers }) => headers.etag)).size).toBe(parts.length);
    const expected = Object.fromEntries(parts.map((part, index) => [part, `new ${index}`]));
    expect((await directory.send("GET", `/Users/${id}`)).body.name).toEqual(expected);
  });

  test("with the same If-Match version have one winner", async () => {
    const id = await directory.createUser(unusedAddress());
    const { headers, body } = await directory.send("GET", `/Users/${id}`);
    expect(headers.etag).toBe(body.meta.version);

    const responses = await race(4, (index) =>
      directory.patch(`/Users/${id}`, [{ op: "replace", path: "displayName", value: `${index}` }], {
        "if-match": headers.etag ?? "",
      }),
    );

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  test("for an unchanged resource get 304, and another version after each change", async () => {
    const id = await directory.createUser(unusedAddress());
    const { headers } = await directory.send("GET", `/Users/${id}`);
    const ask = () =>
      directory.send("GET", `/Users/${id}`, undefined, { "if-none-match": headers.etag ?? "" });

    expect(await ask()).toMatchObject({ status: 304, text: "" });
    await directory.createGroup(unusedUsername("tagged"), [id]);
    expect((await ask()).status).toBe(200);
    const stale = await directory.send("DELETE", `/Users/${id}`, undefined, {
      "if-match": headers.etag ?? "",
    });
    expect(stale.status).toBe(412);
  });

  test("that are repeated change nothing, and add no audit entry", {
    tags: "nightly",
  }, async () => {
    const username = unusedAddress();
    const id = await directory.createUser(username);
    for (let count = 0; count < 2; count += 1) await directory.setActive(id, false);
    await directory.send("PUT", `/Users/${id}`, userOf(username, { active: false }));
    await directory.send("DELETE", `/Users/${id}`);
    await directory.send("DELETE", `/Users/${id}`);

    const { lines } = await runCommand(auditCommand, { dataDirectory: scimDataDirectory() }, [], {
      json: true,
    });

    const own = lines.map((line) => JSON.parse(line)).filter(({ scim_id }) => scim_id === id);
    expect(own.map(({ action }) => action)).toEqual([
      "create-scim-user",
      "deactivate-scim-user",
      "delete-scim-user",
    ]);
    for (const line of own) expect(line).toMatchObject({ by: "scim", token_id: tokenId });
  });

  test("list all users page by page, each user once", async () => {
    for (let count = 0; count < 3; count += 1) await directory.createUser(unusedAddress());
    const seen: string[] = [];
    let total = 1;
    for (let startIndex = 1; startIndex <= total; startIndex += 2) {
      const { body } = await directory.send(
        "GET",
        `/Users?startIndex=${startIndex}&count=2&attributes=userName`,
      );
      total = body.totalResults;
      expect(body.startIndex).toBe(startIndex);
      for (const user of body.Resources) {
        expect(Object.keys(user).sort()).toEqual(["id", "schemas", "userName"]);
        seen.push(user.id);
      }
    }

    expect(seen).toHaveLength(total);
    expect(new Set(seen).size).toBe(total);
    expect((await directory.send("GET", "/Users?count=0")).body).toMatchObject({
      totalResults: total,
      Resources: [],
    });
  });

  test.each([
    ["GET", "/Users?filter=userName%20eq", undefined, 400, "invalidFilter"],
    ["GET", "/Users?filter=%28%28", undefined, 400, "invalidFilter"],
    ["GET", "/Users?count=x", undefined, 400, "invalidValue"],
    ["POST", "/Users", "{", 400, "invalidSyntax"],
    ["POST", "/Users", { active: true }, 400, "invalidValue"],
    ["POST", "/Users", { userName: "x", active: "maybe" }, 400, "invalidValue"],
    ["POST", "/Groups", { displayName: "" }, 400, "invalidValue"],
    ["POST", "/Groups", { displayName: "x", members: [{ value: "../x" }] }, 400, "invalidValue"],
    ["PATCH", "/Users/0000000000000000", { Operations: [] }, 400, "invalidSyntax"],
    ["POST", "/Bulk", {}, 501, undefined],
    ["GET", "/Me", undefined, 501, undefined],
    ["GET", "/Devices", undefined, 404, undefined],
    ["POST", "/ServiceProviderConfig", {}, 405, undefined],
  ])(
    "%s %s with %j is refused with %i in the shape of SCIM",
    async (method, path, body, status, scimType) => {
      const response = await directory.send(method, path, body);

      expect(response.status).toBe(status);
      expect(response.body).toMatchObject({
        schemas: [errorSchema],
        status: String(status),
        detail: expect.any(String),
      });
      expect(response.body.scimType).toBe(scimType);
      expect(response.headers["content-type"]).toMatch(/^application\/scim\+json/);
    },
  );

  test.each([
    [{ op: "replace", path: "id", value: "x" }, "mutability"],
    [{ op: "remove", path: "active" }, "mutability"],
    [{ op: "remove", path: "userName" }, "invalidValue"],
    [{ op: "frobnicate", path: "active", value: true }, "invalidSyntax"],
    [{ op: "replace", path: "emails[", value: "x" }, "invalidPath"],
    [{ op: "remove" }, "invalidPath"],
  ])("to patch a user by %j are refused, and change nothing", async (operation, scimType) => {
    const id = await directory.createUser(unusedAddress());
    const before = (await directory.send("GET", `/Users/${id}`)).body;

    const { status, body } = await directory.patch(`/Users/${id}`, [operation]);

    expect([status, body.scimType]).toEqual([400, scimType]);
    expect((await directory.send("GET", `/Users/${id}`)).body).toEqual(before);
  });
});

test("a provisioned name of any text is stored as a hash", () => {
  const long = "ada#\u0000".repeat(500);

  expect(provisionedNameOf("userName", long)).toMatch(/^userName#[\w-]{43}$/);
  expect(provisionedNameOf("userName", " Ada ")).toBe(provisionedNameOf("userName", "ada"));
  expect(provisionedNameOf("externalId", "A")).not.toBe(provisionedNameOf("externalId", "a"));
});
