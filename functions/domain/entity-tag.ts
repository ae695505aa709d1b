import type { Drop } from "./drop.ts";

/** What If-Match asks for: that the drop is there, or that it is as one of these tags names it; RFC 9110, section 13.1.1. */
export type EntityTagCondition = "any" | readonly string[];

/**
 * The entity tag of a drop: another one after every write that changes it. Views change nothing. The time is in it
 * because a drop that was restored from a backup counts its revisions again.
 */
export function entityTag({ revision, updatedAtMs }: Pick<Drop, "revision" | "updatedAtMs">): string {
  return `"${revision}-${updatedAtMs.toString(36)}"`;
}

/** Whether the drop fulfils the condition. Weak tags never do: RFC 9110, section 8.8.3.2, strong comparison. */
export function isNamed(condition: EntityTagCondition | undefined, drop: Drop): boolean {
  return condition === undefined || condition === "any" || condition.includes(entityTag(drop));
}
