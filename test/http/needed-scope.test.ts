import { expect, test } from "vitest";
import { neededScope } from "../../functions/http/route.ts";
import { operationIds, routeOf } from "../../functions/routes.ts";

const withToken = operationIds.map(routeOf).filter(({ caller }) => caller === "token");
const idsOf = (scope: string) =>
  withToken
    .filter((route) => neededScope(route) === scope)
    .map(({ id }) => id)
    .toSorted();

test("the scope publish allows creating pages, files and versions, and changing content", () => {
  expect(idsOf("publish")).toEqual([
    "complete-upload",
    "edit-drop",
    "publish-drop",
    "publish-folder",
    "publish-version",
    "reply-to-feedback",
    "resolve-feedback",
    "restore-version",
    "start-folder",
    "start-publish",
    "start-upload",
    "upload-blob",
    "upsert-drop",
  ]);
});

test("only the scope all allows deleting, undeleting, and changing who may read and publish", () => {
  expect(idsOf("all")).toEqual([
    "create-team",
    "create-team-token",
    "delete-answer",
    "delete-answers",
    "delete-blob",
    "delete-drop",
    "delete-feedback",
    "delete-version",
    "dismiss-access-request",
    "edit-blob",
    "edit-team",
    "move-drop",
    "purge-drop",
    "remove-team-role",
    "set-passcode",
    "set-team-role",
    "undelete-drop",
  ]);
});

test("the scope read allows every call that changes nothing, and a token's own revocation", () => {
  const changing = withToken.filter(({ method }) => method !== "GET").map(({ id }) => id);

  expect(idsOf("read").filter((id) => changing.some((one) => one === id))).toEqual(["revoke-token"]);
  expect(withToken.filter((route) => route.method === "GET" && neededScope(route) !== "read")).toEqual([]);
});
