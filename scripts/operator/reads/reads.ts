import { identityText } from "../../../functions/drops/read-trail.ts";
import { presentReader } from "../../../functions/policies/access.ts";
import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import { readAccessTable } from "../access/access-table.ts";
import { confirmByName, defineCommand, UsageError, yesOption } from "../command.ts";
import { hasName } from "../members/member-directory.ts";
import { parseMemberName, type WrittenName } from "../members/member-name.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceOptions } from "../service.ts";
import { deleteReads, newestFirst, type PersonRead, toPersonReads } from "./person-reads.ts";

/** `reads <person>` */
export const readsCommand = defineCommand({
  name: "reads",
  words: "<person>",
  summary: "lists which drops a person has opened, by the read trail, and deletes these reads",
  details: `
<person> is a user name (ada), an e-mail address, or an account (account:ada). The person need not have an account: it finds everybody
who has the name now, and everybody who was recorded by it. Prints day, drop and name. Reads the whole table.

delete-account deletes the reads of the account's person, too.`,
  options: {
    ...serviceOptions,
    delete: { type: "boolean", help: "deletes the reads that it prints, after a question" },
    yes: yesOption,
  },
  async run({ word, options }, terminal) {
    const name = parseMemberName(word);
    if (name.kind === "group")
      throw new UsageError("Reads are of one person: ada, ada@example.com or account:ada.");
    const service = await openService(options);
    const reads = await findReadsOf(name, service);
    for (const { day, slug, reader } of reads) terminal.print(`${day}  ${slug}  ${reader}`);
    terminal.print(`Reads: ${reads.length}.`);
    if (!options.delete || reads.length === 0) return true;
    await confirmByName(terminal, {
      name: word,
      isSure: options.yes,
      warning: "These reads will be deleted. Nothing restores them.",
    });
    await appendToAudit(await operatorAct(service, "delete-reads"), {});
    await deleteReads(reads);
    terminal.print(`Reads deleted: ${reads.length}.`);
    return true;
  },
});

async function findReadsOf(name: WrittenName, service: Service): Promise<PersonRead[]> {
  const all: PersonRead[] = [];
  const { people } = await readAccessTable(service, (items) => {
    all.push(...toPersonReads(items));
  });
  const known = people.filter(({ user, signIns }) =>
    signIns.some(({ identity }) => hasName(user, identity, name)),
  );
  if (known.length === 0 && name.kind === "account")
    throw new UsageError(`There is no account ${name.value}.`);
  const recordedAs =
    name.kind === "username" ? presentReader({ kind: "username", username: name.value }) : name.value;
  const identities = new Set([
    ...known.map(({ identity }) => identityText(identity)),
    ...all.filter(({ reader }) => reader === recordedAs).map(({ identity }) => identity),
  ]);
  return newestFirst(all.filter(({ identity }) => identities.has(identity)));
}
