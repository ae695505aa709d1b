import type { Resource } from "../template.ts";
import type { ApiMethod } from "./api-definition.ts";

/** A token bucket, which starts full. Each call removes one token, and returns false if the bucket is empty. */
export type TokenBucket = () => boolean;

interface MethodSetting {
  readonly ResourcePath?: string;
  readonly HttpMethod?: string;
  readonly ThrottlingRateLimit?: number;
  readonly ThrottlingBurstLimit?: number;
}

/**
 * Creates a function that returns true if a request is within the limits of the method, which the stage configures, and of the account; see
 * "Throttle requests to your REST APIs for better throughput in API Gateway", and AWS::ApiGateway::Stage, "MethodSetting".
 */
export function createThrottle(stage: Resource, account: TokenBucket): (method: ApiMethod) => boolean {
  const settings = (stage.properties.MethodSettings ?? []) as MethodSetting[];
  const buckets = new Map<ApiMethod, TokenBucket>();
  return (method) => {
    const take = buckets.get(method) ?? bucketOf(settings, method);
    buckets.set(method, take);
    return take() && account();
  };
}

/** Creates a method's bucket. The method's own settings take precedence over the settings for all methods. */
function bucketOf(settings: readonly MethodSetting[], { resourcePath, httpMethod }: ApiMethod): TokenBucket {
  const escaped = resourcePath === "/" ? "/" : `/${resourcePath.replaceAll("/", "~1")}`;
  const own = settings.find(
    ({ ResourcePath, HttpMethod }) => ResourcePath === escaped && HttpMethod === httpMethod,
  );
  const all = settings.find(({ ResourcePath, HttpMethod }) => ResourcePath === "/*" && HttpMethod === "*");
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = { ...all, ...own };
  return rate === undefined || burst === undefined ? () => true : createTokenBucket(rate, burst);
}

/** Creates a bucket of `burst` tokens that refills at `ratePerSecond`. */
export function createTokenBucket(ratePerSecond: number, burst: number): TokenBucket {
  let tokens = burst;
  let filledAtMs = performance.now();
  return () => {
    const nowMs = performance.now();
    tokens = Math.min(burst, tokens + ((nowMs - filledAtMs) / 1000) * ratePerSecond);
    filledAtMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
