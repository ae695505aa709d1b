import { ApiError } from "../platform/errors.ts";
import { createSemaphore, type Release } from "../platform/semaphore.ts";
import { createTokenBucket, type TokenBucketLimit } from "../platform/token-bucket.ts";
import { ingestConcurrencyMax } from "./rows.ts";

/** How much one server works on. */
export interface AdmissionLimits extends TokenBucketLimit {
  /** Requests at once. */
  readonly requestsMax: number;
  /** How long the others wait for their turn. */
  readonly waitMsMax: number;
}

/**
 * Far more than people upload, and a small part of what Lambda would take: whatever is sent here costs no more than this.
 * It is counted here, since the rates that an endpoint may be given are not the same in every Region, and another one
 * makes the deployment fail (API reference of Lambda Web Functions, "ThrottleConfig").
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
