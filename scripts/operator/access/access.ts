import { patterns } from "../../../functions/http/schemas.ts";
import { defineCommand, UsageError } from "../command.ts";
import { parseMemberName } from "../members/member-name.ts";
import { openService, serviceOptions } from "../service.ts";
import { printDropAccess } from "./drop-readers.ts";
import { printPersonAccess } from "./person-access.ts";

/** `access <slug>` and `access --person <identity>` */
export const accessCommand = defineCommand({
  name: "access",
  words: "[<slug>]",
  summary: "explains who can read a drop, or what a person can read",
  details: `
Of a drop it prints the visibility, the passcode, the reader rules, and each known person who can read it, with the reason. A person is
known who has an account, or who is signed in to read. Others whom a rule names can read it once they sign in. A person who is barred
is listed with the reason, and with the rule that would apply otherwise.

Of a person it prints the drops and files that they can read beyond public and unlisted ones, with the reason. If nobody known has the
name, it prints what the name alone gives. It decides as the service does. Changes nothing, and reads the whole table.`,
  options: {
    ...serviceOptions,
    person: {
      type: "string",
      value: "<identity>",
      help: "a user name (ada), an e-mail address, or an account (account:ada)",
    },
  },
  async run({ words, word, options }, terminal) {
    const { person } = options;
    if ((words.length === 0) !== (person !== undefined))
      throw new UsageError("Name either a drop by its slug, or a person with --person <identity>.");
    const name = person === undefined ? undefined : parseMemberName(person);
    if (name?.kind === "group")
      throw new UsageError("--person names one person: ada, ada@example.com or account:ada.");
    if (name === undefined && !patterns.slug.test(word))
      throw new UsageError(`${JSON.stringify(word)} is not a slug. Write it as in the drop's address.`);
    const service = await openService(options);
    return name === undefined
      ? printDropAccess(word, service, terminal)
      : printPersonAccess(name, service, terminal);
  },
});
