import { describe, expect, test } from "vitest";
import { findTeamByNamespace, findTeamsOf } from "../../functions/people/teams.ts";
import type { ReaderRights } from "../../functions/policies/access.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/table.ts";
import { accessCommand } from "../../scripts/operator/access/access.ts";
import type { Command } from "../../scripts/operator/command.ts";
import { addTeamCommand, listTeamsCommand, removeTeamCommand } from "../../scripts/operator/teams.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { givenToken, newOwner, Owner, openGivenService, runCommand } from "./given-service.ts";

const given = await openGivenService();
const run = (command: Command, ...words: string[]) => runCommand(command, given, words, { yes: true });

/** Returns a member of the service with a verified address. */
function personAt(email: string): ReaderRights {
  const identity = { username: "", emails: [email], groups: [] };
  return { identity, userId: undefined, isMember: true, isInTeam: true, isBarred: false };
}

/** Creates a team whose owner has a unique address. */
async function givenTeam() {
  const namespace = unusedUsername("growth");
  const owner = `${namespace}@example.com`;
  await run(addTeamCommand, namespace, "--owner", owner);
  return { namespace, owner };
}

describe("an operator's team", () => {
  test("is created with people who can publish for it immediately", async () => {
    const namespace = unusedUsername("growth");
    const [ada, grace] = [`ada-${namespace}@example.com`, `grace-${namespace}@example.com`];

    const { lines } = await run(
      addTeamCommand,
      namespace,
      "--owner",
      ada,
      "--editor",
      grace,
      "--editor",
      ada,
    );

    expect(lines).toEqual([`Created the team ${namespace} with 2 owners or editors.`]);
    expect(await findTeamsOf(personAt(ada))).toMatchObject([{ namespace, role: "owner" }]);
    expect(await findTeamsOf(personAt(grace))).toMatchObject([{ namespace, role: "editor" }]);
    expect(await findTeamsOf({ ...personAt(grace), isMember: false })).toEqual([]);
    expect(await findTeamsOf({ ...personAt(grace), isBarred: true })).toEqual([]);
  });

  test("needs an owner and a free name", async () => {
    const { namespace, owner } = await givenTeam();
    const person = await newOwner(given.service, "ada");

    await expect(run(addTeamCommand, unusedUsername("growth"), "--editor", owner)).rejects.toThrow(
      /A team needs an owner\. Add --owner/,
    );
    await expect(run(addTeamCommand, person.namespace, "--owner", owner)).rejects.toThrow(
      /belongs or belonged to another account/,
    );
    await expect(run(addTeamCommand, "admin", "--owner", owner)).rejects.toThrow(/is reserved/);
    await expect(run(addTeamCommand, namespace, "--owner", "everyone")).rejects.toThrow(/names no person/);
    await expect(run(addTeamCommand, namespace)).rejects.toThrow(/Use --owner or --editor to add people/);
    await expect(run(removeTeamCommand, namespace, "--person", owner)).rejects.toThrow(/needs an owner/);
  });

  test("can get more people, and people can be removed", async () => {
    const { namespace, owner } = await givenTeam();
    const grace = `grace-${namespace}@example.com`;

    await run(addTeamCommand, namespace, "--owner", grace);
    await run(removeTeamCommand, namespace, "--person", owner);

    expect(await findTeamsOf(personAt(grace))).toMatchObject([{ namespace, role: "owner" }]);
    expect(await findTeamsOf(personAt(owner))).toEqual([]);
    const { lines } = await run(listTeamsCommand);
    expect(lines.find((line) => line.startsWith(`${namespace} `))).toMatch(
      new RegExp(`owners ${grace}  no editors$`),
    );
  });

  test("is deleted with its entry for each person, and its name stays reserved", async () => {
    const { namespace, owner } = await givenTeam();
    const { userId = "" } = (await findTeamByNamespace(namespace)) ?? {};

    const { isWell, lines } = await run(removeTeamCommand, namespace);

    expect(isWell).toBe(true);
    expect(lines.at(-1)).toBe(`${namespace} is deleted.`);
    expect(await getItem(keys.account(userId))).toBeUndefined();
    expect(await getItem(keys.team(userId))).toBeUndefined();
    expect((await getItem(keys.teamsOf(owner)))?.teams).toBeUndefined();
    await expect(run(removeTeamCommand, namespace)).rejects.toThrow(/There is no team/);
    await expect(run(addTeamCommand, namespace, "--owner", owner)).rejects.toThrow(
      /belongs or belonged to another account/,
    );
  });

  test("cannot be a person's account", async () => {
    const person = await newOwner(given.service, "ada");

    await expect(run(removeTeamCommand, person.namespace)).rejects.toThrow(/There is no team/);
    expect((await person.call("GET", "/api/me")).status).toBe(200);
  });

  test("gives its owner access to its drops, as the access command reports", { tags: "slow" }, async () => {
    const person = await newOwner(given.service, "ada");
    const namespace = unusedUsername("growth");
    await run(addTeamCommand, namespace, "--owner", person.namespace);
    const team = await findTeamByNamespace(namespace);
    if (team === undefined) throw new Error("There is no team.");
    const account = { userId: team.userId, namespace };
    const owner = new Owner(given.service.baseUrl, account, await givenToken(account, Date.now()));
    const slug = await owner.publish("<p>ours</p>", { visibility: "people", readers: ["x@example.com"] });

    const { lines } = await runCommand(accessCommand, given, [], { person: person.namespace });

    expect(lines.find((line) => line.includes(slug))).toMatch(/people {2}owner$/);
  });
});
