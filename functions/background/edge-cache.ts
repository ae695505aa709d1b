import {
  CloudFrontClient,
  CreateInvalidationCommand,
  TooManyInvalidationsInProgress,
} from "@aws-sdk/client-cloudfront";
import { environmentNames, readEnvironment } from "../core/environment.ts";
import { timeouts, withoutUnusedMiddleware } from "../table/aws-client.ts";
import type { Invalidation } from "./invalidation.ts";

const cloudFront = withoutUnusedMiddleware(
  new CloudFrontClient({
    maxAttempts: 4,
    requestHandler: timeouts(10_000),
  }),
);

/** CloudFront's cache of the service's responses. */
export const edgeCache = {
  /**
   * Invalidates cached responses with any of the tags. A repeated call with the same reference does not start a second invalidation; see
   * "CreateInvalidation", Amazon CloudFront API reference.
   *
   * @throws TooManyInvalidationsInProgress
   */
  async invalidate({ items, reference }: Invalidation): Promise<void> {
    await cloudFront.send(
      new CreateInvalidationCommand({
        DistributionId: readEnvironment(environmentNames.distributionId),
        InvalidationBatch: {
          CallerReference: reference,
          Paths: { Quantity: items.length, Items: [...items] },
        },
      }),
    );
  },
};

/** Recognizes CloudFront's error for too many invalidations in progress. */
export function isTooManyInProgress(error: unknown): boolean {
  return error instanceof TooManyInvalidationsInProgress;
}
