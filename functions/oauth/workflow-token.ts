import {
  environmentNames,
  findEnvironment,
  type TrustedRepository,
  type WorkflowTrust,
} from "../core/environment.ts";
import type { Site } from "../http/site.ts";
import { OAuthError } from "./oauth-error.ts";
import { verifySignedToken } from "./signed-token.ts";

// A GitHub Actions job proves its workflow with an ID token; see "OpenID Connect reference", GitHub documentation, and
// docs/adr/0095-github-actions.md.

/**
 * Events that only people with write access to the repository can trigger. Excludes events such as `pull_request_target` and
 * `issue_comment`, which anyone on GitHub can trigger.
 */
const branchEvents = ["push", "schedule", "workflow_dispatch"];

/** Required claims, which decide about access. GitHub sends all of them as strings. */
const decisive = ["repository", "repository_id", "event_name", "ref", "run_id"] as const;

type Claims = Readonly<Record<(typeof decisive)[number], string>> & {
  readonly environment?: unknown;
  /** Workflow file that defines the job, with its repository and ref. The file may be a reusable workflow. */
  readonly job_workflow_ref?: unknown;
  readonly workflow_ref?: unknown;
};

/** Reads the setting `githubActions`. Returns undefined if the operator has not set it. */
export function findWorkflowTrust(): WorkflowTrust | undefined {
  const text = findEnvironment(environmentNames.githubActions);
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * Verifies the ID token of a workflow job, and finds the job's repository in the settings. Callers must check that the token was not used
 * before.
 *
 * @throws OAuthError `invalid_request` (RFC 8693, section 2.2.2) if a claim is invalid; ApiError `idp_unavailable`
 */
export async function verifyWorkflowToken(
  idToken: string,
  { issuer, repositories }: WorkflowTrust,
  site: Pick<Site, "baseUrl">,
  nowMs: number,
) {
  const refuse = (why: string) => new OAuthError("invalid_request", `The ID token is not accepted: ${why}.`);
  const rules = { issuer, audience: site.baseUrl, typ: "JWT", texts: decisive, refuse };
  const { claims: signed, reference, expiresAtMs } = await verifySignedToken(idToken, rules, nowMs);
  const claims = signed as unknown as Claims;
  const repository = repositories.find((one) => isSameName(one.repository, claims.repository));
  if (repository === undefined) throw refuse("its repository is not in the service's setting githubActions");
  const problem = problemOf(claims, repository);
  if (problem !== undefined) throw refuse(problem);
  return { repository, runId: claims.run_id, reference, expiresAtMs };
}

function problemOf(claims: Claims, trusted: TrustedRepository): string | undefined {
  const { repository, pullRequests = true, branches = [], environment, workflow } = trusted;
  // Compares the numeric id, because after a deletion or renaming, another repository may get the same name.
  if (claims.repository_id !== String(trusted.repositoryId))
    return "its repository_id differs from the setting, so this is another repository with the same name";
  if (claims.event_name === "pull_request") {
    if (!pullRequests) return "its event_name is pull_request, but the setting does not allow pull requests";
  } else if (!branchEvents.includes(claims.event_name))
    return `its event_name is not one of pull_request, ${branchEvents.join(", ")}`;
  else if (!branches.some((branch) => claims.ref === `refs/heads/${branch}`))
    return "its ref is not one of the branches in the setting";
  if (environment !== undefined && claims.environment !== environment)
    return "its environment differs from the setting";
  const path = `${repository}/.github/workflows/${workflow}@`;
  const jobFile = String(claims.job_workflow_ref ?? claims.workflow_ref);
  if (workflow !== undefined && !isSameName(jobFile.slice(0, path.length), path))
    return "its job_workflow_ref is not the workflow in the setting";
  return undefined;
}

/** Compares names of owners or repositories. Ignores case, as GitHub does. */
function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
