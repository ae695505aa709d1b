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

/** Verifies a token with claims overridden, at a service with these rules for the repository. */
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
    ["of a repository in another letter case", { repository: "Octo-Org/octo-repo" }, {}],
    ["of a trusted branch", onBranch("main"), { branches: ["release", "main"] }],
    ["of a schedule", onBranch("main", "schedule"), { branches: ["main"] }],
    ["of a manual run", onBranch("main", "workflow_dispatch"), { branches: ["main"] }],
    ["of the environment", { environment: "preview" }, { environment: "preview" }],
    ["of the workflow", {}, { workflow: "preview.yml" }],
    [
      "of the workflow, not called by another one",
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
    ["from another issuer", { iss: "https://id.example.net" }, {}, "its iss is missing or wrong"],
    ["for another service", { aud: "https://other.example.com" }, {}, "its aud is missing or wrong"],
    ["for GitHub's own audience", { aud: "https://github.com/octo-org" }, {}, "its aud is missing or wrong"],
    [
      "for several services",
      { aud: [site.baseUrl, "https://a.example"] },
      {},
      "its aud names several services",
    ],
    ["that has expired", { iat: nowSeconds - 700, exp: nowSeconds - 400 }, {}, "it has expired"],
    ["issued long ago", { iat: nowSeconds - 7_200 }, {}, "it has expired"],
    ["not valid yet", { nbf: nowSeconds + 400 }, {}, "its nbf is missing or wrong"],
    ["without an expiry", { exp: undefined }, {}, "its exp is missing or wrong"],
    ["without an id", { jti: undefined }, {}, "its jti is missing or wrong"],
    ["from another repository", { repository: "octo-org/other" }, {}, "its repository is not in"],
    ["from a fork", { repository: "mallory/octo-repo", repository_id: "75" }, {}, "its repository is not in"],
    [
      "from a repository that took over the name",
      { repository_id: "75" },
      {},
      "its repository_id differs from the setting",
    ],
    ["without a repository id", { repository_id: undefined }, {}, "its repository_id is missing or wrong"],
    ["with a number as repository id", { repository_id: 74 }, {}, "its repository_id is not a string"],
    [
      "from a pull request, if these are not allowed",
      {},
      { pullRequests: false, branches: ["main"] },
      "its event_name is pull_request",
    ],
    ["from a branch, if none is trusted", onBranch("main"), {}, "its ref is not one of the branches"],
    [
      "from an untrusted branch",
      onBranch("topic"),
      { branches: ["main"] },
      "its ref is not one of the branches",
    ],
    [
      "from a tag with the branch's name",
      { event_name: "push", ref: "refs/tags/main" },
      { branches: ["main"] },
      "its ref is not one of the branches",
    ],
    [
      "from pull_request_target, which runs with rights for a fork's pull request",
      onBranch("main", "pull_request_target"),
      { branches: ["main"] },
      "its event_name is not one of",
    ],
    [
      "from workflow_run, which follows a fork's workflow",
      onBranch("main", "workflow_run"),
      { branches: ["main"] },
      "its event_name is not one of",
    ],
    [
      "from a comment, which anyone can write",
      onBranch("main", "issue_comment"),
      { branches: ["main"] },
      "its event_name is not one of",
    ],
    ["without an environment", {}, { environment: "preview" }, "its environment differs from the setting"],
    [
      "from another environment",
      { environment: "production" },
      { environment: "preview" },
      "its environment differs from the setting",
    ],
    ["from another workflow", {}, { workflow: "view.yml" }, "its job_workflow_ref is not"],
    [
      "from a workflow whose name only starts the same",
      { job_workflow_ref: `${repository}/.github/workflows/preview.yml.yml@refs/heads/main` },
      { workflow: "preview.yml" },
      "its job_workflow_ref is not",
    ],
    [
      "without a workflow",
      { job_workflow_ref: undefined, workflow_ref: undefined },
      { workflow: "preview.yml" },
      "its job_workflow_ref is not",
    ],
    [
      "from another repository's workflow",
      { job_workflow_ref: "mallory/x/.github/workflows/preview.yml@main" },
      { workflow: "preview.yml" },
      "its job_workflow_ref is not",
    ],
  ])("%s", async (_, claims, rules, problem) => {
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
      "signed with another key",
      async () => ({ key: (await generateKeyPair("ES256")).privateKey }),
      "its signature is wrong",
    ],
    [
      "signed with a shared secret",
      async () => ({ alg: "HS256", key: new TextEncoder().encode("secret".repeat(10)) }),
      "its algorithm is not allowed",
    ],
  ])("%s", async (_, signing, problem) => {
    await expect(verify({}, {}, await signing())).rejects.toThrow(`The ID token is not accepted: ${problem}`);
  });

  test("without quoting the setting's ids in the message", async () => {
    const refused = await verify({ repository_id: "75" }).catch((error: Error) => error.message);

    expect(refused).not.toMatch(/7[45]/);
  });
});
