import { CloudFrontClient, CreateInvalidationCommand } from "@aws-sdk/client-cloudfront";
import { environmentNames } from "../contract/environment.ts";
import { readEnvironment } from "./environment.ts";

const cloudFront = new CloudFrontClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
});

/** What the edge keeps of the service's answers. */
export const edgeCache = {
  /**
   * Makes the edge forget what it keeps for these paths. The same reference again is the same invalidation: trying
   * again starts no second one. Amazon CloudFront API reference, "CreateInvalidation".
   */
  async invalidate(paths: readonly string[], reference: string): Promise<void> {
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
