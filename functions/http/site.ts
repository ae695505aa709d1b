import { environmentNames } from "../contract/environment.ts";
import type { Site } from "../domain/addresses.ts";
import { findEnvironment } from "../store/environment.ts";
import type { HttpRequest } from "./request.ts";

/**
 * Where this service lives: as the stack says, or without a domain where the edge says that it is. The stack cannot say
 * the distribution's own name to what the distribution is made of.
 */
export function readSite({ serviceHost, host }: Pick<HttpRequest, "serviceHost" | "host">): Site {
  const told = findEnvironment(environmentNames.baseUrl);
  if (told !== undefined) {
    return { baseUrl: told, baseDomain: findEnvironment(environmentNames.baseDomain) };
  }
  // An edge of an earlier release names no service; it has one name, by which it is asked.
  return { baseUrl: `https://${serviceHost ?? host}`, baseDomain: undefined };
}
