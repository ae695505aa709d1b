import { generateKeyPair } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TrustedRepository } from "../../functions/core/environment.ts";
import { OAuthError } from "../../functions/oauth/oauth-error.ts";
import { verifyWorkflowToken } from "../../functions/oauth/workflow-token.ts";
import { type AssertionIssuer, type Signing, startAssertionIssuer } from "../support/assertion-issuer.ts";
import { repository, repositoryId, workflowClaims } from "../support/workflow-claims.ts";

const site = { baseUrl: "https://drops.example.com" };
const nowMs = 1_800_000_000_000;
const nowSeconds = nowMs / 1000;

let github: AssertionIssuer;
let issuer: string;

beforeAll(async () => {
  github = await startAssertionIssuer();
  issuer = github.provider.address;
});
afterAll(() => github.provider.stop());

type Claims = Readonly<Record<string, unknown>>;

/** Verifies a token with other claims in place of GitHub's, at a service with these rules for the repository. */
async function verify(claims: Claims, rules: Partial<TrustedRepository> = {}, signing: Signing = {}) {
  const token = await github.sign(
    { ...workflowClaims(issuer, site.baseUrl, nowSeconds), ...claims },
    { typ: "JWT", ...signing },
  );
  const trust = { issuer, repositories: [{ repository, repositoryId, ...rules }] };
  return verifyWorkflowToken(token, trust, site, nowMs);
}

const onBranch = (branch: string, event = "push") => ({ event_name: event, ref: `refs/heads/${branch}` });

describe("an ID token of GitHub Actions is accepted", () => {
  test.each<[string, Claims, Partial<TrustedRepository>]>([
    ["of a pull request", {}, {}],
    ["of a pull request that was merged, whose ref is the branch", { ref: "refs/heads/main" }, {}],
    ["of a repository in other capital letters", { repository: "Octo-Org/octo-repo" }, {}],
    ["of a trusted branch", onBranch("main"), { branches: ["release", "main"] }],
    ["of a schedule", onBranch("main", "schedule"), { branches: ["main"] }],
    ["of a run by hand", onBranch("main", "workflow_dispatch"), { branches: ["main"] }],
    ["of the environment", { environment: "preview" }, { environment: "preview" }],
    ["of the workflow", {}, { workflow: "preview.yml" }],
    [
      "of the workflow, where no other calls it",
      { job_workflow_ref: undefined },
      { workflow: "preview.yml" },
    ],
    ["with the subject of new repositories", { sub: "repo:octo-org@65/octo-repo@74:pull_request" }, {}],
  ])("%s", async (_, claims, rules) => {
    const run = await verify(claims, rules);

    expect(run).toMatchObject({ runId: "1545", repository: { repository, repositoryId } });
    expect(run.expiresAtMs).toBeGreaterThan(nowMs);
  });
});

describe("an ID token of GitHub Actions is refused", () => {
  test.each<[string, Claims, Partial<TrustedRepository>, string]>([
    ["another issuer", { iss: "https://id.example.net" }, {}, "its iss is missing or wrong"],
    ["another service", { aud: "https://other.example.com" }, {}, "its aud is missing or wrong"],
    ["GitHub's own audience", { aud: "https://github.com/octo-org" }, {}, "its aud is missing or wrong"],
    ["several services", { aud: [site.baseUrl, "https://a.example"] }, {}, "its aud names several services"],
    ["the past", { iat: nowSeconds - 700, exp: nowSeconds - 400 }, {}, "it has expired"],
    ["long ago", { iat: nowSeconds - 7_200 }, {}, "it has expired"],
    ["the future", { nbf: nowSeconds + 400 }, {}, "its nbf is missing or wrong"],
    ["no time", { exp: undefined }, {}, "its exp is missing or wrong"],
    ["no id", { jti: undefined }, {}, "its jti is missing or wrong"],
    ["another repository", { repository: "octo-org/other" }, {}, "its repository is not in"],
    ["a fork", { repository: "mallory/octo-repo", repository_id: "75" }, {}, "its repository is not in"],
    [
      "a repository that took the name",
      { repository_id: "75" },
      {},
      "its repository_id differs from the setting",
    ],
    ["no repository id", { repository_id: undefined }, {}, "its repository_id is missing or wrong"],
    ["a number", { repository_id: 74 }, {}, "its repository_id is not a string"],
    [
      "pull requests that are off",
      {},
      { pullRequests: false, branches: ["main"] },
      "its event_name is pull_request",
    ],
    ["a branch, where none is trusted", onBranch("main"), {}, "its ref is not one of the branches"],
    ["another branch", onBranch("topic"), { branches: ["main"] }, "its ref is not one of the branches"],
    [
      "a tag with the branch's name",
      { event_name: "push", ref: "refs/tags/main" },
      { branches: ["main"] },
      "its ref is not one of the branches",
    ],
    [
      "a fork's pull request with rights",
      onBranch("main", "pull_request_target"),
      { branches: ["main"] },
      "its event_name is not one of",
    ],
    [
      "a workflow after a fork's",
      onBranch("main", "workflow_run"),
      { branches: ["main"] },
      "its event_name is not one of",
    ],
    [
      "anybody's comment",
      onBranch("main", "issue_comment"),
      { branches: ["main"] },
      "its event_name is not one of",
    ],
    ["no environment", {}, { environment: "preview" }, "its environment differs from the setting"],
    [
      "another environment",
      { environment: "production" },
      { environment: "preview" },
      "its environment differs from the setting",
    ],
    ["another workflow", {}, { workflow: "view.yml" }, "its job_workflow_ref is not"],
    [
      "a workflow whose name goes on",
      { job_workflow_ref: `${repository}/.github/workflows/preview.yml.yml@refs/heads/main` },
      { workflow: "preview.yml" },
      "its job_workflow_ref is not",
    ],
    [
      "no workflow",
      { job_workflow_ref: undefined, workflow_ref: undefined },
      { workflow: "preview.yml" },
      "its job_workflow_ref is not",
    ],
    [
      "another repository's workflow",
      { job_workflow_ref: "mallory/x/.github/workflows/preview.yml@main" },
      { workflow: "preview.yml" },
      "its job_workflow_ref is not",
    ],
  ])("of %s", async (_, claims, rules, problem) => {
    const refused = await verify(claims, rules).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(OAuthError);
    expect(refused).toMatchObject({
      oauthCode: "invalid_request",
      message: expect.stringContaining(problem),
    });
  });

  test.each<[string, () => Promise<Signing>, string]>([
    ["of another type", async () => ({ typ: "at+jwt" }), "its typ is missing or wrong"],
    [
      "by another key",
      async () => ({ key: (await generateKeyPair("ES256")).privateKey }),
      "its signature is wrong",
    ],
    [
      "by a shared secret",
      async () => ({ alg: "HS256", key: new TextEncoder().encode("secret".repeat(10)) }),
      "its algorithm is not allowed",
    ],
  ])("%s", async (_, signing, problem) => {
    await expect(verify({}, {}, await signing())).rejects.toThrow(`The ID token is not accepted: ${problem}`);
  });

  test("without the setting's ids and names in the message", async () => {
    const refused = await verify({ repository_id: "75" }).catch((error: Error) => error.message);

    expect(refused).not.toMatch(/7[45]/);
  });
});
