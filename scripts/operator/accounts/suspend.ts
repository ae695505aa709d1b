import { type AccountRow, isBanned, listFiles } from "../../../functions/administration/accounts.ts";
import {
  banIdentity,
  endSessions,
  suspendAccount,
  unbanIdentity,
  unsuspendAccount,
} from "../../../functions/administration/suspension.ts";
import { folderHostUrl } from "../../../functions/drops/presenter.ts";
import { drops } from "../../../functions/drops/store.ts";
import { blobUrl, dropUrl, ownerUrl, rawUrl } from "../../../functions/http/site.ts";
import { UsageError, yesOption } from "../command.ts";
import { defineServiceCommand, type Service, type Work } from "../service.ts";
import { findUser, nameOfUser } from "../table-reads.ts";
import { waitUntilGone } from "../takedown.ts";

/** Maximum number of checked drops, and of files. A sample is enough, because one invalidation covers all addresses. */
const addressesOfEachKindMax = 20;

export const suspendCommand = defineServiceCommand({
  usage: "suspend <account>",
  summary: "suspends an account: nothing in it can be read or changed until you run unsuspend",
  details: `
Requests with the account's tokens return \`forbidden\` and the contact from the setting securityContact. The account's person cannot sign
in. The account's pages, files and public page respond 404 for everyone. Nothing is deleted. Waits until CloudFront's cache is invalidated,
and checks up to ${addressesOfEachKindMax} pages and files. If the command fails, run it again.`,
  options: { yes: yesOption },
  async run(work) {
    const user = await findUser(work.word);
    const warning = `The account ${nameOfUser(user)} will be suspended with everything in it.`;
    await work.confirm(user.namespace, warning);
    return suspend(work, user);
  },
});

export const unsuspendCommand = defineServiceCommand({
  usage: "unsuspend <account>",
  summary: "lifts a suspension",
  details: `
Tokens, pages, files and the public page work again at once. Unban a banned person first. If the command fails, the account is still
suspended. Run it again.`,
  async run({ word, service, action, print }) {
    const user = await findUser(word);
    const { namespace, isSuspended } = user;
    if (!isSuspended) return print(`${namespace} is not suspended.`);
    if (await isBanned(user)) throw new UsageError(`${namespace} is banned. Run unban first.`);
    await unsuspendAccount(user, await action("unsuspend"), { ...service, report: print });
    print(`${namespace} is no longer suspended.`);
  },
});

export const banCommand = defineServiceCommand({
  usage: "ban <account>",
  summary: "suspends an account and bans its person from signing in",
  details: `
The person's identity at the provider is refused at every sign-in, even after the account is deleted. The account is also suspended. To ban
the person and delete the account at once, run delete-account --ban.`,
  options: { yes: yesOption },
  async run(work) {
    const user = await findUser(work.word);
    const { id, provider } = user.identity;
    const warning = `The account ${nameOfUser(user)} will be suspended with everything in it, and its person will be banned.`;
    await work.confirm(user.namespace, warning);
    // Bans first, so that a concurrent sign-in finds either the ban or the suspension.
    await banIdentity(user, await work.action("ban"));
    work.print(`Banned: ${JSON.stringify(id)} of ${provider}.`);
    return suspend(work, user);
  },
});

export const unbanCommand = defineServiceCommand({
  usage: "unban <account>",
  summary: "lets a banned person sign in again",
  details: `
The account stays suspended until you run unsuspend. If the account was deleted, use its namespace. The person then gets a new account at
the next sign-in.`,
  async run({ word, action, print }) {
    const { isLifted, account } = await unbanIdentity(word, await action("unban"));
    print(`${word} is ${isLifted ? "no longer banned" : "not banned"}.`);
    if (account === undefined) print("The account is deleted. The next sign-in creates a new account.");
    if (account?.isSuspended)
      print(`The account is still suspended. To lift the suspension, run: unsuspend ${account.namespace}`);
  },
});

export const signOutCommand = defineServiceCommand({
  usage: "sign-out <account>",
  summary: "ends all browser sessions of an account's person",
  details: `
The person must sign in again in each browser. Tokens keep working. To revoke them, run tokens --revoke-all.`,
  async run({ word, action, print }) {
    const user = await findUser(word);
    await endSessions(user, await action("end-sessions"));
    print(`${user.namespace} is signed out of every browser.`);
  },
});

/** Suspends an account, and waits until the edge cache is invalidated. Resolves to false if the invalidation takes too long. */
export async function suspend({ service, action, print }: Work, user: AccountRow): Promise<boolean> {
  await suspendAccount(user, await action("suspend"), { ...service, report: print });
  const addresses = await publicAddresses(service, user);
  const isGone = await waitUntilGone(addresses, print);
  if (isGone) print(`${user.namespace} is suspended: ${addresses.length} of its addresses respond 404.`);
  return isGone;
}

/** Lists the addresses of the public page, and of the latest drops and files. */
async function publicAddresses(service: Service, { userId, namespace }: AccountRow): Promise<string[]> {
  const shown = (await drops.list(userId)).sort((one, other) => other.updatedAtMs - one.updatedAtMs);
  const files = (await listFiles(userId)).sort((one, other) => other.createdAtMs - one.createdAtMs);
  const ofDrops = shown.slice(0, addressesOfEachKindMax).flatMap((drop) => {
    const { slug, latest, namespace: at } = drop;
    const pinned = folderHostUrl(service, drop, latest, { version: latest.version });
    return [dropUrl(service, at, slug), `${rawUrl(service, at, slug)}?v=${latest.version}`, pinned ?? []];
  });
  const ofFiles = files
    .slice(0, addressesOfEachKindMax)
    .map((file) => blobUrl(service, file.namespace, file.id));
  return [ownerUrl(service, namespace), ...ofDrops, ...ofFiles].flat();
}
