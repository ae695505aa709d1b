import { environmentNames } from "../contract/environment.ts";
import type { Site } from "../domain/addresses.ts";
import { findEnvironment, readEnvironment } from "../store/environment.ts";

/**
 * Where this service lives, as the stack says. The ingest server cannot be told the distribution's own name, because
 * the distribution is made of it. Where the service has no other name, `host` is that one: the edge vouches for it.
 */
export function readSite(host?: string): Site {
  const told = findEnvironment(environmentNames.baseUrl);
  if (host !== undefined && told === undefined) return { baseUrl: `https://${host}`, baseDomain: undefined };
  return {
    baseUrl: readEnvironment(environmentNames.baseUrl),
    baseDomain: findEnvironment(environmentNames.baseDomain),
  };
}
