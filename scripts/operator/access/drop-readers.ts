import { isLocked } from "../../../functions/drops/drop.ts";
import { publicDrops } from "../../../functions/drops/public-drops.ts";
import { dropUrl } from "../../../functions/http/site.ts";
import {
  describeReaders,
  isExpired,
  isOpenToAll,
  presentReader,
  type Readable,
  type ReaderRule,
  readReasonOf,
} from "../../../functions/policies/access.ts";
import { isBanned } from "../accounts/bans.ts";
import { UsageError } from "../command.ts";
import type { Service } from "../service.ts";
import { quote, type Terminal } from "../terminal.ts";
import { findUser } from "../users.ts";
import {
  describeBars,
  describePerson,
  explainReading,
  findReaders,
  type PersonReaders,
  readAccessTable,
} from "./access-table.ts";

/**
 * Prints who can read a drop, and why.
 *
 * @throws UsageError if there is no such drop
 */
export async function printDropAccess(slug: string, service: Service, terminal: Terminal): Promise<boolean> {
  const pointer = await publicDrops.findPointer(slug);
  const drop = await publicDrops.findBySlug(slug);
  if (drop === undefined) throw new UsageError(`There is no drop with the slug ${quote(slug)}.`);
  const { visibility, ownerId, namespace } = drop;
  const user = await findUser(ownerId);
  const bars = [(await isBanned(user)) && "banned", user.isSuspended && "suspended"]
    .filter(Boolean)
    .join(", ");
  terminal.print(`drop        ${dropUrl(service, namespace, slug)}`);
  terminal.print(`visibility  ${visibility.kind}: ${describeReaders(visibility)}`);
  terminal.print(`passcode    ${isLocked(drop) ? "everybody needs it besides" : "none"}`);
  terminal.print(`owner       ${user.namespace} (${ownerId})  ${bars}`.trimEnd());
  const nowMs = Date.now();
  if ((await publicDrops.findShownDrop(pointer, slug, nowMs)) === undefined) {
    const why = isExpired(drop, nowMs) ? "it has expired" : "the account of its owner is suspended";
    terminal.print(`Nobody can read it: ${why}.`);
    return true;
  }
  if (isOpenToAll(drop)) {
    const who = isLocked(drop) ? "Everybody who has the link and the passcode" : "Everybody who has the link";
    terminal.print(`${who} can read it, without a sign-in.`);
    return true;
  }
  await printKnownReaders(drop, service, terminal);
  return true;
}

async function printKnownReaders(drop: Readable, service: Service, terminal: Terminal): Promise<void> {
  const { people } = await readAccessTable(service);
  const known = (await findReaders(people)).toSorted((one, other) =>
    describePerson(one) < describePerson(other) ? -1 : 1,
  );
  if (drop.visibility.kind === "people")
    for (const rule of drop.visibility.readers) terminal.print(describeRule(rule, known));
  const readers = known.flatMap((person) => lineOf("reader", person, explainReading(drop, person.readers)));
  const barred = known.flatMap((person) => lineOf("barred", person, explainBar(drop, person)));
  for (const line of [...readers, ...barred]) terminal.print(line);
  terminal.print(`Known people: ${known.length}. Readers: ${readers.length}. Barred: ${barred.length}.`);
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

/** The bars of a person who could read the drop without them; undefined for everybody else. */
function explainBar(drop: Readable, { readers }: PersonReaders): string | undefined {
  if (readers.some((reader) => readReasonOf(drop, reader) !== undefined)) return undefined;
  const why = explainReading(
    drop,
    readers.map((reader) => ({ ...reader, isBarred: false })),
  );
  return why === undefined ? undefined : `${describeBars(readers)}; otherwise ${why}`;
}
