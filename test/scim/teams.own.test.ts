// @module-tag slow

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addTeamCommand } from "../../scripts/operator/teams.ts";
import { runCommand } from "../operator/given-service.ts";
import { publish } from "../support/accounts.ts";
import type { ApiClient } from "../support/client.ts";
import { openSignedIn } from "../support/own-pages.ts";
import type { RunningService } from "../support/running-service.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { teamToken } from "../support/team-sign-in.ts";
import { Visitor } from "../support/visitor.ts";
import { createToken, Directory, scimDataDirectory, startScimService } from "./scim-client.ts";

let service: RunningService;
let directory: Directory;
let publishers: string;

beforeAll(async () => {
  service = await startScimService({ administrators: ["group:Administrators"] });
  directory = new Directory((await createToken()).plaintext);
  publishers = await directory.createGroup("Publishers");
});

afterAll(() => service.stop());

/** Creates a team with a group of the directory as editors, and a person in the group with a token for the team. */
async function givenMember() {
  const name = unusedUsername("growth");
  const group = await directory.createGroup(name);
  const owner = "--owner=ada@example.com";
  await runCommand(addTeamCommand, { dataDirectory: scimDataDirectory() }, [
    name,
    owner,
    `--editor=group:${name}`,
  ]);
  const username = unusedUsername("grace");
  const person = await directory.createUser(username);
  const add = [{ op: "add", path: "members", value: [{ value: person }] }];
  for (const id of [publishers, group]) await directory.patch(`/Groups/${id}`, add);
  return { name, group, person, api: await teamToken(username, name) };
}

const statusOf = async (api: ApiClient) => (await api.call("list-drops")).status;

describe("a team with a group of the directory", () => {
  test("refuses a person who leaves the group, and its pages stay", async () => {
    const { group, person, api } = await givenMember();
    await publish(api);
    expect(await statusOf(api)).toBe(200);

    await directory.patch(`/Groups/${group}`, [{ op: "remove", path: `members[value eq "${person}"]` }]);
    expect(await statusOf(api)).toBe(403);

    const add = [{ op: "add", path: "members", value: [{ value: person }] }];
    await directory.patch(`/Groups/${group}`, add);
    expect((await api.succeed("list-drops")).drops).toHaveLength(1);
  });

  test("refuses a deactivated person, whose token stays invalid after the reactivation", async () => {
    const { person, api } = await givenMember();

    await directory.patch(`/Users/${person}`, [{ op: "replace", path: "active", value: false }]);
    expect(await statusOf(api)).toBe(403);

    await directory.patch(`/Users/${person}`, [{ op: "replace", path: "active", value: true }]);
    expect(await statusOf(api)).toBe(403);
  });

  test("refuses a person who may no longer publish", async () => {
    const { person, api } = await givenMember();

    await directory.patch(`/Groups/${publishers}`, [{ op: "remove", path: `members[value eq "${person}"]` }]);

    expect(await statusOf(api)).toBe(403);
  });
});

test("an administrator who leaves the directory's group, or is deactivated, loses /admin with the next request", async () => {
  const administrators = await directory.createGroup("Administrators");
  const username = unusedUsername("root");
  const person = await directory.createUser(username);
  const add = [{ op: "add", path: "members", value: [{ value: person }] }];
  for (const id of [publishers, administrators]) await directory.patch(`/Groups/${id}`, add);
  const visitor = new Visitor();
  await openSignedIn("/admin", username, visitor);
  const statusAtAdmin = async () => (await visitor.request("/admin")).response.status;
  expect(await statusAtAdmin()).toBe(200);

  const remove = [{ op: "remove", path: `members[value eq "${person}"]` }];
  await directory.patch(`/Groups/${administrators}`, remove);
  expect(await statusAtAdmin()).toBe(404);

  await directory.patch(`/Groups/${administrators}`, add);
  expect(await statusAtAdmin()).toBe(200);
  await directory.patch(`/Users/${person}`, [{ op: "replace", path: "active", value: false }]);
  expect(await statusAtAdmin()).toBe(403);
});
