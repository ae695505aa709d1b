import { environmentNames } from "../contract/environment.ts";
import type { Site } from "../domain/addresses.ts";
import { readEnvironment } from "../store/environment.ts";

/** Where this service lives, as the stack says. */
export function readSite(): Site {
  return {
    baseUrl: readEnvironment(environmentNames.baseUrl),
    baseDomain: readEnvironment(environmentNames.baseDomain),
  };
}
