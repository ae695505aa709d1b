import { presentReader, type TeamPeople, type TeamRole, toReaderRule } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import type { Item } from "../table/table.ts";

/** Provider of the identities of teams. A team never signs in. */
export const teamProvider = "team";

/** A team: an account that several people act for. */
export interface Team {
  readonly userId: string;
  readonly namespace: string;
  readonly people: TeamPeople;
  /** Changes with each change of the team. */
  readonly revision: number;
  readonly createdAtMs: number;
  /** The person who created it. @default - an operator did */
  readonly creatorId?: string | undefined;
  /** Tag by which the team's page groups its drops. @default - it does not group them */
  readonly groupBy?: string | undefined;
}

/** Reads the item of a team; undefined for any other item. */
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

/** The people of a team: owners first, then by name. */
export function sortedPeople({ people }: Team): TeamPeople {
  const keyOf = ({ rule, role }: TeamPeople[number]) => `${role === "owner" ? 0 : 1}${presentReader(rule)}`;
  return people.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
