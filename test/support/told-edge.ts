import { resourcesOfType } from "@dropleaf/local-cloud/template";
import type { CacheTag } from "../../functions/http/response.ts";
import type { RunningService } from "./running-service.ts";

/** The invalidations that have reached the edge, each with its tags. */
export type ToldEdge = readonly (readonly string[])[];

/** Writes down what the edge of a service on this machine is told to forget from now on. */
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

/** These tags, as often as they are in all invalidations. */
export function tagsAbout(told: ToldEdge, ...tags: readonly CacheTag[]): string[] {
  return told.flat().filter((one) => tags.some((tag) => tag === one));
}
