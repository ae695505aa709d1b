import { expect, test } from "vitest";
import { neededTeamRole } from "../../functions/http/route.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";

test("deleting, purging, removing and revoking for a team requires an owner of it", () => {
  const ids = operationIds.filter((id) => /^(delete|purge|remove|revoke)-/.test(id));
  // A client that revokes its own grant does not act for a team. An editor's token may revoke itself: its operation
  // checks the role.
  const others = ["revoke-grant", "revoke-token"];

  expect(ids.length).toBeGreaterThan(10);
  for (const id of ids.filter((one) => !others.includes(one)))
    expect([id, neededTeamRole(routeOf(id))]).toEqual([id, "owner"]);
});

test("publishing and editing for a team requires an editor of it", () => {
  for (const id of [
    "publish-drop",
    "edit-drop",
    "edit-own-drop",
    "share-own-drop",
    "upload-own-file",
  ] as const)
    expect([id, neededTeamRole(routeOf(id))]).toEqual([id, "editor"]);
});
