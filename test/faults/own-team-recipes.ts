import { expect } from "vitest";
import { formProofs, proofField } from "../../functions/http/form-proof.ts";
import { readerSessions } from "../../functions/identity/readers.ts";
import { findTeam } from "../../functions/people/teams.ts";
import type { OperationId } from "../../functions/routes.ts";
import { keys } from "../../functions/table/keys.ts";
import { transact } from "../../functions/table/table-writes.ts";
import { givenAct } from "../support/given-act.ts";
import { givenOwner } from "./account-page-recipes.ts";
import type { World } from "./given-world.ts";
import type { Recipe } from "./recipe.ts";
import { givenTeam } from "./team-recipes.ts";

/** Recipes of the account pages of people in a team. */
export const ownTeamRecipes: Partial<Record<OperationId, readonly Recipe[]>> = {
  "switch-account": [
    {
      mayRepeat: true,
      prepare: async (world) => {
        const team = await givenTeam(world);
        const { browser, reference } = await givenOwner(world);
        const proof = (await formProofs(reference))("/account/switch");
        return {
          call: {
            browser,
            headers: ownOrigin(),
            body: bodyOf({ account: team.namespace, [proofField]: proof }),
          },
          expectVisible: async () =>
            expect((await readerSessions.find(reference, Date.now()))?.team?.userId).toBe(team.userId),
        };
      },
    },
  ],
  "show-own-team": [
    {
      prepare: async (world) => {
        const { team, browser } = await givenActing(world);
        return {
          call: { browser },
          expectVisible: async ({ text }) => expect(text).toContain(`People of ${team.namespace}`),
        };
      },
    },
  ],
  "edit-own-team": [
    {
      mayRepeat: true,
      prepare: async (world) => {
        const { team, browser, reference } = await givenActing(world);
        const proof = (await formProofs(`${reference} ${team.userId}`))("/account/team");
        const fields = { change: "role", reader: `${world.namespace}@example.com`, role: "owner" };
        return {
          call: { browser, headers: ownOrigin(), body: bodyOf({ ...fields, [proofField]: proof }) },
          expectVisible: async () =>
            expect((await findTeam(team.userId))?.people.map(({ role }) => role)).toEqual(["owner", "owner"]),
        };
      },
    },
  ],
};

/** Signs in the owner of a world and switches to a team, whose write windows are open. */
async function givenActing(world: World) {
  const team = await givenTeam(world);
  const { browser, reference } = await givenOwner(world);
  const session = await readerSessions.find(reference, Date.now());
  if (session === undefined) throw new Error("The session is not there.");
  await readerSessions.selectTeam(session, team, givenAct());
  const { startedAtMs: nowMs } = world;
  const windows = { minuteStartedAtMs: nowMs, minuteCount: 1, dayStartedAtMs: nowMs, dayCount: 1 };
  await transact([{ put: { ...keys.rateWindow("browser", team.userId), ...windows } }]);
  return { team, browser, reference };
}

function ownOrigin() {
  return { origin: new URL(process.env.BASE_URL ?? "").origin };
}

function bodyOf(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString();
}
