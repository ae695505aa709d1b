import type { Resource } from "../template.ts";

/** Limit of a token bucket. */
interface TokenBucketLimit {
  /** Tokens that come back in a second. */
  readonly ratePerSecond: number;
  /** Tokens in a full bucket. */
  readonly burst: number;
}

/** A bucket of tokens, of which each request takes one. It starts full. */
export interface TokenBucket {
  /** Takes a token; false where there is none. */
  take(nowMs: number): boolean;
}

/** Lets a request to a method of a stage through, or not. */
export type Throttle = (method: ThrottledMethod) => boolean;

/** A method of a REST API. */
export interface ThrottledMethod {
  readonly httpMethod: string;
  readonly resourcePath: string;
}

/** "Amazon API Gateway quotas": the burst of an account is half of its rate. */
export function createAccountBucket(requestsPerSecond: number): TokenBucket {
  return createTokenBucket({ ratePerSecond: requestsPerSecond, burst: requestsPerSecond / 2 });
}

interface MethodSetting {
  readonly ResourcePath?: string;
  readonly HttpMethod?: string;
  readonly ThrottlingRateLimit?: number;
  readonly ThrottlingBurstLimit?: number;
}

/**
 * A token bucket for each method, by the settings of the stage, and one for the account. API Gateway developer guide,
 * "Throttle requests to your REST APIs for better throughput in API Gateway"; AWS::ApiGateway::Stage, "MethodSetting".
 */
export function createThrottle(stage: Resource, account: TokenBucket, now: () => number): Throttle {
  const settings = (stage.properties.MethodSettings ?? []) as MethodSetting[];
  const buckets = new Map<string, TokenBucket | undefined>();

  function bucketOf({ resourcePath, httpMethod }: ThrottledMethod): TokenBucket | undefined {
    const key = `${httpMethod} ${resourcePath}`;
    if (!buckets.has(key)) {
      const limit = limitOf(settings, { resourcePath, httpMethod });
      buckets.set(key, limit && createTokenBucket(limit));
    }
    return buckets.get(key);
  }

  return (method) => (bucketOf(method)?.take(now()) ?? true) && account.take(now());
}

/** The settings of the method itself come before those of all methods. */
function limitOf(
  settings: readonly MethodSetting[],
  { resourcePath, httpMethod }: ThrottledMethod,
): TokenBucketLimit | undefined {
  const escaped = resourcePath === "/" ? "/" : `/${resourcePath.replaceAll("/", "~1")}`;
  const own = settings.find(
    ({ ResourcePath, HttpMethod }) => ResourcePath === escaped && HttpMethod === httpMethod,
  );
  const all = settings.find(({ ResourcePath, HttpMethod }) => ResourcePath === "/*" && HttpMethod === "*");
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = { ...all, ...own };
  return rate === undefined || burst === undefined ? undefined : { ratePerSecond: rate, burst };
}

function createTokenBucket({ ratePerSecond, burst }: TokenBucketLimit): TokenBucket {
  let tokens = burst;
  let filledAtMs: number | undefined;
  return {
    take(nowMs) {
      // A clock that goes back neither gives nor takes.
      const elapsedMs = Math.max(0, nowMs - (filledAtMs ?? nowMs));
      tokens = Math.min(burst, tokens + (elapsedMs / 1000) * ratePerSecond);
      filledAtMs = Math.max(nowMs, filledAtMs ?? nowMs);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
