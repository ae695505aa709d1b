import { ApiError } from "../core/errors.ts";
import type { OperationInput } from "../http/operation.ts";
import { admit, storeIdentity } from "../identity/admission.ts";
import { toIdentity } from "../identity/claims.ts";
import { findTokenQuota, type TokenQuota, tokenQuotaExceeded } from "../identity/token-quota.ts";
import { accounts, type Identity, lastIdentityOf } from "../people/accounts.ts";
import { rememberGroups } from "../table/groups.ts";
import { keys } from "../table/keys.ts";
import { isNotSuspended } from "../table/suspension.ts";
import { getItem, RetryableError, retryConflicts } from "../table/table.ts";
import { isUnchanged, type TransactionWrite } from "../table/table-writes.ts";
import { type Client, findClient } from "./client.ts";
import { type AccessToken, grants } from "./grant-store.ts";
import { type AssertionIssuer, type IdentityAssertion, verifyAssertion } from "./identity-assertion.ts";
import { invalidGrant, OAuthError } from "./oauth-error.ts";
import type { issueTokenRoute } from "./rows.ts";
import type { OAuthScope } from "./schemas.ts";
import { lesserScope } from "./scopes.ts";

type Input = Pick<OperationInput<typeof issueTokenRoute>, "act" | "nowMs" | "randomInt" | "site">;

/**
 * Issues an access token for an identity assertion from the company's identity provider. The person must be a member. An assertion can be
 * used only once, and no refresh token is issued, so that the identity provider decides again about each new access token.
 *
 * @throws OAuthError `invalid_client`, `invalid_grant`, `invalid_scope` or `invalid_target`
 */
export async function redeemAssertion(
  sent: { readonly assertion: string; readonly clientId: string; readonly scope: OAuthScope | undefined },
  issuer: AssertionIssuer,
  input: Input,
): Promise<AccessToken> {
  const { nowMs, site } = input;
  const client = await requireClient(sent.clientId, nowMs);
  const assertion = await verifyAssertion(sent.assertion, issuer, site, nowMs);
  if (assertion.clientId !== client.id) throw invalidGrant("The assertion was issued to another client.");
  const scope = lesserScope(sent.scope, assertion.scope);
  return issue({ ...assertion, scope }, client, issuer, input).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "forbidden") throw error;
    throw invalidGrant(error.message, error);
  });
}

async function requireClient(id: string, nowMs: number): Promise<Client> {
  const client = await findClient(id, nowMs).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    throw new OAuthError("invalid_client", error.message, error);
  });
  if (client !== undefined) return client;
  throw new OAuthError("invalid_client", "This client_id is unknown, or has expired.");
}

async function issue(
  assertion: IdentityAssertion & { readonly scope: OAuthScope },
  client: Client,
  issuer: AssertionIssuer,
  { act, nowMs, randomInt }: Input,
): Promise<AccessToken> {
  return retryConflicts(async () => {
    const { identity, userId: known } = await identify(assertion, issuer, act);
    if (identity.groups.length > 0) await rememberGroups(identity.groups);
    const admission = await admit(identity, act);
    if (!admission.isMember) throw invalidGrant("The person named in the assertion may not publish here.");
    const userId = known ?? (await accounts.findOrCreate(identity, randomInt, act)).userId;
    const tokenQuota = await findTokenQuota(userId, nowMs);
    if (tokenQuota === undefined || tokenQuota.isSuspended)
      throw invalidGrant("This person's account is disabled.");
    if (tokenQuota.isFull) throw tokenQuotaExceeded();
    const together = [...countedIdentity(userId, admission.identity, tokenQuota), ...admission.conditions];
    const outcome = await grants.issue(
      { assertion, audience: "mcp", client, userId, tokenQuota, scope: assertion.scope },
      together,
      act,
      randomInt,
    );
    if (outcome === "used")
      throw invalidGrant("The assertion was used before: request another from the issuer.");
    if (outcome === "raced") throw new RetryableError();
    return outcome;
  });
}

/** Returns the writes for the person's account. Stores the identity and the token count together, because they are in one item. */
function countedIdentity(userId: string, identity: Identity, tokenQuota: TokenQuota): TransactionWrite[] {
  const [{ key, update, condition, values }, ...links] = storeIdentity(userId, identity);
  return [
    {
      key,
      update: `${update} ADD tokensRevision :one`,
      condition: `${condition} AND ${isNotSuspended} AND ${isUnchanged("tokensRevision", tokenQuota.revision)}`,
      values: { ...values, ":one": 1, ":seen": tokenQuota.revision },
    },
    ...links,
  ];
}

/**
 * Finds the person that an assertion names. Takes data that the assertion lacks from the person's last sign-in.
 *
 * @throws ApiError `forbidden` for banned people and suspended accounts
 */
async function identify(
  { claims }: IdentityAssertion,
  issuer: AssertionIssuer,
  act: Input["act"],
): Promise<{ readonly identity: Identity; readonly userId: string | undefined }> {
  const identity = readIdentity(claims, issuer);
  const account = await accounts.findByIdentity(identity, act);
  const item = account && (await getItem(keys.account(account.userId)));
  if (account === undefined || item === undefined) return { identity, userId: undefined };
  const last = lastIdentityOf(item);
  const { username, emails, groups } = identity;
  return {
    userId: account.userId,
    identity: {
      ...last,
      username: username === "" ? last.username : username,
      emails: emails.length === 0 ? last.emails : emails,
      groups: groups.length === 0 ? last.groups : groups,
      // Discards SCIM's confirmation of the stored addresses if the assertion contains addresses, because they may be new.
      vouchedAs: emails.length === 0 ? last.vouchedAs : last.vouchedAs && [],
    },
  };
}

function readIdentity(claims: IdentityAssertion["claims"], issuer: AssertionIssuer): Identity {
  try {
    return toIdentity(issuer, [claims]);
  } catch (error) {
    throw invalidGrant(`The assertion has no ${issuer.fields.id}.`, error);
  }
}
