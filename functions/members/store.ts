import { type Identity, removedAttribute } from "../accounts/identity.ts";
import { environmentNames, findEnvironment, type MemberRules } from "../platform/environment.ts";
import { type Key, keys } from "../platform/keys.ts";
import { getItems, type Item } from "../platform/table.ts";
import { type TransactionWrite, updateItem } from "../platform/table-writes.ts";
import {
  isSameName,
  judgeMembership,
  type MemberEntry,
  type MemberName,
  type Membership,
  memberNamesOf,
} from "./rules.ts";

/** Whether somebody may publish, and may read what is for members. One round trip. */
export async function isMember(identity: Identity): Promise<boolean> {
  return (await look(identity)).membership.isMember;
}

/** What became of somebody who is about to be let in. */
export type Admission =
  /** `holds` goes into the transaction that lets them in: it fails where they have been removed meanwhile. */
  { readonly isMember: true; readonly holds: readonly TransactionWrite[] } | { readonly isMember: false };

/** Races with what the operator does that an admission stands before it is refused. */
const attemptsMax = 3;

/**
 * Whether somebody is to be let in. A user name that the operator has let in is theirs from now on: who takes it over later
 * is somebody else.
 */
export async function admit(identity: Identity): Promise<Admission> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const seen = await look(identity);
    if (!seen.membership.isMember) return { isMember: false };
    const { ground } = seen.membership;
    const entry = ground.kind === "entry" ? ground.entry : undefined;
    const isBound = entry?.kind !== "username" || entry.boundTo !== undefined;
    if (isBound || (await bind(entry, identity)))
      return { isMember: true, holds: [notRemoved(identity), ...holdsOf(seen, entry)] };
  }
  return { isMember: false };
}

/** What was found of somebody's names. */
interface Seen {
  readonly names: readonly MemberName[];
  readonly entries: readonly MemberEntry[];
  readonly membership: Membership;
}

async function look(identity: Identity): Promise<Seen> {
  const names = memberNamesOf(identity);
  const own = keys.identity(identity.provider, identity.id);
  const items = await getItems([own, ...names.map(memberKey)]);
  const isRemoved = items.some((item) => item.pk === own.pk && item[removedAttribute] !== undefined);
  const entries = items.flatMap(toEntries);
  return { names, entries, membership: judgeMembership(identity, memberRules(), { entries, isRemoved }) };
}

/** Of two people who have a name at once, the first; false for the other, and where the operator has changed their mind. */
async function bind(name: MemberName, { provider, id }: Identity): Promise<boolean> {
  const outcome = await updateItem({
    key: memberKey(name),
    update: "SET boundTo = :own",
    condition: `${isLetIn} AND attribute_not_exists(boundTo)`,
    values: { ":own": { provider, id } },
  });
  return outcome.updated;
}

function notRemoved({ provider, id }: Identity): TransactionWrite {
  return { check: keys.identity(provider, id), condition: `attribute_not_exists(${removedAttribute})` };
}

const isLetIn = "attribute_exists(pk) AND attribute_not_exists(deniedAtMs)";

/** Still let in by this entry, where it is by one, and still not kept out by any name. Groups keep nobody out. */
function holdsOf({ names, entries }: Seen, entry: MemberEntry | undefined): TransactionWrite[] {
  const isOthers = (name: MemberName) =>
    entries.some((one) => isSameName(one, name) && one.boundTo !== undefined);
  const isEntry = (name: MemberName) => entry !== undefined && isSameName(name, entry);
  return [
    ...(entry === undefined ? [] : [{ check: memberKey(entry), condition: isLetIn }]),
    ...names
      .filter((name) => name.kind !== "group" && !isEntry(name) && !isOthers(name))
      .map((name) => ({ check: memberKey(name), condition: "attribute_not_exists(deniedAtMs)" })),
  ];
}

/** The key of what the operator has said of a name. */
export function memberKey({ kind, value }: MemberName): Key {
  return keys.member(kind, value);
}

/** What the operator has said of a name; of another item nothing. */
export function toEntries(item: Item): MemberEntry[] {
  const [family, kind, ...value] = String(item.pk).split("#");
  if (family !== "MEMBER") return [];
  return [
    {
      kind: kind as MemberName["kind"],
      value: value.join("#"),
      deniedAtMs: item.deniedAtMs as number | undefined,
      boundTo: item.boundTo as MemberEntry["boundTo"],
    },
  ];
}

/** What the settings say of whole sets of people. Where they say nothing there is nobody but whom the operator has let in. */
export function memberRules(): MemberRules {
  const said = findEnvironment(environmentNames.members);
  return said === undefined ? { emailDomains: [], organizations: [], groups: [] } : JSON.parse(said);
}
