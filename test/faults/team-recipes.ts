import { randomInt } from "node:crypto";
import { expect } from "vitest";
import { publicDrops } from "../../functions/drops/public-drops.ts";
import type { Team } from "../../functions/people/team.ts";
import { findTeam, findTeamByNamespace } from "../../functions/people/teams.ts";
import { presentReader, type TeamRole } from "../../functions/policies/access.ts";
import type { OperationId } from "../../functions/routes.ts";
import { keys } from "../../functions/table/keys.ts";
import { tokens } from "../../functions/table/tokens.ts";
import { teams } from "../../functions/teams/store.ts";
import { givenAct } from "../support/given-act.ts";
import { callOperation } from "../support/operation-caller.ts";
import { unusedUsername } from "../support/sign-in.ts";
import { givenDrop, type World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";

/** Creates a team with the world's person as owner, and with an editor. */
export async function givenTeam(world: World): Promise<Team> {
  const people = [
    { rule: { kind: "username", username: world.namespace }, role: "owner" },
    { rule: { kind: "email", email: editorOf(world) }, role: "editor" },
  ] as const;
  const team = await teams.create({ namespace: unusedUsername("team"), people }, randomInt, givenAct());
  watch(world, team);
  return team;
}

/** E-mail address of the world's editor. Cases run concurrently, so each needs its own items. */
function editorOf({ namespace }: World): string {
  return `${namespace}@example.com`;
}

/** Adds a team's items to those of a case. */
function watch({ userIds, partitions }: World, { userId, namespace, people }: Team): void {
  userIds.add(userId);
  partitions.add(keys.namespace(namespace).pk);
  for (const { rule } of people) partitions.add(keys.teamsOf(presentReader(rule)).pk);
}

async function rolesOf({ userId }: Team): Promise<Record<string, TeamRole>> {
  const { people = [] } = (await findTeam(userId)) ?? {};
  return Object.fromEntries(people.map(({ rule, role }) => [presentReader(rule), role]));
}

/** Recipes of operations on teams. */
export const teamRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "list-teams": [
    {
      prepare: async (world) => {
        const { namespace } = await givenTeam(world);
        return {
          call: { token: world.token },
          expectVisible: async ({ text }) => expect(JSON.parse(text).teams).toMatchObject([{ namespace }]),
        };
      },
    },
  ],
  "get-team": [
    {
      prepare: async (world) => {
        const { namespace } = await givenTeam(world);
        return { call: { token: world.token, params: { namespace } } };
      },
    },
  ],
  "create-team": [
    {
      prepare: async (world) => {
        const namespace = unusedUsername("team");
        return {
          call: { token: world.token, headers: { "idempotency-key": namespace }, body: { namespace } },
          expectVisible: async () => {
            const team = await findTeamByNamespace(namespace);
            expect(team?.people).toHaveLength(1);
            if (team !== undefined) watch(world, team);
          },
        };
      },
    },
  ],
  "create-team-token": [
    {
      mayRepeat: true,
      prepare: async (world) => {
        const { namespace, userId } = await givenTeam(world);
        return {
          call: { token: world.token, params: { namespace }, body: { label: "Nightly" } },
          expectVisible: async ({ text }) => {
            const { id } = JSON.parse(text) as { readonly id: string };
            expect((await tokens.list(userId)).map((token) => token.id)).toContain(id);
          },
        };
      },
    },
  ],
  "move-drop": [
    {
      prepare: async (world) => {
        const { slug } = await givenDrop(world);
        const { userId, namespace } = await givenTeam(world);
        const drop = { token: world.token, params: { slug } };
        return {
          call: { ...drop, body: { to: namespace } },
          expectVisible: async () => {
            expect((await publicDrops.findBySlug(slug))?.ownerId).toBe(userId);
            await callOperation("get-drop", { ...drop, expectedStatus: 404 });
            await callOperation("read-raw-page", { params: { slug } });
          },
        };
      },
    },
  ],
  "edit-team": [
    {
      mayRepeat: true,
      prepare: async (world) => {
        const team = await givenTeam(world);
        return {
          call: {
            token: world.token,
            params: { namespace: team.namespace },
            body: { group_by: "project" },
          },
          expectVisible: async () => expect((await findTeam(team.userId))?.groupBy).toBe("project"),
        };
      },
    },
  ],
  "set-team-role": [
    {
      mayRepeat: true,
      prepare: async (world) => {
        const team = await givenTeam(world);
        const params = { namespace: team.namespace, reader: editorOf(world) };
        return {
          call: { token: world.token, params, body: { role: "owner" } },
          expectVisible: async () =>
            expect(await rolesOf(team)).toEqual({
              [world.namespace]: "owner",
              [editorOf(world)]: "owner",
            }),
        };
      },
    },
  ],
  "remove-team-role": [
    {
      statusOnceDone: 404,
      prepare: async (world) => {
        const team = await givenTeam(world);
        const params = { namespace: team.namespace, reader: editorOf(world) };
        return {
          call: { token: world.token, params },
          expectVisible: async () => expect(await rolesOf(team)).toEqual({ [world.namespace]: "owner" }),
        };
      },
    },
  ],
};
