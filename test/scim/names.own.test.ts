// @module-tag nightly

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { updateItem } from "../../functions/table/table-writes.ts";
import { auditCommand } from "../../scripts/operator/audit.ts";
import { releaseScimUserCommand } from "../../scripts/operator/scim.ts";
import { runCommand } from "../operator/given-service.ts";
import { pageOf, publish } from "../support/accounts.ts";
import { ApiClient } from "../support/client.ts";
import { baseUrl } from "../support/http.ts";
import { openSignedIn } from "../support/own-pages.ts";
import { race } from "../support/race.ts";
import { offeredSignIn } from "../support/reader.ts";
import type { RunningService } from "../support/running-service.ts";
import { confirmedWith, signIn, unusedUsername } from "../support/sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { createToken, Directory, scimDataDirectory, startScimService, userOf } from "./scim-client.ts";

// At many identity providers people may edit their user name. Only a verified address or the permanent id identifies
// a person.

/** Earlier days have no entries in the audit trail. */
const startedAt = new Date().toISOString();

let service: RunningService;
let directory: Directory;
let members: string;

beforeAll(async () => {
  service = await startScimService();
  directory = new Directory((await createToken()).plaintext);
  members = await directory.createGroup("Publishers");
});

afterAll(() => service.stop());

/** Creates a user of the directory in the group that makes people members. */
async function givenMember(userName: string): Promise<string> {
  const id = await directory.createUser(userName);
  await directory.patch(`/Groups/${members}`, [{ op: "add", path: "members", value: [{ value: id }] }]);
  return id;
}

type Facts = Readonly<Record<string, string>>;

/** A person with a new permanent id who has edited the user name. */
const asNamed = (preferred_username: string, more: Facts = {}): Facts => ({
  username: unusedUsername("permanent"),
  preferred_username,
  ...more,
});

/** A person who is a member by a domain, independent of the directory. */
const ofTheDomain = (): Facts => ({
  email: `${unusedUsername("other")}@example.com`,
  email_verified: "true",
});

/** A person with a verified address. */
const asAddress = (email: string): Facts => asNamed(unusedUsername("any"), { email, email_verified: "true" });

async function isMember(facts: Facts): Promise<boolean> {
  return confirmedWith(facts).then(
    () => true,
    (error: unknown) => {
      if (!String(error).includes("403")) throw error;
      return false;
    },
  );
}

async function statusOf(token: string): Promise<number> {
  return (await new ApiClient(token).call("get-me")).status;
}

async function accountOf(token: string): Promise<string> {
  return (await new ApiClient(token).succeed("get-me")).user_id;
}

/** Audit entries about a user of the directory. */
async function linesAbout(id: string): Promise<Record<string, unknown>[]> {
  const given = { dataDirectory: scimDataDirectory() };
  const { lines } = await runCommand(auditCommand, given, [], { json: true, from: startedAt });
  return lines.map((line) => JSON.parse(line)).filter(({ scim_id }) => scim_id === id);
}

const takenLines = async (id: string) =>
  (await linesAbout(id)).filter(({ action }) => action === "scim-name-taken");

describe("a SCIM user name with an at sign", () => {
  test.each<[string, (name: string) => Facts]>([
    ["the same user name and no address", (name) => asNamed(`${name}@corp.example`)],
    ["the same user name in upper case", (name) => asNamed(`${name}@corp.example`.toUpperCase())],
    [
      "the same user name, and the unverified address",
      (name) => asNamed(`${name}@corp.example`, { email: `${name}@corp.example`, email_verified: "false" }),
    ],
    [
      "the same user name, and another verified address",
      (name) => asNamed(`${name}@corp.example`, { email: "me@other.example", email_verified: "true" }),
    ],
  ])("gives no groups to a person with %s", async (_, factsOf) => {
    const name = unusedUsername("ceo");
    const id = await givenMember(`${name}@corp.example`);

    expect(await isMember(factsOf(name))).toBe(false);

    expect(await takenLines(id)).toEqual([]);
  });

  test.each([
    ["a full-width at sign", "\uff20corp.example"],
    ["a small at sign", "\ufe6bcorp.example"],
    ["a dot at the end", "@corp.example."],
    ["an at sign as last character", "@"],
  ])("gives no groups to a person with the same user name, also with %s", async (_, ending) => {
    const name = `${unusedUsername("ceo")}${ending}`;
    await givenMember(name);

    expect(await isMember(asNamed(name))).toBe(false);
  });

  test("gives its groups to the holder of the verified address, under any user name", async () => {
    const address = `${unusedUsername("Ceo")}@Corp.example`;
    await givenMember(address);

    const verified = { email: address.toUpperCase(), email_verified: "true" };
    expect(await isMember(asNamed(unusedUsername("someone"), verified))).toBe(true);
  });

  test("opens a page shared with the group only for the holder of the verified address", async () => {
    const owner = unusedUsername("owner");
    await givenMember(owner);
    const address = `${unusedUsername("ceo")}@corp.example`;
    const group = unusedUsername("board");
    await directory.createGroup(group, [await directory.createUser(address)]);
    const html = pageOf("For the board");
    const fields = { visibility: "people", readers: [`group:${group}`], html };
    const { slug } = await publish(new ApiClient((await signIn(owner)).token), fields);
    const reads = async (facts: Facts) => {
      const visitor = new Visitor();
      const form = await visitor.open(offeredSignIn(await visitor.open(`${baseUrl()}/p/${slug}`)));
      await visitor.submit(form, facts);
      const { response } = await visitor.open(`${baseUrl()}/p/${slug}/raw`);
      return response.status === 200 && response.text.includes("For the board");
    };

    expect(await reads(asNamed(address))).toBe(false);
    expect(await reads(asNamed("anyone", { email: address, email_verified: "true" }))).toBe(true);
  });

  test("ends the access of everyone with this name or address when the directory deactivates it", async () => {
    const address = `${unusedUsername("leaver")}@corp.example`;
    const id = await givenMember(address);
    const token = await confirmedWith(asNamed(address, ofTheDomain()));
    expect(await statusOf(token)).toBe(200);

    await directory.setActive(id, false);

    expect(await statusOf(token)).toBe(401);
    expect(await isMember(asNamed(address, ofTheDomain()))).toBe(false);
  });
});

describe("a deactivation in the directory", () => {
  test.each<[string, (name: string) => { readonly userName: string; readonly person: Facts }]>([
    [
      "a verified address",
      (name) => ({ userName: `${name}@corp.example`, person: asAddress(`${name}@corp.example`) }),
    ],
    ["a user name", (name) => ({ userName: name, person: asNamed(name, ofTheDomain()) })],
  ])(
    "by %s also bars the person under another name and address, until the reactivation",
    async (_, given) => {
      const { userName, person } = given(unusedUsername("left"));
      const id = await givenMember(userName);
      const token = await confirmedWith(person);
      const renamed = { ...person, preferred_username: unusedUsername("renamed"), ...ofTheDomain() };

      await directory.setActive(id, false);

      expect(await statusOf(token)).toBe(401);
      expect(await isMember(renamed)).toBe(false);
      await directory.setActive(id, true);
      expect(await isMember(renamed)).toBe(true);
    },
  );

  test("by user name bars another holder of the name only while they have that name", async () => {
    const name = unusedUsername("same");
    const id = await givenMember(name);
    await confirmedWith(asNamed(name));
    const other = asNamed(name, ofTheDomain());
    await confirmedWith(other);

    await directory.setActive(id, false);

    expect(await isMember(other)).toBe(false);
    expect(await isMember({ ...other, preferred_username: unusedUsername("other-name") })).toBe(true);
  });
});

describe("a SCIM user name without an at sign", () => {
  test("belongs to the first identity that signs in with it; a second one gets no groups, and is logged once", async () => {
    const name = unusedUsername("ada");
    const id = await givenMember(name);
    const [first, second] = [asNamed(name), asNamed(name.toUpperCase())];
    expect(await isMember(first)).toBe(true);

    for (let count = 0; count < 3; count += 1) expect(await isMember(second)).toBe(false);
    expect(await isMember(first)).toBe(true);

    const lines = await takenLines(id);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ by: "reader", identity: expect.stringContaining("#") });
    expect(JSON.stringify(lines)).not.toContain(name);
  });

  test("is won by only one of several concurrent identities", async () => {
    const name = unusedUsername("raced");
    const id = await givenMember(name);

    const results = await race(4, () => isMember(asNamed(name)));

    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await takenLines(id)).toHaveLength(3);
  });

  test("stays with its identity when the directory and the provider rename the person", async () => {
    const [name, renamed] = [unusedUsername("before"), unusedUsername("after")];
    const id = await givenMember(name);
    const person = asNamed(name);
    expect(await isMember(person)).toBe(true);

    await directory.patch(`/Users/${id}`, [{ op: "replace", path: "userName", value: renamed }]);

    expect(await isMember(asNamed(renamed))).toBe(false);
    expect(await isMember({ ...person, preferred_username: renamed })).toBe(true);
  });

  test("is released when it becomes an address: then only the verified address counts", async () => {
    const name = unusedUsername("became");
    const id = await givenMember(name);
    const person = asNamed(name);
    expect(await isMember(person)).toBe(true);

    const address = `${name}@corp.example`;
    await directory.patch(`/Users/${id}`, [{ op: "replace", path: "userName", value: address }]);

    expect(await isMember({ ...person, preferred_username: address })).toBe(false);
    expect(await isMember({ ...person, email: address, email_verified: "true" })).toBe(true);
  });

  test("belongs to the next identity after the directory has deleted the user and created another", async () => {
    const name = unusedUsername("again");
    const id = await givenMember(name);
    expect(await isMember(asNamed(name))).toBe(true);
    await directory.send("DELETE", `/Users/${id}`);

    await givenMember(name);

    expect(await isMember(asNamed(name))).toBe(true);
  });

  test("belongs to the next identity after the operator has released it", async () => {
    const name = unusedUsername("moved");
    const id = await givenMember(name);
    const [before, next] = [asNamed(name), asNamed(name)];
    expect(await isMember(before)).toBe(true);
    expect(await isMember(next)).toBe(false);

    const { isWell } = await runCommand(releaseScimUserCommand, { dataDirectory: scimDataDirectory() }, [
      name,
    ]);

    expect(isWell).toBe(true);
    expect(await isMember(next)).toBe(true);
    expect(await isMember(before)).toBe(false);
    expect((await linesAbout(id)).map(({ action }) => action)).toContain("release-scim-user");
  });

  test("ends the access of both identities when the directory deactivates it", async () => {
    const name = unusedUsername("both");
    const id = await givenMember(name);
    const first = await confirmedWith(asNamed(name));
    const second = await confirmedWith(asNamed(name, ofTheDomain()));
    const browser = new Visitor();
    await openSignedIn("/account", name, browser);
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);

    await directory.send("PUT", `/Users/${id}`, userOf(name, { active: false }));

    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
    expect((await browser.open("/account")).response.status).toBe(403);
  });

  test("belongs to the account that had it before the directory provisioned it, without a new sign-in", async () => {
    const name = unusedUsername("early");
    const [early, late] = [asNamed(name, ofTheDomain()), asNamed(name)];
    const reader = new ApiClient(await confirmedWith(early));
    const owner = unusedUsername("owner");
    await givenMember(owner);
    const group = unusedUsername("team");
    await directory.createGroup(group, [await directory.createUser(name)]);
    const api = new ApiClient((await signIn(owner)).token);
    const { slug } = await publish(api, { visibility: "people", readers: [`group:${group}`] });
    const isListed = async () => JSON.stringify(await reader.succeed("list-library", {})).includes(slug);

    await expect.poll(isListed).toBe(true);
    await isMember(late);
    expect(await isListed()).toBe(true);
    expect(await isMember(asNamed(name))).toBe(false);
  });
});

describe("stored data of an earlier release", () => {
  /** Restores the stored data of an earlier release, in which a user name counted like a verified address. */
  async function storeAsBefore(token: string, id: string, group: string): Promise<void> {
    await updateItem({
      key: keys.account(await accountOf(token)),
      update: "SET provisionedAs = :ids, lastIdentity.groups = :groups REMOVE lastIdentity.vouchedAs",
      condition: "attribute_exists(pk)",
      values: { ":ids": new Set([id]), ":groups": [group] },
    });
    await updateItem({
      key: keys.provisionedUser(id),
      update: "REMOVE boundTo",
      condition: "attribute_exists(pk)",
    });
  }

  /** Shares a page with a group of the directory that has this user, for a check of the user's library. */
  async function givenLibrary(userName: string) {
    const owner = unusedUsername("owner");
    await givenMember(owner);
    const group = unusedUsername("board");
    const id = await directory.createUser(userName);
    await directory.createGroup(group, [id]);
    const api = new ApiClient((await signIn(owner)).token);
    const { slug } = await publish(api, { visibility: "people", readers: [`group:${group}`] });
    const isListedFor = async (token: string) =>
      JSON.stringify(await new ApiClient(token).succeed("list-library", {})).includes(slug);
    return { id, group, isListedFor };
  }

  test("leaves the groups to the holder of the verified address, and not to one with the user name only", async () => {
    const address = `${unusedUsername("ceo")}@corp.example`;
    const { id, group, isListedFor } = await givenLibrary(address);
    await directory.patch(`/Groups/${members}`, [{ op: "add", path: "members", value: [{ value: id }] }]);
    const right = await confirmedWith({
      username: unusedUsername("right"),
      email: address,
      email_verified: "true",
    });
    const wrong = await confirmedWith(asNamed(address, ofTheDomain()));

    await storeAsBefore(right, id, group);
    await storeAsBefore(wrong, id, group);

    await expect.poll(() => isListedFor(right)).toBe(true);
    expect(await isListedFor(wrong)).toBe(false);
  });

  test("leaves the groups to the only account with the name, which the next sign-in binds", async () => {
    const name = unusedUsername("ada");
    const { id, group, isListedFor } = await givenLibrary(name);
    await directory.patch(`/Groups/${members}`, [{ op: "add", path: "members", value: [{ value: id }] }]);
    const token = await confirmedWith(asNamed(name));
    await storeAsBefore(token, id, group);

    await expect.poll(() => isListedFor(token)).toBe(true);
    expect(await isMember(asNamed(name))).toBe(false);
    expect(await isListedFor(token)).toBe(true);
    expect(await getItem(keys.provisionedUser(id))).toHaveProperty("boundTo");
  });
});
