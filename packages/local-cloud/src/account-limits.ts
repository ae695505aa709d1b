/** Quotas of an AWS account in a Region, for all of its functions and APIs together. */
export interface AccountLimits {
  /** AWS Lambda developer guide, "Lambda quotas": concurrent executions. */
  readonly concurrentExecutions: number;
  /** "Amazon API Gateway quotas": requests a second to all REST APIs. */
  readonly apiRequestsPerSecond: number;
}

/** Quotas of an account that is not new. A new one has 10 concurrent executions. */
export const defaultAccountLimits: AccountLimits = {
  concurrentExecutions: 1_000,
  apiRequestsPerSecond: 10_000,
};
