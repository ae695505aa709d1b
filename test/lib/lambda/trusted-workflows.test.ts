// @module-tag nightly

import { expect, test } from "vitest";
import type { Settings } from "../../../lib/settings.ts";
import { givenStack, resourcesOf } from "../given-stack.ts";

/** Returns the handlers with the variable for trusted workflows, and its value. */
function toldOf(settings: Settings) {
  const functions = Object.values(resourcesOf(givenStack(settings), "AWS::Lambda::Function"));
  return functions.flatMap(({ Properties: { Handler, Environment } }) => {
    const told = Environment?.Variables.TRUSTED_WORKFLOWS;
    return told === undefined ? [] : [[String(Handler).slice("index.".length), JSON.parse(told)]];
  });
}

const repositories = [{ repository: "octo-org/octo-repo", repositoryId: 74 }];

test("without the setting, no function accepts the ID token of a workflow", () => {
  expect(toldOf({})).toEqual([]);
});

test("with the setting, the token endpoint and its metadata have GitHub's issuer and the repositories", () => {
  const trust = { issuer: "https://token.actions.githubusercontent.com", repositories };

  expect(toldOf({ githubActions: { repositories } }).toSorted()).toEqual([
    ["issueToken", trust],
    ["serveDocuments", trust],
  ]);
});

test("with a custom issuer, GitHub's is not accepted", () => {
  const issuer = "https://github.example.com/_services/token";

  expect(toldOf({ githubActions: { issuer, repositories } }).map(([, trust]) => trust)).toEqual([
    { issuer, repositories },
    { issuer, repositories },
  ]);
});
