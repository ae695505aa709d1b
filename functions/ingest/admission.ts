import { ApiError } from "../core/errors.ts";
import { createSemaphore, type Release } from "../core/semaphore.ts";
import { ingestConcurrencyMax } from "./rows.ts";

/** Rate of admitted requests: a bucket of tokens. Each request takes one. */
export interface TokenBucketLimit {
  /** Tokens added in a second. */
  readonly ratePerSecond: number;
  /** Tokens in a full bucket. */
  readonly burst: number;
}

export type TokenBucket = ReturnType<typeof createTokenBucket>;

/** Makes a bucket that starts full. A clock that is set back adds no tokens and removes none. */
export function createTokenBucket({ ratePerSecond, burst }: TokenBucketLimit) {
  let tokens = burst;
  let filledAtMs: number | undefined;
  return {
    /** Takes a token; false if the bucket is empty. */
    take(nowMs: number): boolean {
      const elapsedMs = Math.max(0, nowMs - (filledAtMs ?? nowMs));
      tokens = Math.min(burst, tokens + (elapsedMs / 1000) * ratePerSecond);
      filledAtMs = Math.max(nowMs, filledAtMs ?? nowMs);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}

/** The number of places, and the limit of one account. */
interface AccountPlaceLimits {
  readonly count: number;
  readonly countPerAccount: number;
  /** Limit of the wait for the account's turn and for a place together. */
  readonly waitMsMax: number;
}

/** Takes a place for an account. */
type TakePlace = (userId: string) => Promise<Release>;

/**
 * Makes slots that one account cannot take all: its other requests wait until it frees one.
 *
 * @returns a function that throws ApiError `unavailable` if no slot becomes free in time
 */
export function createAccountSlots({ count, countPerAccount, waitMsMax }: AccountPlaceLimits): TakePlace {
  const all = createSemaphore(count, waitMsMax);
  const ofAccounts = new Map<string, { readonly places: typeof all; requests: number }>();
  return async (userId) => {
    const own = ofAccounts.get(userId) ?? {
      places: createSemaphore(countPerAccount, waitMsMax),
      requests: 0,
    };
    ofAccounts.set(userId, own);
    own.requests += 1;
    const leave = () => {
      own.requests -= 1;
      if (own.requests === 0) ofAccounts.delete(userId);
    };
    const releases: Release[] = [leave];
    const releaseAll = () => {
      for (const release of releases.splice(0)) release();
    };
    try {
      releases.push(await own.places.take());
      releases.push(await all.take());
      return releaseAll;
    } catch (error) {
      releaseAll();
      throw error;
    }
  };
}

/** Limits of one server's concurrent work. */
export interface AdmissionLimits extends TokenBucketLimit {
  /** Concurrent requests. */
  readonly requestsMax: number;
  /** Longest wait for a turn. */
  readonly waitMsMax: number;
}

/**
 * Rate limit of one environment, far above normal use. Lambda limits the endpoint too (the setting `ingest`), but its refusals are not in
 * the contract's shape: this limit is half as high.
 */
export const admissionLimits: AdmissionLimits = {
  requestsMax: ingestConcurrencyMax,
  waitMsMax: 5_000,
  ratePerSecond: 50,
  burst: 200,
};

/** Admits a request. Resolves with a function that must be called at its end. */
export type Admit = () => Promise<Release>;

/**
 * Makes the server's admission control.
 * @returns a function that throws ApiError `rate_limited` when there are too many requests a second, `unavailable` when there are too many
 * at once
 */
export function createAdmission({ requestsMax, waitMsMax, ...rate }: AdmissionLimits): Admit {
  const bucket = createTokenBucket(rate);
  const places = createSemaphore(requestsMax, waitMsMax);
  return async () => {
    if (!bucket.take(performance.now())) throw new ApiError("rate_limited", { retryAfterSeconds: 1 });
    return places.take();
  };
}
