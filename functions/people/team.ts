import { presentReader, type TeamPeople, type TeamRole, toReaderRule } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import type { Item } from "../table/table.ts";

/** Provider id that marks the identities of teams. A team never signs in. */
export const teamProvider = "team";

/** A team is an account that several people may act for. */
export interface Team {
  readonly userId: string;
  readonly namespace: string;
  readonly people: TeamPeople;
  /** Revision number that increases with each change of the team. */
  readonly revision: number;
  readonly createdAtMs: number;
  /** Id of the person who created the team. @default - an operator created it */
  readonly creatorId?: string | undefined;
  /** Name of the tag by which the team's page groups drops. @default - drops are not grouped */
  readonly groupBy?: string | undefined;
}

/** Converts a team's item. Returns undefined for any other item. */
export function toTeam(item: Item | undefined): Team | undefined {
  if (item?.people === undefined) return undefined;
  return {
    userId: String(item.pk).slice(keys.team("").pk.length),
    namespace: item.namespace as string,
    people: Object.entries(item.people as Record<string, TeamRole>).map(([text, role]) => ({
      rule: toReaderRule(text),
      role,
    })),
    revision: item.revision as number,
    createdAtMs: item.createdAtMs as number,
    creatorId: item.creatorId as string | undefined,
    groupBy: item.groupBy as string | undefined,
  };
}

/** Returns the members of a team, owners first, then by name. */
export function sortedPeople({ people }: Team): TeamPeople {
  const keyOf = ({ rule, role }: TeamPeople[number]) => `${role === "owner" ? 0 : 1}${presentReader(rule)}`;
  return people.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
