import { ApiError } from "../core/errors.ts";
import { createSemaphore, type Release } from "../core/semaphore.ts";
import { ingestConcurrencyMax } from "./rows.ts";

/** Rate of admitted requests: a bucket of tokens, of which each request takes one. */
export interface TokenBucketLimit {
  /** Tokens that come back in a second. */
  readonly ratePerSecond: number;
  /** Tokens in a full bucket. */
  readonly burst: number;
}

/** A bucket that is full at first. */
export interface TokenBucket {
  /** Takes a token; false where there is none. */
  take(nowMs: number): boolean;
}

/** Makes a bucket. A clock that goes back gives nothing and takes nothing. */
export function createTokenBucket({ ratePerSecond, burst }: TokenBucketLimit): TokenBucket {
  let tokens = burst;
  let filledAtMs: number | undefined;
  return {
    take(nowMs) {
      const elapsedMs = Math.max(0, nowMs - (filledAtMs ?? nowMs));
      tokens = Math.min(burst, tokens + (elapsedMs / 1000) * ratePerSecond);
      filledAtMs = Math.max(nowMs, filledAtMs ?? nowMs);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}

/** The number of places, and the most that one account takes. */
interface AccountPlaceLimits {
  readonly count: number;
  readonly countPerAccount: number;
  /** The wait for the account's turn, and then for a place. */
  readonly waitMsMax: number;
}

/** Takes a place for an account. */
type TakePlace = (userId: string) => Promise<Release>;

/**
 * Makes slots of which one account cannot take all: its further requests wait for its own.
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
  /** Requests at once. */
  readonly requestsMax: number;
  /** Longest wait for a turn. */
  readonly waitMsMax: number;
}

/**
 * Rate limit of one environment, far above normal use. Lambda limits the endpoint too (the setting `ingest`), but its response to
 * what it refuses is not in the contract's shape: this limit is half as high.
 */
export const admissionLimits: AdmissionLimits = {
  requestsMax: ingestConcurrencyMax,
  waitMsMax: 5_000,
  ratePerSecond: 50,
  burst: 200,
};

/** Lets a request in: a promise of how to say that it is done. */
export type Admit = () => Promise<Release>;

/**
 * Makes the server's door.
 *
 * @returns a function that throws ApiError `rate_limited` when there are too many requests a second, `unavailable` when
 * there are too many at once
 */
export function createAdmission({ requestsMax, waitMsMax, ...rate }: AdmissionLimits): Admit {
  const bucket = createTokenBucket(rate);
  const places = createSemaphore(requestsMax, waitMsMax);
  return async () => {
    if (!bucket.take(performance.now())) throw new ApiError("rate_limited", { retryAfterSeconds: 1 });
    return places.take();
  };
}
