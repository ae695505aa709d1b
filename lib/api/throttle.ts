import { concurrentExecutionsDefault } from "../../functions/core/environment.ts";

/** Limit of API Gateway as a token bucket: requests per second, and the burst. */
export interface Throttle {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

/** Requests that one execution answers in a second. A view takes 20 ms: 11 ms of the function's processor, and the table. */
const requestsPerExecution = 50;

/** Time in which the rate fills the bucket. */
const burstSeconds = 0.4;

/** Upper bound of one method's rate: a page that is opened by many people leaves executions for the other methods. */
const methodRateMax = 1_000;

/** Upper bound of the API's rate. In some Regions an account has 2,500 a second and a burst of 1,250: "Amazon API Gateway quotas". */
const apiRateMax = 2_500;

/**
 * Limits of each method and of the whole API, by the account's concurrent executions. API Gateway answers 429 above them.
 *
 * An account with 1,000 executions has 1,000 requests a second and a burst of 400 for a method, which is 400 executions while functions
 * start cold, and 2,500 and 1,000 for the API. A new account with 10 executions has 500 and 200 for both. 10 warm executions serve that
 * many: a lower rate would refuse readers for no reason, and above it Lambda refuses. During cold starts Lambda refuses before the throttle
 * does, and the client gets 503 instead of 429.
 *
 * Sources: API Gateway developer guide, "Throttle requests to your REST APIs for better throughput"; AWS Lambda developer guide, "Lambda
 * quotas" and "Understanding Lambda function scaling".
 */
export function throttlesFor(concurrentExecutions: number = concurrentExecutionsDefault) {
  const throttle = (rateMax: number): Throttle => {
    const rateLimit = Math.min(rateMax, concurrentExecutions * requestsPerExecution);
    return { rateLimit, burstLimit: Math.round(rateLimit * burstSeconds) };
  };
  return { ofMethod: throttle(methodRateMax), ofApi: throttle(apiRateMax) };
}
