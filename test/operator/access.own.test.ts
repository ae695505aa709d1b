// @module-tag nightly

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keys } from "../../functions/table/keys.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { accessCommand } from "../../scripts/operator/access/access.ts";
import {
  banCommand,
  suspendCommand,
  unbanCommand,
  unsuspendCommand,
} from "../../scripts/operator/accounts/suspend.ts";
import { removeMemberCommand } from "../../scripts/operator/members/members.ts";
import { type GivenReader, givenReader } from "../abuse/given-reader.ts";
import { createToken, Directory, scimDataDirectory, startScimService } from "../scim/scim-client.ts";
import { ApiClient } from "../support/client.ts";
import { baseUrl } from "../support/http.ts";
import type { RunningService } from "../support/running-service.ts";
import { confirmedWith, unusedUsername } from "../support/sign-in.ts";
import { Owner, runCommand } from "./given-service.ts";

// The service's members are people of the domain example.com and the group Publishers.
let service: RunningService;

beforeAll(async () => {
  service = await startScimService();
});

afterAll(() => service.stop());

const run = (command: Parameters<typeof runCommand>[0], words: readonly string[], options = {}) =>
  runCommand(command, { dataDirectory: scimDataDirectory() }, words, options);
const linesOf = async (slug: string) => (await run(accessCommand, [slug])).lines;
const linesFor = async (person: string) => (await run(accessCommand, [], { person })).lines;
const lineWith = (lines: readonly string[], text: string) => lines.filter((line) => line.includes(text));

/** Creates a member with an account. */
async function givenMember(name: string): Promise<Owner & { readonly email: string }> {
  const username = unusedUsername(name);
  const email = `${username}@example.com`;
  const token = await confirmedWith({ username, email, email_verified: "true" });
  const { user_id: userId } = await new ApiClient(token).succeed("get-me");
  return Object.assign(new Owner(baseUrl(), { userId, namespace: username }, token), { email });
}

const nameOf = ({ namespace, userId }: Owner) => `${namespace} (${userId})`;
const addressOf = ({ namespace }: Owner, slug: string) =>
  `${new URL(baseUrl()).protocol}//${namespace}.${new URL(baseUrl()).host}/d/${slug}`;
const canOpen = async ({ visitor }: GivenReader, slug: string) =>
  (await visitor.request(`${baseUrl()}/p/${slug}`)).response.status === 200;

describe("access to a drop", () => {
  test("is reported by visibility and passcode for public and unlisted drops", async () => {
    const owner = await givenMember("open");
    const open = await owner.publish("<p>open</p>", { visibility: "public" });
    const locked = await owner.publish("<p>locked</p>", { visibility: "unlisted", passcode: "open sesame" });

    expect(await linesOf(open)).toEqual([
      `drop        ${addressOf(owner, open)}`,
      "visibility  public: anyone",
      "passcode    none",
      `owner       ${nameOf(owner)}`,
      "Anyone with the link can read it, without a sign-in.",
    ]);
    expect((await linesOf(locked)).slice(1)).toEqual([
      "visibility  unlisted: anyone with the link",
      "passcode    also required",
      `owner       ${nameOf(owner)}`,
      "Anyone with the link and the passcode can read it, without a sign-in.",
    ]);
  });

  test("is reported for each known person whom a rule names, with all these rules", async () => {
    const owner = await givenMember("namer");
    const member = await givenMember("named");
    const group = unusedUsername("engineering");
    const reader = await givenReader({ groups: [group], emails: ["grace@partner.example"] });
    const stranger = await givenReader();
    const readers = [member.email, `group:${group}`, "@partner.example", "nobody@elsewhere.example"];
    const slug = await owner.publish("<p>x</p>", { visibility: "people", readers, passcode: "open sesame" });

    const lines = await linesOf(slug);

    expect(lines).toEqual(
      expect.arrayContaining([
        "passcode    also required",
        `rule        "${member.email}"  known: 1`,
        `rule        "group:${group}"  known: 1`,
        'rule        "@partner.example"  known: 1',
        'rule        "nobody@elsewhere.example"  known: 0',
        `reader      ${nameOf(owner)}  owner`,
        `reader      ${nameOf(member)}  named by "${member.email}"`,
        `reader      "${reader.identity.username}" (no account)  named by "group:${group}", "@partner.example"`,
      ]),
    );
    expect(lineWith(lines, stranger.identity.username)).toEqual([]);
    expect(lines.at(-1)).toMatch(/^Known people: \d+\. Readers: 3\. Barred: 0\.$/);
  });

  test("is reported as the service decides it, for each person and visibility", async () => {
    const owner = await givenMember("judge");
    const username = unusedUsername("hedy");
    const people = await Promise.all([
      givenReader({ username }),
      givenReader({ groups: ["Publishers"] }),
      givenReader({ emails: ["ada@example.com"] }),
      givenReader({ emails: ["ada@sub.partner.example"], groups: ["publishers"] }),
      givenReader(),
    ]);
    const slugs = await Promise.all(
      [
        { visibility: "members" },
        { visibility: "people", readers: [`username:${username}`, "group:Publishers"] },
        { visibility: "people", readers: ["ada@example.com", "@partner.example"] },
      ].map((access) => owner.publish("<p>judged</p>", access)),
    );

    const decisions: boolean[] = [];
    for (const slug of slugs) {
      const lines = await linesOf(slug);
      for (const person of people) {
        const isListed = lineWith(lines, `reader      "${person.identity.username}"`).length === 1;
        expect(isListed).toBe(await canOpen(person, slug));
        decisions.push(isListed);
      }
    }
    expect(decisions.filter((one) => one)).toHaveLength(5);
  });

  test("is reported with the rule that makes a person a member", async () => {
    const owner = await givenMember("team");
    const byGroup = await givenReader({ groups: ["Publishers"] });
    const slug = await owner.publish("<p>team</p>", { visibility: "members" });
    const other = await givenMember("mate");

    const lines = await linesOf(slug);

    expect(lines).toContain(`reader      ${nameOf(other)}  member through the email domain "example.com"`);
    expect(lineWith(lines, byGroup.identity.username)).toEqual([
      `reader      "${byGroup.identity.username}" (no account)  member through the group "Publishers"`,
    ]);
  });

  test("is reported as denied for barred readers, and for everyone if the owner is suspended", async () => {
    const owner = await givenMember("closed");
    const reader = await givenMember("barred");
    const slug = await owner.publish("<p>x</p>", { visibility: "people", readers: [reader.email] });
    const refused = (why: string) =>
      `barred      ${nameOf(reader)}  ${why}; otherwise named by "${reader.email}"`;

    await run(suspendCommand, [reader.namespace], { yes: true });
    expect(await linesOf(slug)).toContain(refused("suspended"));
    await run(banCommand, [reader.namespace], { yes: true });
    expect(await linesOf(slug)).toContain(refused("banned, suspended"));
    await run(unbanCommand, [reader.namespace]);
    await run(unsuspendCommand, [reader.namespace]);
    await run(removeMemberCommand, [reader.namespace]);
    expect(await linesOf(slug)).toContain(refused("removed"));
    await run(suspendCommand, [owner.namespace], { yes: true });
    expect((await linesOf(slug)).slice(-2)).toEqual([
      `owner       ${nameOf(owner)}  suspended`,
      "No one can read it, because its owner's account is suspended.",
    ]);
    await run(banCommand, [owner.namespace], { yes: true });
    expect((await linesOf(slug)).at(-2)).toBe(`owner       ${nameOf(owner)}  banned, suspended`);
  });

  test("follows a directory's groups and deactivations", async () => {
    const owner = await givenMember("scim");
    const person = await givenMember("provisioned");
    const directory = new Directory((await createToken()).plaintext);
    const id = await directory.createUser(person.email);
    const group = unusedUsername("directory");
    await directory.createGroup(group, [id]);
    const slug = await owner.publish("<p>x</p>", { visibility: "people", readers: [`group:${group}`] });

    expect(await linesOf(slug)).toContain(`reader      ${nameOf(person)}  named by "group:${group}"`);
    await directory.setActive(id, false);

    expect(await linesOf(slug)).toContain(
      `barred      ${nameOf(person)}  deactivated; otherwise named by "group:${group}"`,
    );
  });

  test("is not reported for the identity of an expired session", async () => {
    const owner = await givenMember("expiry");
    const { identity, reference } = await givenReader({ emails: ["late@expired.example"] });
    const slug = await owner.publish("<p>x</p>", { visibility: "people", readers: ["@expired.example"] });
    expect(lineWith(await linesOf(slug), identity.username)).toHaveLength(1);

    await updateItem({
      key: keys.readerSession(reference),
      update: "SET expiresAtMs = :now",
      condition: "attribute_exists(pk)",
      values: { ":now": Date.now() },
    });

    expect(lineWith(await linesOf(slug), identity.username)).toEqual([]);
  });
});

describe("access of a person", () => {
  test("is listed by user name, address or account, with reasons and without public drops", async () => {
    const owner = await givenMember("lister");
    const reader = await givenMember("listed");
    const shared = { visibility: "people", readers: [reader.email] };
    const named = await owner.publish("<p>named</p>", { ...shared, passcode: "open sesame" });
    const others = await owner.publish("<p>others</p>", { ...shared, readers: ["grace@partner.example"] });
    const open = await owner.publish("<p>open</p>", { visibility: "public" });
    const unlisted = await owner.publish("<p>unlisted</p>", { visibility: "unlisted" });
    const file = await owner.upload("a note");
    await owner.json("PATCH", `/api/blobs/${file}`, { visibility: "members" });
    const own = await reader.publish("<p>own</p>", { visibility: "people", readers: ["grace@x.example"] });

    const lines = await linesFor(reader.email);

    expect(lines[0]).toBe(`person  ${nameOf(reader)}  member through the email domain "example.com"`);
    expect(lines).toEqual(
      expect.arrayContaining([
        `${addressOf(owner, named)}  people  named by "${reader.email}"; needs the passcode`,
        `${baseUrl()}/files/${owner.namespace}/${file}  members  member through the email domain "example.com"`,
        `${addressOf(reader, own)}  people  owner`,
      ]),
    );
    for (const slug of [others, open, unlisted]) expect(lineWith(lines, slug)).toEqual([]);
    expect(lines.at(-1)).toBe(
      `Readable drops and files, besides public and unlisted ones: ${lines.length - 2}.`,
    );
    for (const name of [reader.namespace, `account:${reader.userId}`])
      expect(await linesFor(name)).toEqual(lines);
  });

  test("ends when the person or the owner is suspended", async () => {
    const owner = await givenMember("ended");
    const reader = await givenReader({ emails: ["ada@ended.example"] });
    const barred = await givenMember("ender");
    const readers = ["ada@ended.example", barred.email];
    const slug = await owner.publish("<p>x</p>", { visibility: "people", readers });
    expect(lineWith(await linesFor("ada@ended.example"), slug)).toHaveLength(1);

    await run(suspendCommand, [barred.namespace], { yes: true });
    await run(suspendCommand, [owner.namespace], { yes: true });

    expect(await linesFor(barred.email)).toEqual([
      `person  ${nameOf(barred)}  barred: suspended`,
      "Readable drops and files, besides public and unlisted ones: 0.",
    ]);
    expect(await linesFor("ada@ended.example")).toEqual([
      `person  "${reader.identity.username}" (no account)  not a member`,
      "Readable drops and files, besides public and unlisted ones: 0.",
    ]);
  });

  test("depends only on the name for a person who has never signed in", async () => {
    const owner = await givenMember("early");
    const slug = await owner.publish("<p>x</p>", { visibility: "people", readers: ["new@hired.example"] });

    expect(await linesFor("new@hired.example")).toEqual([
      'person  e-mail "new@hired.example"  has never signed in  not a member',
      `${addressOf(owner, slug)}  people  named by "new@hired.example"`,
      "Readable drops and files, besides public and unlisted ones: 1.",
    ]);
  });
});

test.each([
  [[], {}, "Use either the slug or address of a drop, or --person <identity>."],
  [["Ab3dE6g"], { person: "ada" }, "Use either the slug or address of a drop, or --person"],
  [["Zz9zZ9z"], {}, 'There is no drop with the slug "Zz9zZ9z".'],
  [["no slug"], {}, '"no slug" is neither a slug nor an address'],
  [[], { person: "group:engineering" }, "Name one person"],
  [[], { person: "account:nobody-here" }, 'There is no account "nobody-here".'],
])("%j with %j is refused with the right usage", async (words, options, message) => {
  await expect(run(accessCommand, words, options)).rejects.toThrow(message);
});
