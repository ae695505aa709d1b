import { concurrentExecutionsDefault } from "../../functions/core/environment.ts";

/** API Gateway's rate limit: a token bucket with requests per second and a burst. */
export interface Throttle {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

/**
 * Requests per second that one concurrent execution can serve. A view takes 20 ms: 11 ms of the function's CPU time, and the table's
 * latency.
 */
const requestsPerExecution = 50;

/** Time in seconds in which an empty token bucket is refilled. */
const burstSeconds = 0.4;

/** Upper bound for the rate of a method. The bound leaves concurrency for other methods while many people open one page. */
const methodRateMax = 1_000;

/**
 * Upper bound for the rate of the API. In some Regions, an account has 2,500 requests a second and a burst of 1,250; see "Amazon API
 * Gateway quotas".
 */
const apiRateMax = 2_500;

/**
 * Returns the rate limits of each method and of the whole API, derived from the account's concurrency limit. API Gateway responds 429 above
 * these limits.
 *
 * With a concurrency of 1,000, a method has 1,000 requests a second and a burst of 400, which needs a concurrency of 400 while functions
 * start cold. The API has 2,500 requests a second and a burst of 1,000.
 *
 * With a new account's concurrency of 10, the method and the API both have 500 requests a second and a burst of 200. This is the rate that
 * 10 warm execution environments can serve. A lower limit would refuse requests that could be served, and above this rate Lambda itself
 * throttles. During cold starts, Lambda throttles earlier, and the client gets 503 instead of 429.
 *
 * Sources: "Throttle requests to your REST APIs for better throughput", API Gateway developer guide; "Lambda quotas" and "Understanding
 * Lambda function scaling", AWS Lambda developer guide.
 */
export function throttlesFor(concurrentExecutions: number = concurrentExecutionsDefault) {
  const throttle = (rateMax: number): Throttle => {
    const rateLimit = Math.min(rateMax, concurrentExecutions * requestsPerExecution);
    return { rateLimit, burstLimit: Math.round(rateLimit * burstSeconds) };
  };
  return { ofMethod: throttle(methodRateMax), ofApi: throttle(apiRateMax) };
}
