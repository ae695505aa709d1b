import { ApiError } from "../core/errors.ts";
import { createSemaphore, type Release } from "../core/semaphore.ts";
import { ingestConcurrencyMax } from "./rows.ts";

/** Parameters of a token bucket that limits the request rate. Each request takes one token. */
interface TokenBucketLimit {
  readonly ratePerSecond: number;
  /** Number of tokens in a full bucket. */
  readonly burst: number;
}

export type TokenBucket = ReturnType<typeof createTokenBucket>;

/** Creates a token bucket that starts full. Setting the clock back neither adds nor removes tokens. */
export function createTokenBucket({ ratePerSecond, burst }: TokenBucketLimit) {
  let tokens = burst;
  let filledAtMs: number | undefined;
  return {
    /** Takes a token. Returns false if the bucket is empty. */
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

/** Total number of slots, and the number of slots that one account may take. */
interface AccountSlotLimits {
  readonly count: number;
  readonly countPerAccount: number;
  /** Maximum wait for a slot of the account, and then again for a slot of the server, in milliseconds. */
  readonly waitMsMax: number;
}

/**
 * Creates a semaphore with a limit for each account. At this limit, the account's next request waits until one of its slots is released.
 *
 * @returns a function that takes a slot for an account, and throws ApiError `unavailable` if no slot becomes free in time
 */
export function createAccountSlots({ count, countPerAccount, waitMsMax }: AccountSlotLimits) {
  const all = createSemaphore(count, waitMsMax);
  const ofAccounts = new Map<string, { readonly slots: typeof all; requests: number }>();
  return async (userId: string): Promise<Release> => {
    const own = ofAccounts.get(userId) ?? {
      slots: createSemaphore(countPerAccount, waitMsMax),
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
      releases.push(await own.slots.take());
      releases.push(await all.take());
      return releaseAll;
    } catch (error) {
      releaseAll();
      throw error;
    }
  };
}

/** Limits of the requests that one server admits. */
export interface AdmissionLimits extends TokenBucketLimit {
  /** Maximum number of concurrent requests. */
  readonly requestsMax: number;
  /** Maximum time that a request waits for admission, in milliseconds. */
  readonly waitMsMax: number;
}

/**
 * Limits of one environment, far above normal use. The rate limit is half of Lambda's own limit (the setting `ingest`), because Lambda's
 * error responses do not have the form in the specification.
 */
export const admissionLimits: AdmissionLimits = {
  requestsMax: ingestConcurrencyMax,
  waitMsMax: 5_000,
  ratePerSecond: 50,
  burst: 200,
};

/** Admits a request. Resolves with a function that must be called at the end of the request. */
export type Admit = () => Promise<Release>;

/**
 * Creates the server's admission control.
 *
 * @returns a function that throws ApiError `rate_limited` for too many requests per second, and `unavailable` for too many concurrent requests
 */
export function createAdmission({ requestsMax, waitMsMax, ...rate }: AdmissionLimits): Admit {
  const bucket = createTokenBucket(rate);
  const slots = createSemaphore(requestsMax, waitMsMax);
  return async () => {
    if (!bucket.take(performance.now())) throw new ApiError("rate_limited", { retryAfterSeconds: 1 });
    return slots.take();
  };
}
