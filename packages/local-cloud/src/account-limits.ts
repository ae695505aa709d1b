/** Quotas of an AWS account in a Region, for all of its functions and APIs together. */
export interface AccountLimits {
  /** Maximum number of concurrent executions; see "Lambda quotas", AWS Lambda developer guide. */
  readonly concurrentExecutions: number;
  /** Maximum number of requests per second to all REST APIs; see "Amazon API Gateway quotas". */
  readonly apiRequestsPerSecond: number;
}

/** Quotas of an account that is not new. A new account has 10 concurrent executions. */
export const defaultAccountLimits: AccountLimits = {
  concurrentExecutions: 1_000,
  apiRequestsPerSecond: 10_000,
};
