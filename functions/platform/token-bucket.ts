/** How many requests are let through: a bucket of tokens, of which each request takes one. */
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
