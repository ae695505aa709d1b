import {
  CloudFrontClient,
  CreateInvalidationCommand,
  TooManyInvalidationsInProgress,
} from "@aws-sdk/client-cloudfront";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { withoutNeedlessMiddleware } from "../platform/sdk-middleware.ts";
import { timeOuts } from "../platform/time-outs.ts";
import type { Invalidation } from "./invalidation.ts";

const cloudFront = withoutNeedlessMiddleware(
  new CloudFrontClient({
    maxAttempts: 4,
    requestHandler: timeOuts(10_000),
  }),
);

/** What the edge keeps of the service's responses. */
export const edgeCache = {
  /**
   * Makes the edge forget what has one of these tags, soon: CloudFront does not say when. The same reference again is the same
   * invalidation: trying again starts no second one. Amazon CloudFront API reference, "CreateInvalidation".
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

/** Whether CloudFront has refused an invalidation because of those that are in progress. */
export function isTooManyInProgress(error: unknown): boolean {
  return error instanceof TooManyInvalidationsInProgress;
}
