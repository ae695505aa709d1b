import type { EntityTagCondition } from "../http/response.ts";
import { ScimError } from "./scim-error.ts";

/** Item whose revision rises with every change of its resource. */
interface Revised {
  readonly revision: number;
  readonly createdAtMs: number;
}

/**
 * Entity tag of a resource, weak as in RFC 7644, section 3.14. The time of creation distinguishes it from a restored
 * resource's.
 */
export function versionOf({ revision, createdAtMs }: Revised): string {
  return `W/"${revision}-${createdAtMs.toString(36)}"`;
}

/** @throws ScimError 412 if the resource has changed since the version in the request */
export function requireVersion(condition: EntityTagCondition | undefined, resource: Revised): void {
  if (condition === undefined || condition === "any") return;
  const opaque = (tag: string) => tag.replace(/^W\//, "");
  const version = versionOf(resource);
  if (condition.some((tag) => opaque(tag) === opaque(version))) return;
  throw new ScimError(412, `The resource has changed. Its version is ${version}. Read it again first.`);
}
