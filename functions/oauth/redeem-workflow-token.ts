import type { WorkflowTrust } from "../core/environment.ts";
import type { OperationInput } from "../http/operation.ts";
import { findTokenQuota, tokenCount, tokenQuotaExceeded } from "../identity/token-quota.ts";
import { accounts } from "../people/accounts.ts";
import type { Team } from "../people/team.ts";
import { findTeamByNamespace } from "../people/teams.ts";
import { RetryableError, retryConflicts } from "../table/table.ts";
import { type AccessToken, grants } from "./grant-store.ts";
import { invalidRequest } from "./oauth-error.ts";
import type { issueTokenRoute } from "./rows.ts";
import type { OAuthScope } from "./schemas.ts";
import { verifyWorkflowToken } from "./workflow-token.ts";

type Input = Pick<OperationInput<typeof issueTokenRoute>, "act" | "nowMs" | "randomInt" | "site">;

/**
 * Issues an access token to a workflow job. The token is valid for ten minutes and belongs to the configured team, or otherwise to an
 * account of the repository, which is created for the first token. No one can sign in to this account. An ID token can be used only once.
 *
 * @throws OAuthError `invalid_request`; ApiError `forbidden` or `quota_exceeded`
 */
export async function redeemWorkflowToken(
  { idToken, scope }: { readonly idToken: string; readonly scope: OAuthScope },
  trust: WorkflowTrust,
  { act, nowMs, randomInt, site }: Input,
): Promise<AccessToken> {
  const { repository, runId, ...assertion } = await verifyWorkflowToken(idToken, trust, site, nowMs);
  // Adds a prefix, so that this id differs from the ids of people who sign in with an issuer that has the same URL.
  const id = `repository/${repository.repositoryId}`;
  const client = { id: `${trust.issuer} ${id}`, name: `${repository.repository} run ${runId}` };
  const identity = { provider: trust.issuer, id, username: repository.repository };
  return retryConflicts(async () => {
    const { team } = repository;
    const account = team === undefined ? accounts.findOrCreate(identity, randomInt, act) : requireTeam(team);
    const { userId } = await account;
    const tokenQuota = await findTokenQuota(userId, nowMs);
    if (tokenQuota === undefined || tokenQuota.isSuspended || tokenQuota.isRemoved)
      throw invalidRequest("The account that this repository publishes for is disabled.");
    if (tokenQuota.isFull) throw tokenQuotaExceeded();
    const outcome = await grants.issue(
      { assertion, audience: "own-pages", client, userId, tokenQuota, scope },
      [tokenCount(userId, tokenQuota)],
      act,
      randomInt,
    );
    if (outcome === "used")
      throw invalidRequest("The ID token was used before: request another from GitHub.");
    if (outcome === "raced") throw new RetryableError();
    return outcome;
  });
}

/** Finds the configured team. @throws OAuthError `invalid_request` if the team does not exist */
async function requireTeam(namespace: string): Promise<Team> {
  const team = await findTeamByNamespace(namespace);
  if (team !== undefined) return team;
  throw invalidRequest(
    `The setting githubActions lets this repository publish for the team ${namespace}, which does not exist. Ask the service's operator to create it.`,
  );
}
