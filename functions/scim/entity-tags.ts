import type { EntityTagCondition } from "../http/response.ts";
import { ScimError } from "./scim-error.ts";

/** A resource with a revision number, which increases with every change. */
interface Revised {
  readonly revision: number;
  readonly createdAtMs: number;
}

/**
 * Builds the weak entity tag of a resource (RFC 7644, section 3.14). The tag includes the creation time, so that a resource that is created
 * again has a different tag.
 */
export function versionOf({ revision, createdAtMs }: Revised): string {
  return `W/"${revision}-${createdAtMs.toString(36)}"`;
}

/** Requires that the If-Match header contains the resource's version. @throws ScimError 412 otherwise */
export function requireVersion(condition: EntityTagCondition | undefined, resource: Revised): void {
  if (condition === undefined || condition === "any") return;
  const opaque = (tag: string) => tag.replace(/^W\//, "");
  const version = versionOf(resource);
  if (condition.some((tag) => opaque(tag) === opaque(version))) return;
  throw new ScimError(
    412,
    `The resource has changed. Its version is ${version}. Read the resource again before you change it.`,
  );
}
