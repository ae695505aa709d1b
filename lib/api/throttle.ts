import { concurrentExecutionsDefault } from "../../functions/core/environment.ts";

/** Limit of API Gateway, as a token bucket: a rate a second, and a bucket of so many requests. */
export interface Throttle {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

/** Requests that one execution answers in a second. A view takes 20 ms: 11 ms of the function's processor, and the table. */
const requestsPerExecution = 50;

/** A full bucket is what the rate brings in this time. */
const burstSeconds = 0.4;

/** The most that one method gets, so that a page that everybody opens leaves executions for the others. */
const methodRateMax = 1_000;

/** The most that the API gets. In some Regions an account has 2,500 a second and a burst of 1,250: "Amazon API Gateway quotas". */
const apiRateMax = 2_500;

/**
 * Limits of each method and of the whole API, by the functions that the account runs at once. API Gateway answers 429 above them.
 *
 * An account with 1,000 executions has 1,000 requests a second and a burst of 400 for a method, which is 400 executions while functions
 * start cold, and 2,500 and 1,000 for the API. A new account with 10 executions has 500 and 200 for both. That is what 10 executions answer
 * when they are warm: a lower rate would refuse readers whom they could answer, and above it Lambda refuses. While they start cold, Lambda
 * refuses before the throttle does, and the client gets 503 in place of 429.
 *
 * Sources: API Gateway developer guide, "Throttle requests to your REST APIs for better throughput"; AWS Lambda developer guide,
 * "Lambda quotas" and "Understanding Lambda function scaling".
 */
export function throttlesFor(concurrentExecutions: number = concurrentExecutionsDefault) {
  const throttle = (rateMax: number): Throttle => {
    const rateLimit = Math.min(rateMax, concurrentExecutions * requestsPerExecution);
    return { rateLimit, burstLimit: Math.round(rateLimit * burstSeconds) };
  };
  return { ofMethod: throttle(methodRateMax), ofApi: throttle(apiRateMax) };
}
