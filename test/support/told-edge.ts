import { resourcesOfType } from "../../local/template.ts";
import type { RunningService } from "./running-service.ts";

/** The invalidations that have reached the edge, each with its paths. */
export type ToldEdge = readonly (readonly string[])[];

/** Writes down what the edge of a service on this machine is told to forget from now on. */
export function listenToInvalidations({ cloud }: Pick<RunningService, "cloud">): ToldEdge {
  const told: (readonly string[])[] = [];
  const [distribution] = resourcesOfType(cloud.template, "AWS::CloudFront::Distribution");
  cloud.awsEndpoint.connectEdge({
    distributionId: distribution?.physicalId ?? "",
    invalidate: (paths) => {
      told.push(paths);
      cloud.edge.invalidate(paths);
    },
  });
  return told;
}

/** The paths that hold one of these words, of all invalidations in their order. */
export function pathsAbout(told: ToldEdge, ...words: readonly string[]): string[] {
  return told.flat().filter((path) => words.some((word) => path.includes(word)));
}
