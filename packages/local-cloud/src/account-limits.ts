/** What an AWS account allows in its Region, all of its functions and APIs together. */
export interface AccountLimits {
  /** AWS Lambda developer guide, "Lambda quotas": functions at work at once. */
  readonly concurrentExecutions: number;
  /** "Amazon API Gateway quotas": requests a second to all REST APIs. */
  readonly apiRequestsPerSecond: number;
}

/** What an account has that is not new; a new one has 10 concurrent executions. */
export const usualAccountLimits: AccountLimits = {
  concurrentExecutions: 1_000,
  apiRequestsPerSecond: 10_000,
};
