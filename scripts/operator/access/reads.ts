import type { AccountRow } from "../../../functions/administration/accounts.ts";
import { identityText, toRead } from "../../../functions/drops/read-trail.ts";
import type { Site } from "../../../functions/http/site.ts";
import { presentReader } from "../../../functions/policies/access.ts";
import { ranges } from "../../../functions/table/keys.ts";
import { deleteItems } from "../../../functions/table/table-writes.ts";
import { yesOption } from "../command.ts";
import { parsePersonName, type WrittenName } from "../members/member-directory.ts";
import { defineServiceCommand } from "../service.ts";
import { findItems, type StoredItem } from "../table-reads.ts";
import { findPeople, readAccessTable } from "./access.ts";

export const readsCommand = defineServiceCommand({
  usage: "reads <person>",
  summary: "lists the drops that a person has opened, and deletes these reads on request",
  details: `
Finds reads by anyone who has the name now, with or without an account, and reads that were recorded with the name. Prints the day, drop and
name of each read. Reads the whole table. delete-account also deletes the reads of the account's person.`,
  options: { delete: "deletes the printed reads, after a confirmation", yes: yesOption },
  async run({ word, options, service, audit, confirm, print, printAll }) {
    const reads = await findReadsOf(parsePersonName(word), service);
    const rows = reads.map(({ day, slug, reader }) => [day, slug, reader]);
    printAll(rows, `Reads: ${reads.length}.`);
    if (!options.delete || reads.length === 0) return;
    await confirm(word, "These reads will be deleted. They cannot be restored.");
    await audit("delete-reads");
    await deleteItems(reads.map(({ key }) => key));
    print(`Reads deleted: ${reads.length}.`);
  },
});

async function findReadsOf(name: WrittenName, site: Site): Promise<PersonRead[]> {
  const all: PersonRead[] = [];
  const { people } = await readAccessTable(site, (items) => {
    all.push(...items.filter(({ pk }) => pk.startsWith(allReads)).map(toPersonRead));
  });
  const known = findPeople(people, name);
  const recordedAs =
    name.kind === "username" ? presentReader({ kind: "username", username: name.value }) : name.value;
  const recorded = all.filter(({ reader }) => reader === recordedAs).map(({ identity }) => identity);
  const identities = new Set([...known.map(({ identity }) => identityText(identity)), ...recorded]);
  return newestFirst(all.filter(({ identity }) => identities.has(identity)));
}

type PersonRead = ReturnType<typeof toPersonRead>;

/** Finds the reads of an account's person, newest first. Reads the whole table, because reads are not indexed by person. */
export async function findAccountReads({ identity }: AccountRow): Promise<PersonRead[]> {
  const found = await findItems("begins_with(pk, :reads)", { ":reads": allReads }, true);
  return newestFirst(found.map(toPersonRead).filter((read) => read.identity === identityText(identity)));
}

function newestFirst(reads: readonly PersonRead[]): PersonRead[] {
  return reads.toSorted((one, other) => other.firstAtMs - one.firstAtMs);
}

const allReads = ranges.reads("").pk;

/** Converts an item to a read of a drop, with the reader's `identityText`. */
function toPersonRead(item: StoredItem) {
  const { pk, sk, identity } = item;
  return { ...toRead(item), slug: pk.slice(allReads.length), identity: identity as string, key: { pk, sk } };
}
