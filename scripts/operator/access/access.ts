import { type Drop, isLocked } from "../../../functions/drops/drop.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { dropUrl, type Site } from "../../../functions/http/site.ts";
import {
  describeReaders,
  isExpired,
  isOpenToAll,
  presentReader,
  type Readable,
  type ReaderRule,
} from "../../../functions/policies/access.ts";
import { isBanned } from "../accounts/suspend.ts";
import { quote, UsageError } from "../command.ts";
import {
  describeMembership,
  describeName,
  parsePersonName,
  type WrittenName,
} from "../members/member-directory.ts";
import { defineServiceCommand } from "../service.ts";
import { findUser, nameOfUser } from "../table-reads.ts";
import { findDrop } from "../target.ts";
import {
  describeBars,
  describePerson,
  explainReading,
  findPeople,
  findReaders,
  type GuardedItem,
  type KnownPerson,
  type PersonReaders,
  readAccessTable,
} from "./people.ts";

export const accessCommand = defineServiceCommand({
  usage: "access [<slug or address>]",
  summary: "explains who can read a drop, or what a person can read",
  details: `
Of a drop: the visibility, the passcode, the reader rules, and the people who can read it, with the reason. Only people are known who have
an account or are signed in to read. Others whom a rule names can read it once they sign in. People who are barred are listed with the
reason and the rule that would apply otherwise.

Of a person: the drops and files that they can read beyond public and unlisted ones, with the reason. If nobody known has the name, what
the name alone gives. Decides as the service does, changes nothing, and reads the whole table.`,
  options: {
    "person <identity>": "a user name (ada), an e-mail address, or an account (account:ada)",
  },
  async run({ words, word, options: { person }, service, printAll }) {
    if ((words.length === 0) !== (person !== undefined))
      throw new UsageError("Name either a drop by its slug, or a person with --person <identity>.");
    printAll(
      await (person === undefined
        ? describeDrop(await findDrop(service, word), service)
        : describePeople(parsePersonName(person), service)),
    );
  },
});

/** Describes who can read a drop, and why. */
async function describeDrop(drop: Drop, site: Site): Promise<string[]> {
  const { slug, visibility, ownerId, namespace } = drop;
  const pointer = await publicDrops.findPointer(slug);
  const user = await findUser(ownerId);
  const bars = [(await isBanned(user)) && "banned", user.isSuspended && "suspended"].filter(Boolean);
  const lines = [
    `drop        ${dropUrl(site, namespace, slug)}`,
    `visibility  ${visibility.kind}: ${describeReaders(visibility)}`,
    `passcode    ${isLocked(drop) ? "everybody needs it besides" : "none"}`,
    `owner       ${nameOfUser(user)}  ${bars.join(", ")}`.trimEnd(),
  ];
  const nowMs = Date.now();
  if ((await publicDrops.findShownDrop(pointer, slug, nowMs)) === undefined) {
    const why = isExpired(drop, nowMs) ? "it has expired" : "the account of its owner is suspended";
    return [...lines, `Nobody can read it: ${why}.`];
  }
  if (isOpenToAll(drop)) {
    const who = isLocked(drop) ? "Everybody who has the link and the passcode" : "Everybody who has the link";
    return [...lines, `${who} can read it, without a sign-in.`];
  }
  return [...lines, ...(await describeKnownReaders(drop, site))];
}

async function describeKnownReaders(drop: Readable, site: Site): Promise<string[]> {
  const known = (await findReaders((await readAccessTable(site)).people)).toSorted((one, other) =>
    describePerson(one) < describePerson(other) ? -1 : 1,
  );
  const rules = drop.visibility.kind === "people" ? drop.visibility.readers : [];
  const readers = known.flatMap((person) => lineOf("reader", person, explainReading(drop, person.readers)));
  const barred = known.flatMap((person) => lineOf("barred", person, explainBar(drop, person)));
  const counts = `Known people: ${known.length}. Readers: ${readers.length}. Barred: ${barred.length}.`;
  return [...rules.map((rule) => describeRule(rule, known)), ...readers, ...barred, counts];
}

function lineOf(label: string, person: PersonReaders, why: string | undefined): string[] {
  return why === undefined ? [] : [`${label.padEnd(12)}${describePerson(person)}  ${why}`];
}

/** A rule, with the number of known people whom it lets read. */
function describeRule(rule: ReaderRule, known: readonly PersonReaders[]): string {
  const thing: Readable = { ownerId: "", visibility: { kind: "people", readers: [rule] } };
  const count = known.filter(({ readers }) => explainReading(thing, readers) !== undefined).length;
  return `rule        ${quote(presentReader(rule))}  known: ${count}`;
}

/** The bars of a person who could read the drop without them; undefined for anyone else. */
function explainBar(drop: Readable, { readers }: PersonReaders): string | undefined {
  if (explainReading(drop, readers) !== undefined) return undefined;
  const unbarred = readers.map((reader) => ({ ...reader, isBarred: false }));
  const why = explainReading(drop, unbarred);
  return why === undefined ? undefined : `${describeBars(readers)}; otherwise ${why}`;
}

/**
 * Describes what the people who have a name can read, beyond public and unlisted drops and files.
 *
 * @throws UsageError for an unknown account
 */
async function describePeople(name: WrittenName, site: Site): Promise<string[]> {
  const table = await readAccessTable(site);
  const named = findPeople(table.people, name);
  const isKnown = named.length > 0;
  const people = await findReaders(isKnown ? named : [nobodyYet(name)]);
  return people.flatMap((person) => {
    const who = isKnown ? describePerson(person) : `${describeName(name)}  has never signed in`;
    return describeReadable(person, who, table.things);
  });
}

/** A person of whom only the name is known. */
function nobodyYet({ kind, value }: WrittenName): KnownPerson {
  const identity = {
    provider: "",
    id: "",
    username: kind === "username" ? value : "",
    emails: kind === "email" ? [value] : [],
    groups: [],
    organizations: [],
  };
  return { identity, user: undefined, signIns: [{ identity, userId: undefined }] };
}

function describeReadable({ readers }: PersonReaders, who: string, things: readonly GuardedItem[]): string[] {
  const isBarred = readers.every((reader) => reader.isBarred);
  const [membership = ""] = readers.map((reader) => describeMembership(reader.membership));
  const lines = things.flatMap((thing) => {
    const why = explainReading(thing, readers);
    const passcode = thing.isLocked ? "; needs the passcode" : "";
    return why === undefined ? [] : [`${thing.url}  ${thing.visibility.kind}  ${why}${passcode}`];
  });
  return [
    `person  ${who}  ${isBarred ? `barred: ${describeBars(readers)}` : membership}`,
    ...lines.toSorted(),
    `Can read, beyond public and unlisted: ${lines.length}.`,
  ];
}
