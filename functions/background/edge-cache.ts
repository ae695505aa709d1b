import {
  CloudFrontClient,
  CreateInvalidationCommand,
  TooManyInvalidationsInProgress,
} from "@aws-sdk/client-cloudfront";
import { environmentNames, findEnvironment, readEnvironment } from "../platform/environment.ts";
import { withoutNeedlessMiddleware } from "../platform/sdk-middleware.ts";
import { timeOuts } from "../platform/time-outs.ts";
import { type Invalidation, type KeptByEdge, pathsOf } from "./invalidation.ts";

const cloudFront = withoutNeedlessMiddleware(
  new CloudFrontClient({
    maxAttempts: 4,
    requestHandler: timeOuts(10_000),
  }),
);

/** What the edge keeps of the service's responses. */
export const edgeCache = {
  /** The paths under which the edge has something, as the stack is set up. */
  pathsOf(kept: KeptByEdge): string[] {
    const ownersHaveHosts = findEnvironment(environmentNames.baseDomain) !== undefined;
    return pathsOf(kept, { ownersHaveHosts });
  },

  /**
   * Makes the edge forget what it keeps for these paths, soon: CloudFront does not say when. The same reference again is
   * the same invalidation: trying again starts no second one. Amazon CloudFront API reference, "CreateInvalidation".
   *
   * @throws TooManyInvalidationsInProgress
   */
  async invalidate({ paths, reference }: Invalidation): Promise<void> {
    await cloudFront.send(
      new CreateInvalidationCommand({
        DistributionId: readEnvironment(environmentNames.distributionId),
        InvalidationBatch: {
          CallerReference: reference,
          Paths: { Quantity: paths.length, Items: [...paths] },
        },
      }),
    );
  },
};

/** Whether CloudFront has refused an invalidation because of those that are in progress. */
export function isTooManyInProgress(error: unknown): boolean {
  return error instanceof TooManyInvalidationsInProgress;
}
