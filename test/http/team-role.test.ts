import { expect, test } from "vitest";
import { neededTeamRole } from "../../functions/http/team-role.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";

test("all that deletes, purges, removes or revokes for a team needs an owner of it", () => {
  const ids = operationIds.filter((id) => /^(delete|purge|remove|revoke)-/.test(id));
  // A client that gives its own grant back acts for no team. An editor's token may revoke itself: its operation checks the role.
  const others = ["revoke-grant", "revoke-token"];

  expect(ids.length).toBeGreaterThan(10);
  for (const id of ids.filter((one) => !others.includes(one)))
    expect([id, neededTeamRole(routeOf(id))]).toEqual([id, "owner"]);
});

test("what publishes and edits for a team needs an editor of it", () => {
  for (const id of [
    "publish-drop",
    "edit-drop",
    "edit-own-drop",
    "share-own-drop",
    "upload-own-file",
  ] as const)
    expect([id, neededTeamRole(routeOf(id))]).toEqual([id, "editor"]);
});
