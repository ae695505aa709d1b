// @module-tag slow

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { admit } from "../../functions/identity/admission.ts";
import { deviceCodes } from "../../functions/identity/device-codes.ts";
import { isMember } from "../../functions/people/members.ts";
import { keys, ranges } from "../../functions/table/keys.ts";
import { getItem, queryAll } from "../../functions/table/table.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { deleteAccountCommand } from "../../scripts/operator/accounts/delete-account.ts";
import { dieOnTheWay } from "../operator/die-on-the-way.ts";
import { runCommand } from "../operator/given-service.ts";
import { publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { expectError, expectErrorPage } from "../support/expect-error.ts";
import { givenAct } from "../support/given-act.ts";
import { fetchPage } from "../support/http.ts";
import { connectMcp } from "../support/mcp-client.ts";
import type { RunningService } from "../support/running-service.ts";
import { pollSignIn, startSignIn, unusedUsername } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import {
  age,
  dayMs,
  type Facts,
  identityOf,
  memberAs,
  members,
  ofTheDomain,
  pendingCode,
  signInAs,
  signInAtProvider,
  startMembersService,
  statusOf,
  verified,
} from "./given-members.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startMembersService();
});

afterAll(() => service.stop());

describe.concurrent("a service for members", () => {
  test.each<[string, Facts]>([
    ["a verified address of the domain", { email: "Ada@EXAMPLE.com", ...verified }],
    ["a group in the claim that the settings name", { groups: "readers, publishers" }],
    ["an organization, in any letter case", { groups: "EXAMPLE-inc" }],
  ])("admits a person with %s", async (_, facts) => {
    const { response, poll } = await signInAs(facts);

    expect(response.status).toBe(200);
    expect(poll).toMatchObject({ status: "verified", api_token: expect.stringMatching(/^hb_/) });
  });

  test.each<[string, Facts]>([
    ["has no address or group", {}],
    ["has an unverified address of the domain", { email: "ada@example.com" }],
    ["has an address of a subdomain", { email: "ada@mail.example.com", ...verified }],
    ["has an address of a look-alike domain", { email: "ada@ex\u0430mple.com", ...verified }],
    ["has an address with the domain in its local part", { email: "example.com@other.example", ...verified }],
    ["has an address with two at signs", { email: "ada@other.example@example.com", ...verified }],
    ["is in a group whose name differs in case", { groups: "Publishers" }],
    ["has a user name that ends with the domain", { username: `${unusedUsername("a")}@example.com` }],
  ])("does not admit a person who %s, and their agent's code expires", async (_, facts) => {
    const { response, poll } = await signInAs(facts);

    expectErrorPage(response, 403);
    expect(poll).toEqual({ status: "expired" });
  });

  test("shows a refused person whom to contact, and what to send them", async () => {
    const facts = { email: "ada@other.example", ...verified };

    const { username, response } = await signInAs(facts);

    const message = `Please let me publish on ${service.address}.\nUser name: ${username}\nVerified e-mail address: ada@other.example`;
    expect(response.text).toContain("<h2>Ask operators@example.com</h2>");
    expect(response.text).toContain(message);
    const [, href = ""] = /href="(mailto:[^"]*)"/.exec(response.text) ?? [];
    const mail = new URL(href.replaceAll("&amp;", "&"));
    expect(mail.pathname).toBe("operators@example.com");
    expect(mail.searchParams.get("body")).toBe(message.replaceAll("\n", "\r\n"));
  });

  test("returns the refusal in JSON to a client that accepts JSON", async () => {
    const { username, comeBack } = await signInAtProvider({ email: "ada@other.example", ...verified });

    const { response } = await comeBack({ accept: "application/json" });

    const { message, details } = expectError(response, "forbidden");
    expect(message).toBe("Only members may publish here. Ask operators@example.com.");
    expect(details).toEqual({
      reason: "not_a_member",
      contact: "mailto:operators@example.com",
      username,
      emails: ["ada@other.example"],
    });
  });

  test("shows a refused user name without line breaks and markup", async () => {
    const { response } = await signInAs({
      username: `${unusedUsername("a")}\u2028Verified e-mail address: boss@example.com<script>alert(1)</script>`,
    });

    expectErrorPage(response, 403);
    expect(response.text).toContain("?verified e-mail address: boss@example.com&lt;script>");
  });

  test("invalidates a refused person's code, so that the same callback does nothing", async () => {
    const { comeBack } = await signInAtProvider({});
    await comeBack();

    const { response } = await comeBack({ accept: "application/json" });

    expectError(response, "invalid_arg");
  });
});

describe.concurrent("an operator", () => {
  test("adds a person by user name, in any case, effective at the next sign-in", async () => {
    const username = unusedUsername("Grace");
    expect((await signInAs({ username })).response.status).toBe(403);

    const { isWell, lines } = await members("add", username.toUpperCase());

    expect([isWell, ...lines]).toEqual([true, `user name "${username.toLowerCase()}" may publish.`]);
    const { api } = await memberAs({ username });
    expect((await publish(api)).locked).toBe(false);
  });

  test("adds several people by address, group and name, or none if one is misspelled", {
    tags: "nightly",
  }, async () => {
    const [name, group] = [unusedUsername("lin"), unusedUsername("team")];
    const email = `${name}@other.example`;

    await expect(members("add", name, "lin@\u0435xample.com")).rejects.toThrow("is not an e-mail address");
    expect((await signInAs({ username: name })).response.status).toBe(403);
    await members("add", `username:${name}`, email.toUpperCase(), `group:${group}`);

    for (const facts of [{ username: name }, { email, ...verified }, { groups: group }])
      expect((await signInAs(facts)).response.status).toBe(200);
    expect((await signInAs({ email })).response.status).toBe(403);
  });

  test.each([
    [["add"], "Name people to add, or use --accounts."],
    [["add", "@example.com"], '"@example.com" is a whole domain. Admit it in the settings'],
    [["add", "group:"], '"group:" is not a name'],
    [["remove"], "Name a person or group to remove, or use --from <file>."],
    [["remove", "ada", "--from", "leavers.txt"], "Name a person or group to remove, or use --from <file>."],
    [["remove", "--from", "/no/such/file"], "/no/such/file cannot be read: ENOENT"],
    [["remove", "account:nobody-at-all"], 'There is no account "nobody-at-all".'],
    [["remove", "group:publishers"], 'The settings admit the group "publishers"'],
    [["add", "ada", "--hide"], "Unknown option --hide."],
  ])("is shown how to correct an invalid command: members %j", async (words, message) => {
    await expect(members(...words)).rejects.toThrow(message);
  });

  test("removes everyone in a file, and sees who could not be removed", { tags: "nightly" }, async () => {
    const [first, second] = [ofTheDomain(), ofTheDomain()];
    const gone = await memberAs(first);
    const alsoGone = await memberAs(second);
    const stays = await memberAs(ofTheDomain());
    const file = join(mkdtempSync(join(tmpdir(), "leavers-")), "leavers.txt");
    writeFileSync(
      file,
      `# Left in November\n\n${first.email}\r\naccount:nobody-at-all\n  username:${alsoGone.username}\n`,
    );

    const { isWell, lines } = await members("remove", "--from", file);

    expect(isWell).toBe(false);
    expect(lines).toContain('account "nobody-at-all" was not removed. There is no account "nobody-at-all".');
    expect(lines.at(-1)).toBe("Names: 3. Not removed: 1.");
    expect(await Promise.all([gone, alsoGone, stays].map(({ api }) => statusOf(api)))).toEqual([
      401, 401, 200,
    ]);
  });

  test("changes nothing if a line of the file matches no one", async () => {
    const facts = ofTheDomain();
    const { api } = await memberAs(facts);
    const file = join(mkdtempSync(join(tmpdir(), "leavers-")), "leavers.txt");
    writeFileSync(file, `${facts.email}\n@example.com\n`);

    await expect(members("remove", "--from", file)).rejects.toThrow('"@example.com" is a whole domain');

    expect(await statusOf(api)).toBe(200);
  });

  test("removes a person whom a rule admits: tokens and sign-ins are refused, and the pages stay", {
    tags: "nightly",
  }, async () => {
    const facts = ofTheDomain();
    const { api, username, userId } = await memberAs(facts);
    const drop = await publish(api);

    const { isWell, lines } = await members("remove", facts.email);

    expect([isWell, ...lines]).toEqual([
      true,
      `${username} (${userId}) may not publish any more. Tokens revoked: 1.`,
      `Their pages stay. suspend ${username} hides them; transfer ${username} <to> gives them to somebody else.`,
    ]);
    expect(await statusOf(api)).toBe(401);
    expect((await signInAs({ ...facts, username })).response.status).toBe(403);
    expect((await signInAs({ username, groups: "publishers" })).response.status).toBe(403);
    expect((await signInAs(facts)).response.status).toBe(403);
    expect((await fetchPage(drop.raw_url)).status).toBe(200);
  });

  test("reverts a removal by any name of the person, whose account is unchanged", {
    tags: "nightly",
  }, async () => {
    const facts = ofTheDomain();
    const { username, userId } = await memberAs(facts);
    await members("remove", username);
    expect((await signInAs({ ...facts, username })).response.status).toBe(403);

    await members("add", facts.email);

    expect((await memberAs({ ...facts, username })).userId).toBe(userId);
  });

  test("can hide the pages of people whom they remove", { tags: "nightly" }, async () => {
    const facts = ofTheDomain();
    const { api, username } = await memberAs(facts);
    const { raw_url: address } = await publish(api);

    const { isWell, lines } = await members("remove", username, "--hide");

    expect([isWell, lines.at(-1)]).toEqual([
      true,
      expect.stringMatching(/is suspended: \d+ of its addresses/),
    ]);
    expect((await fetchPage(address)).status).toBe(404);
    expect((await members("add", username)).lines.at(-1)).toContain(
      "is still suspended. To lift the suspension, run: unsuspend",
    );
  });

  test("bars by address a person without an account, even if a rule admits them", async () => {
    const facts = ofTheDomain();

    const { lines } = await members("remove", facts.email);

    expect(lines).toEqual([`e-mail "${facts.email}" has no account, and is now barred.`]);
    expect((await signInAs(facts)).response.status).toBe(403);
  });

  test("removes a group: its people lose their tokens unless another rule admits them", {
    tags: "nightly",
  }, async () => {
    const group = unusedUsername("team");
    await members("add", `group:${group}`);
    const alone = await memberAs({ groups: group });
    const also = await memberAs({ groups: group, ...ofTheDomain() });

    const { lines } = await members("remove", `group:${group}`);

    expect(lines.at(-1)).toBe("Accounts that are no longer members: 1.");
    expect([await statusOf(alone.api), await statusOf(also.api)]).toEqual([401, 200]);
    expect((await signInAs({ username: alone.username, groups: group })).response.status).toBe(403);
  });

  test("removes a person whose verified code is unclaimed, and the agent then gets no token", async () => {
    const facts = ofTheDomain();
    const signIn = await signInAtProvider(facts);
    expect((await signIn.comeBack()).response.status).toBe(200);

    await members("remove", facts.email);

    expect(await pollSignIn(signIn.start.poll_token)).toEqual({ status: "expired" });
  });

  test("is asked which of two accounts is meant", { tags: "nightly" }, async () => {
    const email = `${unusedUsername("shared")}@example.com`;
    const [one, other] = [await memberAs({ email, ...verified }), await memberAs({ email, ...verified })];

    await expect(members("remove", email)).rejects.toThrow("Choose one: account:");
    await members("remove", `account:${one.userId}`);

    expect([await statusOf(one.api), await statusOf(other.api)]).toEqual([401, 200]);
  });

  test("sees who may publish, and by which rule", { tags: "nightly" }, async () => {
    const username = unusedUsername("listed");
    await members("add", username);
    const { userId } = await memberAs({ username });
    const facts = ofTheDomain();
    const removed = await memberAs(facts);
    await members("remove", removed.username);

    const { lines } = await members("list");

    expect(lines[0]).toBe(
      'settings: e-mail domain "example.com", organization "example-inc", group "publishers"',
    );
    const entry = lines.find((line) => line.startsWith(`entry    user name "${username}"`)) ?? "";
    expect(entry).toMatch(
      /added 20\S+ \S+ {2}by arn:aws:iam::000000000000:user\/administrator {2}is listed-/,
    );
    expect(lines).toContain(
      `account  ${username} (${userId})  member through the entry user name "${username}"  1 token`,
    );
    expect(lines).toContain(`account  ${removed.username} (${removed.userId})  removed  0 tokens`);
    expect(lines).toContainEqual(expect.stringMatching(`^entry    e-mail "${facts.email}"  barred 20`));
  });
});

describe.concurrent("a race", () => {
  test("of several people for one user name has one winner, who keeps the name", async () => {
    const username = unusedUsername("taken");
    await members("add", username);
    const people = Array.from({ length: 5 }, () => identityOf({ username }));

    const admitted = await Promise.all(people.map((person) => admit(person, givenAct())));

    const winners = people.filter((_, index) => admitted[index]?.isMember);
    expect(winners).toHaveLength(1);
    expect(await Promise.all(people.map(isMember))).toEqual(people.map((one) => one === winners[0]));
    await members("add", "--anew", username);
    expect(
      (await admit(people.find((one) => one !== winners[0]) ?? identityOf({}), givenAct())).isMember,
    ).toBe(true);
  });

  test.each<[string, (names: { username: string; email: string }) => string[]]>([
    ["by address", ({ email }) => ["remove", email]],
    ["by user name", ({ username }) => ["remove", username]],
  ])("of a removal %s with a first sign-in leaves no verified code", async (_, words) => {
    const identity = identityOf({});
    const email = `${identity.username}@example.com`;
    const admission = await admit({ ...identity, emails: [email] }, givenAct());
    expect(admission.isMember).toBe(true);

    await members(...words({ username: identity.username, email }));

    const conditions = admission.isMember ? admission.conditions : [];
    const code = await pendingCode();
    expect(await deviceCodes.verify(code, { userId: "NobodyAtAll00001" }, givenAct(), conditions)).toBe(
      "refused",
    );
  });

  test("of an entry's removal with a sign-in by it leaves no verified code", async () => {
    const group = unusedUsername("team");
    await members("add", `group:${group}`);
    const admission = await admit(identityOf({ groups: [group] }), givenAct());

    await members("remove", `group:${group}`);

    const conditions = admission.isMember ? admission.conditions : [];
    expect(
      await deviceCodes.verify(await pendingCode(), { userId: "NobodyAtAll00001" }, givenAct(), conditions),
    ).toBe("refused");
  });

  test("of a removal with sign-ins and polls leaves no working token", {
    tags: "nightly",
  }, async () => {
    const facts = ofTheDomain();
    const { username, api } = await memberAs(facts);
    const signIns = await Promise.all(
      Array.from({ length: 4 }, () => signInAtProvider({ ...facts, username })),
    );

    const [, ...polls] = await Promise.all([
      members("remove", username),
      ...signIns.map(async ({ comeBack, start }) => {
        await comeBack();
        return pollSignIn(start.poll_token);
      }),
    ]);

    const tokens = polls.flatMap(({ api_token: token }) =>
      token === undefined ? [] : [new ApiClient(token)],
    );
    for (const client of [api, ...tokens]) expect(await statusOf(client)).toBe(401);
  });
});

describe.concurrent("a token", () => {
  test("is valid for the days in the settings, says so, and its items are deleted some time later", async () => {
    const { api, userId } = await memberAs(ofTheDomain());

    const { tokens } = await api.succeed("list-tokens");
    const { token } = await api.succeed("get-me");

    const [listed] = tokens;
    expect(listed?.expires_at).toBe((listed?.created_at ?? 0) + 30 * dayMs);
    expect(token.expires_at).toBe(listed?.expires_at);
    const [row] = await queryAll(ranges.tokenRows(userId));
    const item = await getItem(keys.token(row?.hash as string));
    for (const kept of [row, item])
      expect(kept).toMatchObject({ ttl: Math.ceil((listed?.expires_at ?? 0) / 1000) + 30 * 24 * 60 * 60 });
  });

  test("warns from 14 days before its expiry, with every response and tool result", {
    tags: "nightly",
  }, async () => {
    const { api, userId } = await memberAs(ofTheDomain());
    const { slug } = await publish(api);
    const warned = async () => [
      ...(await Promise.all(
        [
          api.call("get-me"),
          api.call("list-drops"),
          api.call("edit-drop", { params: { slug }, body: { title: "Renamed", colour: "red" } }),
        ].map(async (call) => (JSON.parse((await call).text) as { warnings?: string[] }).warnings?.join()),
      )),
      ...(await toolTexts(api)),
    ];

    await age(userId, 15);
    const before = await warned();
    await age(userId, 17);
    const after = await warned();

    const words = "sign in again";
    expect(before.filter((text) => text?.includes("expires on"))).toEqual([]);
    expect(after.filter((text) => text?.includes("expires on") && text.includes(words))).toHaveLength(4);
  });

  test("of a connected client warns before its access ends, even though it is renewed hourly", async () => {
    const { api, userId } = await memberAs(ofTheDomain());
    const [row] = await queryAll(ranges.tokenRows(userId));
    const soon = { ":soon": Date.now() + 3_600_000, ":later": Date.now() + 13 * dayMs };
    await updateItem({
      key: keys.token(row?.hash as string),
      update: "SET audience = :mcp, expiresAtMs = :soon, grantExpiresAtMs = :later",
      condition: "attribute_exists(pk)",
      values: { ":mcp": "mcp", ...soon },
    });

    const texts = await toolTexts(api);

    const end = new Date(soon[":later"]).toISOString();
    expect(texts.at(-1)).toContain(
      `This client's access ends on ${end}. Tell the human to remove the connection in the client`,
    );
  });

  test.each([
    ["with a stored expiry", { isFromBefore: false }],
    ["created before the setting", { isFromBefore: true }],
  ])("%s is refused after its expiry, with what to do, and counts no write and no use", async (_, how) => {
    const { api, userId, username } = await memberAs(ofTheDomain());
    await age(userId, 29, how);
    expect(await statusOf(api)).toBe(200);
    await age(userId, 31, how);
    const [row] = await queryAll(ranges.tokenRows(userId));
    const before = await getItem(keys.token(row?.hash as string));

    const refused = [
      await api.call("get-me"),
      await api.call("publish-drop", { body: { title: "A page", html: "<p>a page</p>" } }),
    ];

    for (const response of refused) {
      const { message, details } = expectError(response, "unauthorized");
      expect(message).toMatch(
        /^This token expired on 20\S+Z\. Tokens of this service are valid for 30 days\. To get a new one, sign in again: POST \/api\/auth\/start\.$/,
      );
      expect(details).toEqual({ reason: "token_expired", expired_at: expect.any(Number) });
    }
    expect(await getItem(keys.token(row?.hash as string))).toEqual(before);
    expect((await memberAs({ username, groups: "publishers" })).userId).toBe(userId);
  });

  test("is issued with its validity shown on the verify page", async () => {
    const { response } = await new Visitor().open((await startSignIn()).verification_url);

    expect(response.text).toContain("Access lasts 30 days, or until you revoke it.");
  });
});

test("an interrupted removal is completed by the same command", { tags: "nightly" }, async () => {
  const facts = ofTheDomain();
  const { api, username } = await memberAs(facts);

  const deaths = await dieOnTheWay(() => members("remove", username));

  expect(deaths).toBeGreaterThan(1);
  expect(await statusOf(api)).toBe(401);
  expect((await signInAs({ ...facts, username })).response.status).toBe(403);
});

test("on an upgrade, everyone with an account can be added, except people whom the operator has removed", async () => {
  const [group, facts] = [unusedUsername("team"), ofTheDomain()];
  await members("add", `group:${group}`);
  const old = await memberAs({ groups: group });
  const removed = await memberAs(facts);
  await members("remove", removed.username);
  await members("remove", `group:${group}`);

  const { lines } = await members("add", "--accounts");

  expect(lines).toContain(`${old.username} may publish, through the user name "${old.username}".`);
  expect((await memberAs({ username: old.username })).userId).toBe(old.userId);
  expect((await signInAs({ ...facts, username: removed.username })).response.status).toBe(403);
});

test("deleting a removed person's account names the rules that could admit them again", async () => {
  const { username } = await memberAs(ofTheDomain());
  await members("remove", username);

  const given = { dataDirectory: join(service.directory, "data") };
  const { lines } = await runCommand(deleteAccountCommand, given, [username], { yes: true });

  expect(lines).toContain(
    `${username} was removed from the members. Deleting the account also deletes the record of that removal. If a rule of the settings admits the person, use --ban.`,
  );
});

/** Returns the texts of a tool's result. */
async function toolTexts({ token }: ApiClient): Promise<string[]> {
  const { content } = await (await connectMcp(token)).call("whoami");
  return content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}
