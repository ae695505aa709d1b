import { randomInt } from "node:crypto";
import { mapInParallel, toAccountRow } from "../../functions/administration/accounts.ts";
import { ApiError } from "../../functions/core/errors.ts";
import { type Team, teamProvider } from "../../functions/people/team.ts";
import { findTeam, findTeamByNamespace } from "../../functions/people/teams.ts";
import { presentReader, type TeamPeople, type TeamRole } from "../../functions/policies/access.ts";
import { teams } from "../../functions/teams/store.ts";
import { requireRule } from "../../functions/teams/team-rule.ts";
import { deleteAccount } from "./accounts/delete-account.ts";
import { formatUtc, sortBy, UsageError, yesOption } from "./command.ts";
import { defineServiceCommand } from "./service.ts";
import { findAccounts, findUser } from "./table-reads.ts";

const peopleHelp = "an e-mail address, @domain, username:<name> or group:<group>; repeat it for several";

export const addTeamCommand = defineServiceCommand({
  usage: "teams add <namespace>",
  summary: "creates a team, which is an account of several people, or adds people to a team",
  details: `
Owners publish, edit and delete, and change roles and tokens of the team. Editors publish and edit. Only members of the service can act for
the team. A change takes effect at the next request. An existing team keeps its other owners and editors. Someone who is named again gets
the new role.`,
  options: { "owner <reader>…": peopleHelp, "editor <reader>…": peopleHelp },
  run: ({ word: namespace, options: { owner, editor }, action, print }) =>
    explained(async () => {
      const people = toPeople(owner, editor);
      const existing = await findTeamByNamespace(namespace);
      if (existing === undefined) {
        if (!people.some(({ role }) => role === "owner"))
          throw new UsageError(`A team needs an owner. Add --owner with ${peopleHelp}.`);
        await teams.create({ namespace, people }, randomInt, await action("create-team"));
        return print(`Created the team ${namespace} with ${count(people)}.`);
      }
      if (people.length === 0)
        throw new UsageError(`${namespace} already exists. Use --owner or --editor to add people.`);
      for (const { rule, role } of people)
        await teams.setRole(existing.userId, rule, role, await action("set-team-role"));
      print(`Added ${count(people)} to ${namespace}.`);
    }),
});

export const listTeamsCommand = defineServiceCommand({
  usage: "teams list",
  summary: "lists teams with their owners and editors",
  details: "Reads the whole table.",
  async run({ printAll }) {
    const accounts = (await findAccounts()).filter(({ provider }) => provider === teamProvider);
    const rows = await mapInParallel(accounts, async (item) => {
      const { userId, namespace } = toAccountRow(item);
      const team = await findTeam(userId);
      return [namespace, `drops ${item.dropCount}`, ...(team ? describe(team) : ["being deleted"])];
    });
    printAll(
      sortBy(rows, ([namespace = ""]) => namespace),
      `Teams: ${rows.length}.`,
    );
  },
});

export const removeTeamCommand = defineServiceCommand({
  usage: "teams remove <namespace>",
  summary: "deletes a team with everything in it, or removes people from it",
  details: `
With --person, only these people are removed from the team, and their tokens for the team are refused at once. The last owner cannot be
removed. Without --person, the team's account is deleted, as with delete-account. The namespace stays reserved.`,
  options: { "person <reader>…": `removes people: ${peopleHelp}`, yes: yesOption },
  async run(work) {
    const { word: namespace, action, print } = work;
    const { person } = work.options;
    const team = await findTeamByNamespace(namespace);
    if (team === undefined) throw new UsageError(`There is no team ${JSON.stringify(namespace)}.`);
    if (person.length > 0) {
      for (const text of person)
        await explained(async () =>
          teams.setRole(team.userId, requireRule(text), undefined, await action("remove-team-role")),
        );
      return print(`Removed ${person.join(", ")} from ${namespace}.`);
    }
    const user = await findUser(team.userId);
    await work.confirm(namespace, `The team ${namespace} will be deleted with everything in it.`);
    await deleteAccount(work, user, false);
  },
});

function toPeople(owners: readonly string[], editors: readonly string[]): TeamPeople {
  const withRole = (texts: readonly string[], role: TeamRole) =>
    texts.map((text) => ({ rule: requireRule(text), role }));
  const people = [...withRole(editors, "editor"), ...withRole(owners, "owner")];
  // A person in both lists becomes an owner.
  return [...new Map(people.map((one) => [presentReader(one.rule), one])).values()];
}

/** Runs a change. If the service refuses the change, throws a UsageError for the operator. */
async function explained<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof ApiError && error.status < 500 ? new UsageError(error.message) : error;
  }
}

function count(people: TeamPeople): string {
  return people.length === 1 ? "1 owner or editor" : `${people.length} owners or editors`;
}

function describe({ people, createdAtMs }: Team): string[] {
  const namesWith = (one: TeamRole) =>
    people.flatMap(({ role, rule }) => (role === one ? presentReader(rule) : [])).join(", ");
  const editors = namesWith("editor");
  return [
    `created ${formatUtc(createdAtMs)}`,
    `owners ${namesWith("owner")}`,
    editors === "" ? "no editors" : `editors ${editors}`,
  ];
}
