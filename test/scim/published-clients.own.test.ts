// @module-tag slow

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addTeamCommand } from "../../scripts/operator/teams.ts";
import { runCommand } from "../operator/given-service.ts";
import { publish } from "../support/accounts.ts";
import type { ApiClient } from "../support/client.ts";
import { fetchPage } from "../support/http.ts";
import type { RunningService } from "../support/running-service.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { teamToken } from "../support/team-sign-in.ts";
import {
  createToken,
  Directory,
  errorSchema,
  groupSchema,
  listSchema,
  type ScimResponse,
  scimDataDirectory,
  startScimService,
  unusedAddress,
  userOf,
  userSchema,
} from "./scim-client.ts";

let service: RunningService;
let directory: Directory;

beforeAll(async () => {
  service = await startScimService();
  directory = new Directory((await createToken()).plaintext);
});

afterAll(() => service.stop());

// Requests and expectations of Okta's "SCIM 2.0 SPEC Test" for Runscope (developer.okta.com, "Test your SCIM API").
describe("Okta's test suite", () => {
  const headers = { "accept-charset": "utf-8", "user-agent": "OKTA SCIM Integration" };
  const get = (path: string) => directory.send("GET", path, undefined, headers);

  test("gets a first page of users with the attributes that Okta needs", async () => {
    await directory.createUser(unusedAddress());

    const { status, body } = await get("/Users?count=1&startIndex=1");

    expect(status).toBe(200);
    expect(body).toMatchObject({ schemas: [listSchema], startIndex: 1, itemsPerPage: 1 });
    expect(body.totalResults).toBeGreaterThan(0);
    const [first] = body.Resources;
    expect(first).toMatchObject({
      id: expect.stringMatching(/./),
      name: { familyName: "Lovelace", givenName: "Ada" },
      userName: expect.stringMatching(/./),
      active: true,
      emails: [{ value: expect.stringMatching(/./) }],
    });
    expect((await get(`/Users/${first.id}`)).body).toMatchObject({ id: first.id, userName: first.userName });
  });

  test("finds no user for an unknown name or id", async () => {
    const listed = await get(`/Users?filter=userName%20eq%20%22${unusedAddress()}%22`);
    const missing = await get("/Users/00919288221112222");

    expect(listed.body).toMatchObject({ schemas: [listSchema], totalResults: 0, Resources: [] });
    expect(missing.status).toBe(404);
    expect(missing.body).toMatchObject({
      schemas: [errorSchema],
      status: "404",
      detail: expect.stringMatching(/./),
    });
  });

  test("creates a user once, and finds the user in any letter case of the name", async () => {
    const userName = unusedAddress();
    const json = {
      ...headers,
      "content-type": "application/json",
      accept: "application/scim+json; charset=utf-8",
    };

    const created = await directory.send("POST", "/Users", userOf(userName), json);
    const again = await directory.send("POST", "/Users", userOf(userName), json);
    const found = await get(`/Users?filter=userName%20eq%20%22${userName.toUpperCase()}%22`);

    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      schemas: [userSchema],
      userName,
      active: true,
      name: { familyName: "Lovelace", givenName: "Ada" },
    });
    expect(created.headers.location).toBe(`${service.address}/scim/v2/Users/${created.body.id}`);
    expect(created.headers["content-type"]).toMatch(/^application\/scim\+json/);
    expect([again.status, again.body.scimType]).toEqual([409, "uniqueness"]);
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: created.body.id }] });
  });

  test("lists groups, and is refused without the token", async () => {
    const groups = await get("/Groups");
    const refused = await fetchPage('/scim/v2/Users?filter=userName%20eq%20"X"', {
      headers: { ...headers, authorization: "non-token" },
    });

    expect([groups.status, Array.isArray(groups.body.Resources)]).toEqual([200, true]);
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text)).toMatchObject({
      schemas: [errorSchema],
      status: "401",
      detail: expect.any(String),
    });
  });

  // developer.okta.com, "SCIM 2.0 protocol reference": deactivation, profile push and group push.
  test("deactivates, reads, changes and reactivates a user", async () => {
    const id = await directory.createUser(unusedAddress());

    await directory.setActive(id, false);
    expect((await get(`/Users/${id}`)).body.active).toBe(false);
    const pushed = await directory.send("PUT", `/Users/${id}`, {
      ...userOf(unusedAddress()),
      id,
      meta: { resourceType: "User" },
      groups: [],
      name: { givenName: "Another", middleName: "", familyName: "Name" },
      locale: "en-US",
    });

    expect(pushed.status).toBe(200);
    expect(pushed.body).toMatchObject({ id, active: true, name: { givenName: "Another" } });
    expect(pushed.body).not.toHaveProperty("locale");
  });

  test("pushes a group, renames it, changes its members and removes it", async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => directory.createUser(unusedAddress())));
    const displayName = `Okta ${randomUUID()}`;
    const id = await directory.createGroup(displayName, [one ?? ""]);
    const patch = (operations: object[]) => directory.patch(`/Groups/${id}`, operations);

    const statuses = [
      await patch([{ op: "replace", value: { id, displayName: `${displayName} renamed` } }]),
      await patch([
        { op: "remove", path: `members[value eq "${one}"]` },
        { op: "add", path: "members", value: [{ value: two, display: "two" }] },
      ]),
      await patch([{ op: "replace", path: "members", value: [{ value: two }, { value: three }] }]),
    ].map(({ status }) => status);

    expect(statuses).toEqual([204, 204, 204]);
    const { body } = await get(`/Groups/${id}`);
    expect(body).toMatchObject({ id, displayName: `${displayName} renamed` });
    expect(body.members.map(({ value }: { value: string }) => value).sort()).toEqual([two, three].sort());
    const named = { value: id, display: `${displayName} renamed` };
    expect((await get(`/Users/${three}`)).body.groups).toMatchObject([named]);
    expect((await directory.send("DELETE", `/Groups/${id}`)).status).toBe(204);
    expect((await get(`/Groups/${id}`)).status).toBe(404);
    expect((await get(`/Users/${three}`)).body.groups).toEqual([]);
  });

  test("replaces one member selected by a filter, and gets an error for a filter without matches", async () => {
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => directory.createUser(unusedAddress())));
    const id = await directory.createGroup(`Filtered ${randomUUID()}`, [one ?? "", two ?? ""]);
    const replace = { op: "replace", path: `members[value eq "${one}"]`, value: { value: three } };

    const replaced = await directory.patch(`/Groups/${id}`, [replace]);
    const repeated = await directory.patch(`/Groups/${id}`, [replace]);

    expect(replaced.status).toBe(204);
    expect(repeated).toMatchObject({ status: 400, body: { scimType: "noTarget" } });
    const { members } = (await get(`/Groups/${id}`)).body;
    expect(members.map(({ value }: { value: string }) => value).sort()).toEqual([two, three].sort());
  });
});

// Requests of learn.microsoft.com, "Tutorial: Develop and plan provisioning for a SCIM endpoint in Microsoft Entra ID".
describe("Microsoft Entra", () => {
  const entraUser = (userName: string) => ({
    schemas: [userSchema, "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
    externalId: randomUUID(),
    userName,
    active: true,
    emails: [{ primary: true, type: "work", value: userName }],
    meta: { resourceType: "User" },
    name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
    roles: [],
    title: "Engineer",
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "R&D" },
  });
  const create = async () => {
    const sent = entraUser(unusedAddress());
    const { status, body } = await directory.send("POST", "/Users", sent);
    expect(status).toBe(201);
    return { ...sent, id: body.id as string };
  };

  test("creates a user with an extension, and finds it by userName and by externalId", async () => {
    const { id, userName, externalId } = await create();

    const byName = await directory.send(
      "GET",
      `/Users?filter=userName+eq+%22${encodeURIComponent(userName)}%22`,
    );
    const byExternalId = await directory.send(
      "GET",
      `/Users?filter=externalId eq "${externalId}"`.replaceAll(" ", "%20"),
    );
    const byEmail = await directory.send(
      "GET",
      `/Users?filter=${encodeURIComponent(`emails[type eq "work"].value eq "${userName}"`)}`,
    );

    for (const { body } of [byName, byExternalId, byEmail])
      expect(body).toMatchObject({ totalResults: 1, Resources: [{ id, userName, externalId }] });
  });

  test("updates multi-valued and single-valued properties", async () => {
    const { id } = await create();
    const userName = unusedAddress();

    const multiple = await directory.patch(`/Users/${id}`, [
      { op: "Replace", path: 'emails[type eq "work"].value', value: "updatedEmail@microsoft.example" },
      { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
    ]);
    const single = await directory.patch(`/Users/${id}`, [
      { op: "Replace", path: "userName", value: userName },
    ]);

    expect(multiple.body).toMatchObject({
      emails: [{ type: "work", value: "updatedEmail@microsoft.example" }],
      name: { familyName: "updatedFamilyName", givenName: "givenName" },
    });
    expect([single.status, single.body.userName]).toEqual([200, userName]);
  });

  test("adds an address that the user did not have, and attributes that are not stored", async () => {
    const { id } = await create();

    const { status, body } = await directory.patch(`/Users/${id}`, [
      { op: "Add", path: 'emails[type eq "home"].value', value: "home@microsoft.example" },
      { op: "Add", path: "title", value: "Principal" },
      { op: "Add", path: 'addresses[type eq "work"].locality', value: "London" },
      {
        op: "Add",
        path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
        value: "Sales",
      },
      { op: "replace", value: { "name.givenName": "Dotted", displayName: "Shown" } },
    ]);

    expect(status).toBe(200);
    expect(body.emails).toContainEqual({ type: "home", value: "home@microsoft.example" });
    expect(body).toMatchObject({ displayName: "Shown", name: { givenName: "Dotted" } });
    expect(body).not.toHaveProperty("title");
  });

  test.each([
    ["False", "True"],
    [false, true],
  ])("disables a user by %j, which GET and filter show, and enables it by %j", async (off, on) => {
    const { id, userName } = await create();

    const disabled = await directory.patch(`/Users/${id}`, [{ op: "Replace", path: "active", value: off }]);

    expect([disabled.status, disabled.body.active]).toEqual([200, false]);
    expect(
      (await directory.send("GET", `/Users?filter=userName+eq+%22${userName}%22`)).body.Resources,
    ).toMatchObject([{ id, active: false }]);
    const enabled = await directory.patch(`/Users/${id}`, [{ op: "Replace", path: "active", value: on }]);
    expect(enabled.body.active).toBe(true);
  });

  test("deletes a user", async () => {
    const { id, userName } = await create();

    const { status, text } = await directory.send("DELETE", `/Users/${id}`);

    expect([status, text]).toEqual([204, ""]);
    expect((await directory.send("GET", `/Users/${id}`)).status).toBe(404);
    expect((await directory.send("DELETE", `/Users/${id}`)).status).toBe(404);
    expect(
      (await directory.send("GET", `/Users?filter=userName+eq+%22${userName}%22`)).body.totalResults,
    ).toBe(0);
  });

  test("creates a group, finds it without its members, and updates and deletes it", async () => {
    const { id: userId } = await create();
    const displayName = `Entra ${randomUUID()}`;
    const created = await directory.send("POST", "/Groups", {
      schemas: [groupSchema, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId: randomUUID(),
      displayName,
      meta: { resourceType: "Group" },
    });
    const { id } = created.body;
    const patch = (operation: object) => directory.patch(`/Groups/${id}`, [operation]);
    const shown = async () => (await directory.send("GET", `/Groups/${id}`)).body;

    expect(created.status).toBe(201);
    const found = await directory.send(
      "GET",
      `/Groups?excludedAttributes=members&filter=displayName+eq+%22${encodeURIComponent(displayName)}%22`,
    );
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id, displayName }] });
    expect(found.body.Resources[0]).not.toHaveProperty("members");
    expect((await directory.send("GET", `/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty(
      "members",
    );

    await patch({ op: "Replace", path: "displayName", value: `${displayName} updated` });
    await patch({ op: "Add", path: "members", value: [{ $ref: null, value: userId }] });
    expect(await shown()).toMatchObject({
      displayName: `${displayName} updated`,
      members: [{ value: userId }],
    });
    const membership = encodeURIComponent(`id eq "${id}" and members eq "${userId}"`);
    expect((await directory.send("GET", `/Groups?filter=${membership}`)).body.totalResults).toBe(1);

    await patch({ op: "Remove", path: "members", value: [{ $ref: null, value: userId }] });
    expect((await shown()).members).toEqual([]);
    expect((await directory.send("GET", `/Groups?filter=${membership}`)).body.totalResults).toBe(0);
    expect((await directory.send("DELETE", `/Groups/${id}`)).status).toBe(204);
  });

  test("discovers schemas, resource types and the service provider configuration", async () => {
    const [schemas, types, config] = await Promise.all(
      ["/Schemas", "/ResourceTypes", "/ServiceProviderConfig"].map((path) => directory.send("GET", path)),
    );

    expect(schemas?.body).toMatchObject({ schemas: [listSchema], totalResults: 2 });
    expect(schemas?.body.Resources.map(({ id }: { id: string }) => id)).toEqual([userSchema, groupSchema]);
    const [user] = schemas?.body.Resources ?? [];
    const attributes = user.attributes.map(({ name }: { name: string }) => name);
    expect(attributes).toEqual(
      expect.arrayContaining(["userName", "name", "displayName", "active", "emails"]),
    );
    expect(attributes).not.toContain("password");
    expect(types?.body.Resources).toMatchObject([{ endpoint: "/Users" }, { endpoint: "/Groups" }]);
    expect(config?.body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true },
      etag: { supported: true },
      bulk: { supported: false },
    });
    for (const path of [`/Schemas/${userSchema}`, "/ResourceTypes/User"])
      expect((await directory.send("GET", path)).status).toBe(200);
  });
});

/** Pushes a group as one of the clients above does. */
interface Pusher {
  readonly create: (displayName: string, members: readonly string[]) => Promise<string>;
  readonly rename: (id: string, displayName: string) => Promise<ScimResponse>;
  readonly add: (id: string, member: string) => Promise<ScimResponse>;
  readonly remove: (id: string, member: string) => Promise<ScimResponse>;
  readonly replace: (id: string, members: readonly string[]) => Promise<ScimResponse>;
  readonly setActive: (user: string, active: boolean) => Promise<ScimResponse>;
}

const patch = (path: string, ...operations: object[]) => directory.patch(path, operations);

const okta: Pusher = {
  create: (displayName, members) => directory.createGroup(displayName, members),
  rename: (id, displayName) => patch(`/Groups/${id}`, { op: "replace", value: { id, displayName } }),
  add: (id, value) =>
    patch(`/Groups/${id}`, { op: "add", path: "members", value: [{ value, display: "A" }] }),
  remove: (id, value) => patch(`/Groups/${id}`, { op: "remove", path: `members[value eq "${value}"]` }),
  replace: (id, members) =>
    patch(`/Groups/${id}`, { op: "replace", path: "members", value: members.map((value) => ({ value })) }),
  setActive: (id, active) => patch(`/Users/${id}`, { op: "replace", value: { active } }),
};

const entra: Pusher = {
  create: async (displayName, members) => {
    const { body } = await directory.send("POST", "/Groups", {
      schemas: [groupSchema, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId: randomUUID(),
      displayName,
      meta: { resourceType: "Group" },
    });
    for (const member of members) await entra.add(body.id, member);
    return body.id;
  },
  rename: (id, value) => patch(`/Groups/${id}`, { op: "Replace", path: "displayName", value }),
  add: (id, value) => patch(`/Groups/${id}`, { op: "Add", path: "members", value: [{ $ref: null, value }] }),
  remove: (id, value) =>
    patch(`/Groups/${id}`, { op: "Remove", path: "members", value: [{ $ref: null, value }] }),
  replace: (id, members) =>
    patch(`/Groups/${id}`, { op: "Replace", path: "members", value: members.map((value) => ({ value })) }),
  setActive: (id, active) =>
    patch(`/Users/${id}`, { op: "Replace", path: "active", value: active ? "True" : "False" }),
};

/** Role in which a token acts for its team, tested by a request; undefined if the token is refused. */
async function actingRole(api: ApiClient): Promise<"owner" | "editor" | undefined> {
  const { status, text } = await api.call("delete-drop", { params: { slug: "aaaaaaa" } });
  if (status === 404) return "owner";
  return text.includes("not_team_owner") ? "editor" : undefined;
}

describe.each([
  ["Okta", "owner", okta, { isClaimed: true }],
  ["Entra", "editor", entra, { isClaimed: false }],
  ["Okta", "editor", okta, { isClaimed: false }],
  ["Entra", "owner", entra, { isClaimed: true }],
] as const)("a group of %s that is the %s of a team", (_, role, pusher, { isClaimed }) => {
  test("decides at each request who can act for the team, and the team's pages stay", async () => {
    const name = unusedUsername("growth");
    const users = await Promise.all(
      [unusedAddress(), unusedAddress()].map(async (email) => ({
        id: await directory.createUser(email),
        // Some providers also send the group as a claim at sign-in.
        facts: { username: email, email, email_verified: "true", groups: isClaimed ? name : "" },
      })),
    );
    const [one = "", two = ""] = users.map(({ id }) => id);
    const group = await pusher.create(name, [one, two]);
    const people = ["--owner=stays@example.com", `--${role}=group:${name}`];
    await runCommand(addTeamCommand, { dataDirectory: scimDataDirectory() }, [name, ...people]);
    const apis = await Promise.all(users.map(({ facts }) => teamToken(facts, name)));
    const { raw_url: page } = await publish(apis[0] as ApiClient);
    const roles = () => Promise.all(apis.map(actingRole));

    const steps: readonly (readonly [() => Promise<ScimResponse>, isOne: boolean, isTwo: boolean])[] = [
      [() => pusher.remove(group, two), true, false],
      [() => pusher.add(group, two), true, true],
      [() => pusher.rename(group, `${name} renamed`), false, false],
      [() => pusher.rename(group, name), true, true],
      [() => pusher.replace(group, [two]), false, true],
      [() => pusher.replace(group, [one, two]), true, true],
      [() => pusher.setActive(one, false), false, true],
      // A reactivation does not restore the access that the deactivation ended.
      [() => pusher.setActive(one, true), false, true],
      [() => directory.send("DELETE", `/Groups/${group}`), false, false],
    ];

    expect(await roles()).toEqual([role, role]);
    for (const [index, [step, isOne, isTwo]] of steps.entries()) {
      expect((await step()).status).toBeLessThan(300);
      const expected = [isOne, isTwo].map((isIn) => (isIn ? role : undefined));
      expect([index, ...(await roles())]).toEqual([index, ...expected]);
      if (index === 7) expect(await actingRole(await teamToken(users[0]?.facts ?? "", name))).toBe(role);
    }
    expect((await fetchPage(new URL(page))).status).toBe(200);
  });
});
