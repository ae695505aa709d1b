import { keys } from "./keys.ts";
import { getItems } from "./table.ts";
import { writeItems } from "./table-writes.ts";

// The table stores the groups of people who sign in, so that a misspelled group in a drop's readers can be detected.

/** Stores the groups of a person who signs in. */
export async function rememberGroups(groups: readonly string[]): Promise<void> {
  const unknown = await findUnknownGroups(groups);
  await writeItems({ puts: unknown.map((group) => ({ ...keys.group(group) })) });
}

/** Finds the groups of which no member has signed in. */
export async function findUnknownGroups(groups: readonly string[]): Promise<readonly string[]> {
  const known = new Set((await getItems(groups.map(keys.group))).map(({ pk }) => pk));
  return groups.filter((group) => !known.has(keys.group(group).pk));
}
