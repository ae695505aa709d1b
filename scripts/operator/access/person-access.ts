import { UsageError } from "../command.ts";
import { hasName } from "../members/member-directory.ts";
import { describeMembership } from "../members/member-list.ts";
import { describeName, type WrittenName } from "../members/member-name.ts";
import type { Service } from "../service.ts";
import type { Terminal } from "../terminal.ts";
import {
  describeBars,
  describePerson,
  explainReading,
  findReaders,
  type GuardedItem,
  type KnownPerson,
  type PersonReaders,
  readAccessTable,
} from "./access-table.ts";

/**
 * Prints what the people who have a name can read, beyond public and unlisted drops and files.
 *
 * @throws UsageError for an unknown account
 */
export async function printPersonAccess(
  name: WrittenName,
  service: Service,
  terminal: Terminal,
): Promise<boolean> {
  const { people, things } = await readAccessTable(service);
  const named = people.filter(({ user, signIns }) =>
    signIns.some(({ identity }) => hasName(user, identity, name)),
  );
  if (named.length === 0 && name.kind === "account")
    throw new UsageError(`There is no ${describeName(name)}.`);
  const isKnown = named.length > 0;
  for (const person of await findReaders(isKnown ? named : [nobodyYet(name)])) {
    const who = isKnown ? describePerson(person) : `${describeName(name)}  has never signed in`;
    printPerson(person, who, things, terminal);
  }
  return true;
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

function printPerson(
  { readers }: PersonReaders,
  who: string,
  things: readonly GuardedItem[],
  terminal: Terminal,
): void {
  const isBarred = readers.every((reader) => reader.isBarred);
  const [membership = ""] = readers.map((reader) => describeMembership(reader.membership));
  terminal.print(`person  ${who}  ${isBarred ? `barred: ${describeBars(readers)}` : membership}`);
  const lines = things.flatMap((thing) => {
    const why = explainReading(thing, readers);
    if (why === undefined) return [];
    const passcode = thing.isLocked ? "; needs the passcode" : "";
    return [`${thing.url}  ${thing.visibility.kind}  ${why}${passcode}`];
  });
  for (const line of lines.toSorted()) terminal.print(line);
  terminal.print(`Can read, beyond public and unlisted: ${lines.length}.`);
}
