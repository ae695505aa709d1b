import { membershipEndedAttribute } from "../../../functions/identity/accounts.ts";
import { recoveryDays } from "../../../lib/retention.ts";
import { type Command, confirmByName, onlyWord } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { findUser } from "../users.ts";
import { deleteAccount } from "./account-deletion.ts";

/** `delete-account <user>` */
export const deleteAccountCommand: Command = {
  usage: `<user id or namespace> [--ban] ${serviceUsage}`,
  summary: "deletes an account and everything of it",
  help: `
First nobody can sign in to the account any more, and its tokens are gone; then its drops with all versions, its files,
and the account itself. Should it end half-way, run it again: it goes on where it was.

The namespace and the slugs stay reserved for good. The person may sign in again, and gets an account of a new name, unless
they were banned before, or are with --ban: then what stays is that the identity at the provider is banned.
Pages and files are deleted with all versions that S3 keeps of them; of drops that were deleted before, it keeps the pages
until ${recoveryDays} days after that. Backups keep the table's items for ${recoveryDays} days more; device codes expire in a day. Export the
account first where someone may ask for it: nothing brings its pages back.

  --ban            bans the person, too (unban lifts that, by the same namespace)
  --yes            does not ask${serviceHelp}`,
  options: { ...serviceOptions, ban: { type: "boolean" }, yes: { type: "boolean" } },
  async run(input, terminal) {
    const name = onlyWord(input, "account");
    const service = await openService(input);
    const user = await findUser(name);
    const { namespace, userId, isBeingDeleted } = user;
    await confirmByName(terminal, {
      name: namespace,
      isSure: input.options.yes === true,
      warning: isBeingDeleted
        ? `The deletion of ${namespace} (${userId}) had begun, and goes on.`
        : `The account ${namespace} (${userId}) will be deleted with everything of it.`,
    });
    const isBan = input.options.ban === true;
    if (!isBan && user.item[membershipEndedAttribute] !== undefined)
      terminal.print(
        `${namespace} was removed from the members. That ends with the account: where a rule lets them in, delete with --ban.`,
      );
    await deleteAccount(service, user, {
      act: await operatorAct(service, "delete-account"),
      tell: (line) => terminal.print(line),
      isBan,
    });
    terminal.print(`${namespace} is deleted.`);
    return true;
  },
};
