import { CloudFrontClient, CreateInvalidationCommand } from "@aws-sdk/client-cloudfront";
import { environmentNames } from "../contract/environment.ts";
import { findEnvironment, readEnvironment } from "./environment.ts";

const cloudFront = new CloudFrontClient({
  maxAttempts: 4,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 10_000,
    throwOnRequestTimeout: true,
    socketTimeout: 10_000,
  },
});

/** What the edge keeps of the service's answers. */
export const edgeCache = {
  /**
   * Makes the edge forget what it keeps for these paths. The same reference again is the same invalidation: trying
   * again starts no second one. Amazon CloudFront API reference, "CreateInvalidation".
   */
  async invalidate(paths: readonly string[], reference: string): Promise<void> {
    const Items = [...paths, ...ownersPaths()];
    await cloudFront.send(
      new CreateInvalidationCommand({
        DistributionId: readEnvironment(environmentNames.distributionId),
        InvalidationBatch: {
          CallerReference: reference,
          Paths: { Quantity: Items.length, Items },
        },
      }),
    );
  },
};

/**
 * Where owners have no hosts, what is invalidated was asked for below `/@<namespace>/` too, and the path of the viewer's
 * request is to be named beside the one that the viewer-request function made of it. A wildcard stands only at a path's
 * end: this one is for all owners. CloudFront developer guide, "What you need to know when invalidating files".
 */
function ownersPaths(): readonly string[] {
  return findEnvironment(environmentNames.baseDomain) === undefined ? ["/@*"] : [];
}
