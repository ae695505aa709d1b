import { toBlob } from "../../../functions/blobs/store.ts";
import { dropUrl, restrictedFileUrl, type Site } from "../../../functions/http/site.ts";
import { type Identity, lastIdentityOf } from "../../../functions/identity/accounts.ts";
import {
  type FoundReader,
  findReader,
  type SignIn,
  toReaderSession,
} from "../../../functions/identity/readers.ts";
import {
  isOpenToAll,
  presentReader,
  type Readable,
  type ReadReason,
  readReasonOf,
  toVisibility,
} from "../../../functions/policies/access.ts";
import { type Key, keys, parseKey } from "../../../functions/table/keys.ts";
import { tableName } from "../../../functions/table/table.ts";
import { quote, UsageError } from "../command.ts";
import { describeMembership, describeName, hasName, type WrittenName } from "../members/member-directory.ts";
import {
  mapInParallel,
  nameOfUser,
  readTable,
  type StoredItem,
  toUser,
  type User,
  userIdOf,
} from "../table-reads.ts";

/** A restricted drop or file. */
export interface GuardedItem extends Readable {
  readonly url: string;
  readonly isLocked: boolean;
}

/** A person's sign-ins: the last one of their account, and those of their browsers. */
export interface KnownPerson {
  readonly identity: Identity;
  /** @default - they have signed in to read only */
  readonly user: User | undefined;
  readonly signIns: readonly SignIn[];
}

/**
 * Finds all people, and the restricted drops and files that are shown: suspended and deleted accounts have none. Reads the whole table,
 * for `onItems` too. Leaves out sessions that have expired.
 */
export async function readAccessTable(
  site: Site,
  onItems: (items: readonly StoredItem[]) => void = () => {},
) {
  const nowMs = Date.now();
  const users = new Map<string, User>();
  const sessions: SignIn[] = [];
  const things: GuardedItem[] = [];
  const isOf = ({ pk, sk }: Key, family: Key) => sk === family.sk && pk.startsWith(family.pk);
  for await (const items of readTable(tableName(), { isConsistent: true })) {
    onItems(items);
    for (const item of items) {
      if (isOf(item, keys.account(""))) users.set(userIdOf(item), toUser(item));
      if (isOf(item, keys.readerSession(""))) {
        const session = toReaderSession(item.pk.slice(keys.readerSession("").pk.length), item);
        if (session.expiresAtMs > nowMs) sessions.push(session);
      }
      things.push(...toThings(item, site));
    }
  }
  const isShown = ({ ownerId }: GuardedItem) => {
    const owner = users.get(ownerId);
    return owner !== undefined && !owner.isSuspended && !owner.isBeingDeleted;
  };
  return { people: groupByPerson([...users.values()], sessions), things: things.filter(isShown) };
}

/** Reads only the fields that decide, so that a fault in others does not matter. */
function toThings(item: StoredItem, site: Site): GuardedItem[] {
  const subject = parseKey(item);
  if (subject?.kind !== "drop" && subject?.kind !== "blob") return [];
  const visibility = toVisibility(item);
  if (isOpenToAll({ visibility })) return [];
  if (subject.kind === "blob") {
    const { ownerId, namespace, id } = toBlob(item);
    return [{ ownerId, visibility, url: restrictedFileUrl(site, namespace, id), isLocked: false }];
  }
  const url = dropUrl(site, item.namespace as string, subject.slug);
  return [{ ownerId: subject.userId, visibility, url, isLocked: item.passcodeHash !== undefined }];
}

function groupByPerson(users: readonly User[], sessions: readonly SignIn[]): KnownPerson[] {
  const ofAccounts = users.map((user) => {
    const identity = lastIdentityOf(user.item);
    return { identity, user, signIn: { identity, userId: user.userId } as SignIn };
  });
  const ofSessions = sessions.map((signIn) => ({ identity: signIn.identity, user: undefined, signIn }));
  const people = Map.groupBy([...ofAccounts, ...ofSessions], ({ identity: { provider, id } }) =>
    JSON.stringify([provider, id]),
  );
  return [...people.values()].flatMap(([first, ...others]) => {
    const signIns = [first, ...others].flatMap((one) => one?.signIn ?? []);
    return first ? [{ identity: first.identity, user: first.user, signIns }] : [];
  });
}

/**
 * Finds the people who have a name, by any of their sign-ins.
 *
 * @throws UsageError for an unknown account
 */
export function findPeople(people: readonly KnownPerson[], name: WrittenName): KnownPerson[] {
  const found = people.filter(({ user, signIns }) =>
    signIns.some(({ identity }) => hasName(user, identity, name)),
  );
  if (found.length === 0 && name.kind === "account")
    throw new UsageError(`There is no ${describeName(name)}.`);
  return found;
}

/** A person with their present rights, by each of their sign-ins. */
export interface PersonReaders extends KnownPerson {
  readonly readers: readonly FoundReader[];
}

/** Finds people's present rights, by the service's own rules. */
export function findReaders(people: readonly KnownPerson[]): Promise<PersonReaders[]> {
  return mapInParallel(people, async (person) => ({
    ...person,
    readers: await Promise.all(person.signIns.map(findReader)),
  }));
}

/** Reason for which a person can read something by one of their sign-ins, in words; undefined if none allows it. */
export function explainReading(thing: Readable, readers: readonly FoundReader[]): string | undefined {
  for (const reader of readers) {
    const reason = readReasonOf(thing, reader);
    if (reason !== undefined) return describeReason(reason, reader);
  }
  return undefined;
}

function describeReason(reason: ReadReason, { membership }: FoundReader): string {
  switch (reason.kind) {
    case "open":
      return "open to everybody";
    case "owner":
      return "owner";
    case "member":
      return describeMembership(membership);
    case "named":
      return `named by ${reason.rules.map((rule) => quote(presentReader(rule))).join(", ")}`;
  }
}

/** The bars of all sign-ins of a person, in words. */
export function describeBars(readers: readonly FoundReader[]): string {
  return [...new Set(readers.flatMap(({ bars }) => bars))].join(", ");
}

/** A person as an operator knows them. */
export function describePerson({ identity, user }: KnownPerson): string {
  if (user !== undefined) return nameOfUser(user);
  return `${quote(identity.username || (identity.emails[0] ?? identity.id))} (no account)`;
}
