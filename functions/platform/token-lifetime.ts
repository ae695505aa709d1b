import { environmentNames, findEnvironment } from "./environment.ts";
import { ApiError } from "./errors.ts";

const msPerDay = 24 * 60 * 60 * 1000;

/** How long the items of an expired token stay, so that its agent hears for a while that it has expired, and how to go on. */
const keptAfterExpirySeconds = 30 * 24 * 60 * 60;

/** When a token was made, and what was said then of its end. */
interface TokenTimes {
  readonly createdAtMs: number;
  /** @default - nothing: it was made where tokens were good until they are revoked */
  readonly expiresAtMs?: number | undefined;
}

/** How many days a token is good here; undefined where it is until it is revoked. */
export function tokenDaysMax(): number | undefined {
  const days = findEnvironment(environmentNames.tokenDaysMax);
  return days === undefined ? undefined : Number(days);
}

/** When a token stops being good, by what was said when it was made and by what the operator says now, whichever is sooner. */
export function expiryOf({ createdAtMs, expiresAtMs }: TokenTimes): number | undefined {
  const days = tokenDaysMax();
  const ends = [expiresAtMs, days === undefined ? undefined : createdAtMs + days * msPerDay];
  const known = ends.filter((end) => end !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** When DynamoDB may remove the items of a token, in seconds; undefined for one without an end. */
export function tokenTtl(expiresAtMs: number | undefined): number | undefined {
  return expiresAtMs === undefined ? undefined : Math.ceil(expiresAtMs / 1000) + keptAfterExpirySeconds;
}

/** What holds of the item of a token that has not expired, for the condition of an update. */
export function notExpired(nowMs: number): { condition: string; values: Record<string, number> } {
  const days = tokenDaysMax();
  return {
    condition: `(attribute_not_exists(expiresAtMs) OR expiresAtMs > :atMs)${days === undefined ? "" : " AND createdAtMs > :oldestMs"}`,
    values: { ":atMs": nowMs, ...(days === undefined ? {} : { ":oldestMs": nowMs - days * msPerDay }) },
  };
}

/** The refusal of a token that has expired, with how to get another. */
export function tokenExpired(expiredAtMs: number, audience: "mcp" | undefined): ApiError {
  const details = { reason: "token_expired", expired_at: expiredAtMs };
  if (audience !== undefined) {
    const message = `This access token expired on ${new Date(expiredAtMs).toISOString()}. Its client gets another with its refresh token, at /oauth/token.`;
    return new ApiError("unauthorized", { message, details });
  }
  const days = tokenDaysMax();
  const rule =
    days === undefined ? "" : ` Tokens are good for ${days === 1 ? "a day" : `${days} days`} here.`;
  return new ApiError("unauthorized", {
    message: `This token expired on ${new Date(expiredAtMs).toISOString()}.${rule} Sign in again for another: POST /api/auth/start.`,
    details,
  });
}
