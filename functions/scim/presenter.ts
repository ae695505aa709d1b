import { versionOf } from "./entity-tags.ts";
import type { StoredGroup } from "./group-store.ts";
import { groupSchema, userSchema } from "./resources.ts";
import { scimPath } from "./rows.ts";
import type { StoredUser } from "./stored-user.ts";

/** Returns the URL of a resource. */
export function locationOf(baseUrl: string, type: "User" | "Group", id: string): string {
  return `${baseUrl}${scimPath}/${type}s/${id}`;
}

/** Converts a user to its SCIM representation. */
export function presentUser(user: StoredUser, baseUrl: string): object {
  const { id, externalId, userName, active, profile, groups } = user;
  return {
    schemas: [userSchema],
    id,
    externalId,
    userName,
    ...profile,
    active,
    groups: Object.entries(groups).map(([value, display]) => ({
      value,
      display,
      $ref: locationOf(baseUrl, "Group", value),
    })),
    meta: metaOf("User", user, baseUrl),
  };
}

/** Converts a group to its SCIM representation. @param members ids of the members, or undefined if the client does not request them */
export function presentGroup(
  group: StoredGroup,
  members: readonly string[] | undefined,
  baseUrl: string,
): object {
  const { id, externalId, displayName } = group;
  return {
    schemas: [groupSchema],
    id,
    externalId,
    displayName,
    members: members?.map((value) => ({ value, $ref: locationOf(baseUrl, "User", value), type: "User" })),
    meta: metaOf("Group", group, baseUrl),
  };
}

function metaOf(
  resourceType: "User" | "Group",
  resource: Pick<StoredUser, "id" | "revision" | "createdAtMs" | "modifiedAtMs">,
  baseUrl: string,
): object {
  return {
    resourceType,
    created: new Date(resource.createdAtMs).toISOString(),
    lastModified: new Date(resource.modifiedAtMs).toISOString(),
    location: locationOf(baseUrl, resourceType, resource.id),
    version: versionOf(resource),
  };
}
