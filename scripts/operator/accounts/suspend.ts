import { folderHostUrl } from "../../../functions/drops/raw-address.ts";
import { drops } from "../../../functions/drops/store.ts";
import { blobUrl, dropUrl, ownerUrl, rawUrl } from "../../../functions/http/site.ts";
import { confirmByName, defineCommand, UsageError, yesOption } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, type ServiceChoice, serviceOptions } from "../service.ts";
import { listFiles } from "../table-reads.ts";
import { waitUntilGone } from "../takedown/takedown.ts";
import type { Terminal } from "../terminal.ts";
import { findUser, type User } from "../users.ts";
import { suspendAccount, unsuspendAccount } from "./account-suspension.ts";
import { banIdentity, isBanned, unbanIdentity } from "./bans.ts";

/** One invalidation covers all addresses, so that some of each kind are enough. */
const addressesOfEachKindMax = 20;

const confirmedOptions = { ...serviceOptions, yes: yesOption } as const;

/** `suspend <account>` */
export const suspendCommand = defineCommand({
  name: "suspend",
  words: "<account>",
  summary: "suspends an account: nobody can read or change it until unsuspend",
  details: `
<account> is a user id or a namespace. Its tokens are refused with \`forbidden\` and the contact of the setting securityContact. Its person
cannot sign in. Its pages, files and public page answer 404, for everyone and at once. Nothing is deleted. This waits until CloudFront's
cache is invalidated, which it checks at up to ${addressesOfEachKindMax} pages and files. If it fails on the way, run it again: it continues.`,
  options: confirmedOptions,
  async run(input, terminal) {
    const { service, user } = await openAccount(input.word, input.options);
    await confirmByName(terminal, {
      name: user.namespace,
      isSure: input.options.yes,
      warning: `The account ${user.namespace} (${user.userId}) will be suspended with everything in it.`,
    });
    return suspend(service, user, terminal);
  },
});

/** `unsuspend <account>` */
export const unsuspendCommand = defineCommand({
  name: "unsuspend",
  words: "<account>",
  summary: "lifts a suspension",
  details: `
<account> is a user id or a namespace. Tokens, pages, files and the public page work again at once. Unban a banned person first.
If it fails on the way, the account is still suspended: run it again.`,
  options: serviceOptions,
  async run(input, terminal) {
    const { service, user } = await openAccount(input.word, input.options);
    const { namespace, isSuspended } = user;
    if (!isSuspended) {
      terminal.print(`${namespace} is not suspended.`);
      return true;
    }
    if (await isBanned(user)) throw new UsageError(`${namespace} is banned. Run unban first.`);
    await unsuspendAccount(service, user, {
      act: await operatorAct(service, "unsuspend"),
      report: (line) => terminal.print(line),
    });
    terminal.print(`${namespace} is no longer suspended.`);
    return true;
  },
});

/** `ban <account>` */
export const banCommand = defineCommand({
  name: "ban",
  words: "<account>",
  summary: "suspends an account and bans its person from signing in",
  details: `
<account> is a user id or a namespace. The service refuses the identity at the provider at every sign-in, and creates no other account
for it, even after the account is deleted. The account is suspended as by suspend. To ban and delete at once: delete-account --ban.`,
  options: confirmedOptions,
  async run(input, terminal) {
    const { service, user } = await openAccount(input.word, input.options);
    const { namespace, userId, identity } = user;
    await confirmByName(terminal, {
      name: namespace,
      isSure: input.options.yes,
      warning: `The person of ${namespace} (${userId}) will be banned, and the account suspended with everything in it.`,
    });
    // The ban comes first: a concurrent sign-in finds either the ban or the suspension.
    await banIdentity(user, await operatorAct(service, "ban"));
    terminal.print(`Banned: ${JSON.stringify(identity.id)} of ${identity.provider}.`);
    return suspend(service, user, terminal);
  },
});

/** `unban <account>` */
export const unbanCommand = defineCommand({
  name: "unban",
  words: "<account>",
  summary: "lets a banned person sign in again",
  details: `
<account> is a user id or a namespace. The account stays suspended: use unsuspend to lift that. If the account was deleted, name its
namespace: the person gets a new account at the next sign-in.`,
  options: serviceOptions,
  async run(input, terminal) {
    const name = input.word;
    const service = await openService(input.options);
    const { isLifted, user } = await unbanIdentity(name, await operatorAct(service, "unban"));
    terminal.print(`${name} is ${isLifted ? "no longer banned" : "not banned"}.`);
    if (user === undefined) terminal.print("The account is deleted. The next sign-in creates another.");
    if (user?.isSuspended)
      terminal.print(`The account is still suspended. To lift that: unsuspend ${user.namespace}`);
    return true;
  },
});

async function openAccount(name: string, options: ServiceChoice) {
  const service = await openService(options);
  return { service, user: await findUser(name) };
}

/** Suspends an account and waits for the invalidation of the edge cache. Resolves to false if it is not complete in time. */
export async function suspend(service: Service, user: User, terminal: Terminal): Promise<boolean> {
  const { namespace } = user;
  await suspendAccount(service, user, {
    act: await operatorAct(service, "suspend"),
    report: (line) => terminal.print(line),
  });
  const addresses = await publicAddresses(service, user);
  const isGone = await waitUntilGone(addresses, terminal);
  if (isGone) terminal.print(`${namespace} is suspended: ${addresses.length} of its addresses answer 404.`);
  return isGone;
}

/** Lists the public page and the latest drops and files. */
async function publicAddresses(service: Service, { userId, namespace }: User): Promise<string[]> {
  const shown = (await drops.list(userId))
    .sort((one, other) => other.updatedAtMs - one.updatedAtMs)
    .slice(0, addressesOfEachKindMax);
  const files = (await listFiles(userId))
    .sort((one, other) => other.createdAtMs - one.createdAtMs)
    .slice(0, addressesOfEachKindMax);
  return [
    ownerUrl(service, namespace),
    ...shown.flatMap((drop) => {
      const { slug, latest, namespace: at } = drop;
      const pinned = folderHostUrl(service, drop, latest, { version: latest.version });
      return [
        dropUrl(service, at, slug),
        `${rawUrl(service, at, slug)}?v=${latest.version}`,
        ...(pinned === undefined ? [] : [pinned]),
      ];
    }),
    ...files.map(({ id, namespace: at }) => blobUrl(service, at, id)),
  ];
}
