import {
  type AccountRow,
  isBanned,
  mapInParallel,
  toAccountRow,
} from "../../../functions/administration/accounts.ts";
import { toBlob } from "../../../functions/blobs/store.ts";
import { type Drop, isLocked } from "../../../functions/drops/drop.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { dropUrl, restrictedFileUrl, type Site } from "../../../functions/http/site.ts";
import { toReaderSession } from "../../../functions/identity/readers.ts";
import { lastIdentityOf, userIdOf } from "../../../functions/people/accounts.ts";
import { type FoundReader, findReader, type SignIn } from "../../../functions/people/find-reader.ts";
import { type Team, toTeam } from "../../../functions/people/team.ts";
import {
  describeReaders,
  isExpired,
  isOpenToAll,
  presentReader,
  type Readable,
  type ReaderRule,
  type ReadReason,
  readReasonOf,
  teamRoleOf,
  toVisibility,
} from "../../../functions/policies/access.ts";
import { keys, parseKey } from "../../../functions/table/keys.ts";
import { tableName } from "../../../functions/table/table.ts";
import { quote, sortBy, UsageError } from "../command.ts";
import {
  describeMembership,
  describeName,
  hasName,
  parsePersonName,
  type WrittenName,
} from "../members/member-directory.ts";
import { defineServiceCommand } from "../service.ts";
import { findUser, nameOfUser, readTable, type StoredItem } from "../table-reads.ts";
import { findDrop } from "../target.ts";

export const accessCommand = defineServiceCommand({
  usage: "access [<slug or address>]",
  summary: "explains who can read a drop, or what a person can read",
  details: `
For a drop, prints the visibility, the reader rules, whether a passcode is required, and the people who can read the drop, with the reason.
Lists only people who have an account or are signed in as readers. Other people whom a rule names can read the drop once they sign in. For
each barred person, prints why the person is barred, and the rule that would otherwise apply.

For a person, prints the drops and files that the person can read, with the reason, except public and unlisted ones. For a name that has
never signed in, prints what a person with this name could read. Applies the same rules as the service. Changes nothing. Reads the whole
table.`,
  options: { "person <identity>": "a user name (ada), an e-mail address, or an account (account:ada)" },
  async run({ words, word, options: { person }, service, printAll }) {
    if ((words.length === 0) !== (person !== undefined))
      throw new UsageError("Use either the slug or address of a drop, or --person <identity>.");
    printAll(
      await (person === undefined
        ? describeDrop(await findDrop(service, word), service)
        : describePeople(parsePersonName(person), service)),
    );
  },
});

/** Lists the people who can read a drop, with the reason for each person. */
async function describeDrop(drop: Drop, site: Site): Promise<(string | string[])[]> {
  const { slug, visibility, ownerId, namespace } = drop;
  const pointer = await publicDrops.findPointer(slug);
  const user = await findUser(ownerId);
  const bars = [(await isBanned(user)) && "banned", user.isSuspended && "suspended"].filter(Boolean);
  const lines = [
    ["drop", dropUrl(site, namespace, slug)],
    ["visibility", `${visibility.kind}: ${describeReaders(visibility)}`],
    ["passcode", isLocked(drop) ? "also required" : "none"],
    ["owner", `${nameOfUser(user)}  ${bars.join(", ")}`.trimEnd()],
  ];
  const nowMs = Date.now();
  if ((await publicDrops.findShownDrop(pointer, slug, nowMs)) === undefined) {
    const why = isExpired(drop, nowMs) ? "it has expired" : "its owner's account is suspended";
    return [...lines, `No one can read it, because ${why}.`];
  }
  if (isOpenToAll(drop)) {
    const who = isLocked(drop) ? "Anyone with the link and the passcode" : "Anyone with the link";
    return [...lines, `${who} can read it, without a sign-in.`];
  }
  return [...lines, ...(await describeKnownReaders(drop, site))];
}

async function describeKnownReaders(drop: Readable, site: Site): Promise<(string | string[])[]> {
  const { people, teams } = await readAccessTable(site);
  const known = sortBy(await findReaders(people, teams), ({ name }) => name);
  const rules = drop.visibility.kind === "people" ? drop.visibility.readers : [];
  const toRows = (label: string, explain: typeof explainReading) =>
    known.flatMap(({ name, readers }) => {
      const why = explain(drop, readers);
      return why === undefined ? [] : [[label, `${name}  ${why}`]];
    });
  const [readers, barred] = [toRows("reader", explainReading), toRows("barred", explainBar)];
  const counts = `Known people: ${known.length}. Readers: ${readers.length}. Barred: ${barred.length}.`;
  return [...rules.map((rule) => describeRule(rule, known)), ...readers, ...barred, counts];
}

/** Describes a rule, with the number of known people who can read because of the rule. */
function describeRule(rule: ReaderRule, known: readonly PersonReaders[]): string[] {
  const thing: Readable = { ownerId: "", visibility: { kind: "people", readers: [rule] } };
  const count = known.filter(({ readers }) => explainReading(thing, readers) !== undefined).length;
  return ["rule", `${quote(presentReader(rule))}  known: ${count}`];
}

/** Explains why a person who could otherwise read the drop is barred. Returns undefined for all other people. */
function explainBar(drop: Readable, readers: readonly FoundReader[]): string | undefined {
  if (explainReading(drop, readers) !== undefined) return undefined;
  const unbarred = readers.map((reader) => ({ ...reader, isBarred: false }));
  const why = explainReading(drop, unbarred);
  return why && `${describeBars(readers)}; otherwise ${why}`;
}

/** Describes the drops and files that people with the given name can read, except public and unlisted ones. */
async function describePeople(name: WrittenName, site: Site): Promise<string[]> {
  const { people, teams, things } = await readAccessTable(site);
  const named = findPeople(people, name);
  const isUnknown = named.length === 0;
  const found = await findReaders(isUnknown ? [createUnknownPerson(name)] : named, teams);
  const unknown = isUnknown ? { name: `${describeName(name)}  has never signed in` } : {};
  return found.flatMap((person) => describeReadable({ ...person, ...unknown }, things));
}

/** Describes a person who has never signed in, so that only the given name is known. */
function createUnknownPerson({ kind, value }: WrittenName): KnownPerson {
  const name = { username: kind === "username" ? value : "", emails: kind === "email" ? [value] : [] };
  const identity = { provider: "", id: "", ...name, groups: [], organizations: [] };
  return { identity, user: undefined, signIns: [{ identity, userId: undefined }] };
}

function describeReadable({ name, readers }: PersonReaders, things: readonly GuardedItem[]): string[] {
  const isBarred = readers.every((reader) => reader.isBarred);
  const [membership = ""] = readers.map((reader) => describeMembership(reader.membership));
  const lines = things.flatMap((thing) => {
    const why = explainReading(thing, readers);
    const passcode = thing.isLocked ? "; needs the passcode" : "";
    return why === undefined ? [] : [`${thing.url}  ${thing.visibility.kind}  ${why}${passcode}`];
  });
  return [
    `person  ${name}  ${isBarred ? `barred: ${describeBars(readers)}` : membership}`,
    ...lines.toSorted(),
    `Readable drops and files, besides public and unlisted ones: ${lines.length}.`,
  ];
}

/** A restricted drop or file. */
type GuardedItem = ReturnType<typeof toThings>[number];

/** A person, with the last sign-in to the account and the sessions in browsers. */
type KnownPerson = ReturnType<typeof groupByPerson>[number];

/**
 * Finds all people, all teams, and the restricted drops and files of accounts that are not suspended or deleted. Ignores expired sessions.
 * Reads the whole table, and passes all items to `onItems`.
 */
export async function readAccessTable(
  site: Site,
  onItems: (items: readonly StoredItem[]) => void = () => {},
) {
  const nowMs = Date.now();
  const users = new Map<string, AccountRow>();
  const sessions: SignIn[] = [];
  const teams: Team[] = [];
  const things: GuardedItem[] = [];
  for await (const items of readTable(tableName(), true)) {
    onItems(items);
    for (const item of items) {
      if (item.sk === keys.account("").sk) users.set(userIdOf(item), toAccountRow(item));
      if (item.sk === keys.readerSession("").sk) {
        const session = toReaderSession(item.pk.slice(keys.readerSession("").pk.length), item);
        if (session.expiresAtMs > nowMs) sessions.push(session);
      }
      const team = toTeam(item);
      if (team !== undefined) teams.push(team);
      things.push(...toThings(item, site));
    }
  }
  const shown = things.filter(({ ownerId }) => {
    const owner = users.get(ownerId);
    return owner !== undefined && !owner.isSuspended && !owner.isBeingDeleted;
  });
  return { people: groupByPerson([...users.values()], sessions), teams, things: shown };
}

/** Parses a restricted drop or file. Reads only the fields that determine access, because other fields may be invalid. */
function toThings(item: StoredItem, site: Site) {
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

function groupByPerson(users: readonly AccountRow[], sessions: readonly SignIn[]) {
  const ofAccounts = users.map((user) => {
    return { identity: lastIdentityOf(user.item), userId: user.userId, user };
  });
  const people = Map.groupBy<string, SignIn & { readonly user?: AccountRow }>(
    [...ofAccounts, ...sessions],
    ({ identity: { provider, id } }) => JSON.stringify([provider, id]),
  );
  return [...people.values()].flatMap((signIns) => {
    const [first] = signIns;
    return first === undefined ? [] : { identity: first.identity, user: first.user, signIns };
  });
}

/** Finds the people who have this name in any of their sign-ins. Throws for an unknown account. */
export function findPeople(people: readonly KnownPerson[], name: WrittenName): KnownPerson[] {
  const found = people.filter(({ user, signIns }) =>
    signIns.some(({ identity }) => hasName(user, identity, name)),
  );
  if (found.length === 0 && name.kind === "account")
    throw new UsageError(`There is no ${describeName(name)}.`);
  return found;
}

/** A person's name in the output, and what the service knows about the person at each sign-in. */
type PersonReaders = Awaited<ReturnType<typeof findReaders>>[number];

/** Determines the membership and the teams of people, by the same rules as the service. */
function findReaders(people: readonly KnownPerson[], teams: readonly Team[]) {
  const teamIdsOf = (reader: FoundReader) =>
    teams.filter((team) => teamRoleOf(team.people, reader) !== undefined).map(({ userId }) => userId);
  return mapInParallel(people, async ({ identity, user, signIns }) => {
    const readers = await Promise.all(signIns.map((signIn) => findReader(signIn)));
    const { username, emails, id } = identity;
    return {
      name: user ? nameOfUser(user) : `${quote(username || (emails[0] ?? id))} (no account)`,
      readers: readers.map((reader) => ({ ...reader, teamIds: new Set(teamIdsOf(reader)) })),
    };
  });
}

/** Explains why a person can read a drop or file with one of their sign-ins. Returns undefined if they cannot. */
function explainReading(thing: Readable, readers: readonly FoundReader[]): string | undefined {
  for (const reader of readers) {
    const reason = readReasonOf(thing, reader);
    if (reason !== undefined) return describeReason(reason, reader);
  }
  return undefined;
}

function describeReason(reason: ReadReason, { membership }: FoundReader): string {
  switch (reason.kind) {
    case "open":
      return "open to anyone";
    case "owner":
      return "owner";
    case "member":
      return describeMembership(membership);
    case "named":
      return `named by ${reason.rules.map((rule) => quote(presentReader(rule))).join(", ")}`;
  }
}

/** Lists the reasons why a person is barred, from all of the person's sign-ins. */
function describeBars(readers: readonly FoundReader[]): string {
  return [...new Set(readers.flatMap(({ bars }) => bars))].join(", ");
}
