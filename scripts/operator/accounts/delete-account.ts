import { membershipEndedAttribute } from "../../../functions/identity/accounts.ts";
import { recoveryDays } from "../../../lib/retention.ts";
import { confirmByName, defineCommand, yesOption } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceOptions } from "../service.ts";
import { findUser } from "../users.ts";
import { deleteAccount } from "./account-deletion.ts";

/** `delete-account <account>` */
export const deleteAccountCommand = defineCommand({
  name: "delete-account",
  words: "<account>",
  summary: "deletes an account with everything in it",
  details: `
<account> is a user id or a namespace. This ends all sign-ins and deletes the tokens, the drops with all versions, the files, what
the read trail says of the person, and the account. If it fails on the way, run it again: it continues.

The namespace and the slugs stay reserved. The person can sign in again and gets an account with a new name, unless they are banned.
Pages and files are deleted with all versions in S3. S3 keeps the pages of drops that were deleted before for ${recoveryDays} days after
their deletion. Backups keep the items of the table for ${recoveryDays} more days. Nothing restores the pages: run export first if
somebody may ask for them.`,
  options: {
    ...serviceOptions,
    ban: { type: "boolean", help: "also bans the person. To lift the ban: unban, with the same namespace" },
    yes: yesOption,
  },
  async run(input, terminal) {
    const service = await openService(input.options);
    const user = await findUser(input.word);
    const { namespace, userId, isBeingDeleted } = user;
    const { ban: isBan, yes: isSure } = input.options;
    await confirmByName(terminal, {
      name: namespace,
      isSure,
      warning: isBeingDeleted
        ? `The deletion of ${namespace} (${userId}) has begun. It will continue.`
        : `The account ${namespace} (${userId}) will be deleted with everything in it.`,
    });
    if (!isBan && user.item[membershipEndedAttribute] !== undefined)
      terminal.print(
        `${namespace} was removed from the members. The deletion also deletes that removal. If a rule of the settings admits the person, use --ban.`,
      );
    await deleteAccount(service, user, {
      act: await operatorAct(service, "delete-account"),
      report: (line) => terminal.print(line),
      isBan,
    });
    terminal.print(`${namespace} is deleted.`);
    return true;
  },
});
