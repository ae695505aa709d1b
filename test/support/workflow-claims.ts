import { randomUUID } from "node:crypto";

export const repository = "octo-org/octo-repo";

/** GitHub's id of the repository. */
export const repositoryId = 74;

/**
 * Claims of the ID token that GitHub issues to a job of a pull request.
 *
 * Source: GitHub Docs, "OpenID Connect reference" and "OpenID Connect".
 */
export function workflowClaims(issuer: string, audience: string, nowSeconds: number) {
  return {
    jti: randomUUID(),
    sub: `repo:${repository}:pull_request`,
    aud: audience,
    ref: "refs/pull/12/merge",
    sha: "example-sha",
    repository,
    repository_owner: "octo-org",
    actor_id: "12",
    repository_visibility: "private",
    repository_id: String(repositoryId),
    repository_owner_id: "65",
    run_id: "1545",
    run_number: "10",
    run_attempt: "2",
    runner_environment: "github-hosted",
    actor: "octocat",
    workflow: "Preview",
    head_ref: "numbers",
    base_ref: "main",
    event_name: "pull_request",
    ref_type: "branch",
    workflow_ref: `${repository}/.github/workflows/preview.yml@refs/pull/12/merge`,
    job_workflow_ref: `${repository}/.github/workflows/preview.yml@refs/pull/12/merge`,
    iss: issuer,
    nbf: nowSeconds - 600,
    exp: nowSeconds + 300,
    iat: nowSeconds,
  };
}
