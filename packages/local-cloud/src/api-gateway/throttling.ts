import type { Resource } from "../template.ts";
import type { ApiMethod } from "./api-definition.ts";

/** A bucket of tokens. Each request takes one; false if the bucket is empty. It starts full. */
export type TokenBucket = () => boolean;

/** Returns true for a request to a method that is within the limits. */
export type Throttle = (method: ApiMethod) => boolean;

/** "Amazon API Gateway quotas": the burst of an account is half of its rate. */
export function createAccountBucket(requestsPerSecond: number): TokenBucket {
  return createTokenBucket(requestsPerSecond, requestsPerSecond / 2);
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
export function createThrottle(stage: Resource, account: TokenBucket): Throttle {
  const settings = (stage.properties.MethodSettings ?? []) as MethodSetting[];
  const buckets = new Map<ApiMethod, TokenBucket>();
  return (method) => {
    const take = buckets.get(method) ?? bucketOf(settings, method);
    buckets.set(method, take);
    return take() && account();
  };
}

/** The settings of the method itself take precedence over those of all methods. */
function bucketOf(settings: readonly MethodSetting[], { resourcePath, httpMethod }: ApiMethod): TokenBucket {
  const escaped = resourcePath === "/" ? "/" : `/${resourcePath.replaceAll("/", "~1")}`;
  const own = settings.find(
    ({ ResourcePath, HttpMethod }) => ResourcePath === escaped && HttpMethod === httpMethod,
  );
  const all = settings.find(({ ResourcePath, HttpMethod }) => ResourcePath === "/*" && HttpMethod === "*");
  const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = { ...all, ...own };
  return rate === undefined || burst === undefined ? () => true : createTokenBucket(rate, burst);
}

/** Makes a bucket of `burst` tokens that refills at `ratePerSecond`. */
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
