import { resourcesOfType } from "@dropleaf/local-cloud/template";
import type { CacheTag } from "../../functions/http/response.ts";
import type { RunningService } from "./running-service.ts";

/** The tags of each invalidation that has reached the edge. */
export type ToldEdge = readonly (readonly string[])[];

/** Records all further cache invalidations of a service on this machine. */
export function listenToInvalidations({ cloud }: Pick<RunningService, "cloud">): ToldEdge {
  const told: (readonly string[])[] = [];
  const [distribution] = resourcesOfType(cloud.template, "AWS::CloudFront::Distribution");
  cloud.awsEndpoint.connectEdge({
    distributionId: distribution?.physicalId ?? "",
    invalidate: (tags) => {
      told.push(tags);
      cloud.edge.invalidate(tags);
    },
  });
  return told;
}

/** Returns the occurrences of these tags in all invalidations. */
export function tagsAbout(told: ToldEdge, ...tags: readonly CacheTag[]): string[] {
  return told.flat().filter((one) => tags.some((tag) => tag === one));
}
