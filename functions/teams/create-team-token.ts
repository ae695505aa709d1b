import { ApiError } from "../core/errors.ts";
import { created } from "../http/response.ts";
import { tokenOperation } from "../http/token-operation.ts";
import { findTokenQuota, tokenQuotaExceeded, tokenWrites } from "../identity/token-quota.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { createTokenId, createTokenPlaintext, hashSecret, type Token } from "../table/identifiers.ts";
import { accountSuspended } from "../table/suspension.ts";
import { RetryableError, retryConflicts } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";
import { expiryOf } from "../table/tokens.ts";
import { createTeamTokenRoute } from "./rows.ts";
import type { TeamTokenResponse } from "./schemas.ts";
import { requireOwnTeam } from "./team-access.ts";

const msPerDay = 24 * 60 * 60 * 1_000;

/** POST /api/teams/{namespace}/tokens: creates a service token, which belongs to the team and not to a person. */
export const createTeamToken = tokenOperation(
  createTeamTokenRoute,
  async ({ caller, path, body, nowMs, randomInt, act }) => {
    const { team } = await requireOwnTeam(caller, path.namespace);
    const { label, scope = "all", expires_in_days: days } = body;
    const plaintext = createTokenPlaintext(randomInt);
    const expiresAtMs = days === undefined ? undefined : nowMs + days * msPerDay;
    const token: Token = {
      id: createTokenId(randomInt),
      userId: team.userId,
      hash: hashSecret(plaintext),
      label,
      scope,
      createdAtMs: nowMs,
      lastUsedAtMs: nowMs,
      expiresAtMs: expiryOf({ createdAtMs: nowMs, expiresAtMs }),
    };
    await store(token, act);
    return created({
      api_token: plaintext,
      id: token.id,
      label,
      scope,
      expires_at: token.expiresAtMs ?? null,
      created_at: nowMs,
    } satisfies TeamTokenResponse);
  },
);

/** Stores a token. @throws ApiError `quota_exceeded`; `forbidden` for a suspended team; `not_found` for a team that is being deleted */
async function store(token: Token, act: Act): Promise<void> {
  const { id, userId, scope } = token;
  await retryConflicts(async () => {
    const quota = await findTokenQuota(userId, act.atMs);
    if (quota === undefined) throw new ApiError("not_found");
    if (quota.isSuspended) throw accountSuspended();
    if (quota.isFull) throw tokenQuotaExceeded();
    const line = auditWrite(act, { ownerId: userId, tokenId: id, scope });
    const outcome = await transact({ ...tokenWrites(token, quota), line });
    if (!outcome.committed) throw new RetryableError();
  });
}
