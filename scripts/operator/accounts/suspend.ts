import { toBlob } from "../../../functions/blobs/store.ts";
import { drops } from "../../../functions/drops/store.ts";
import { blobUrl, dropUrl, ownerUrl, rawUrl } from "../../../functions/http/site.ts";
import { ranges } from "../../../functions/table/keys.ts";
import { queryAll } from "../../../functions/table/table.ts";
import { type Command, type CommandInput, confirmByName, onlyWord, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { waitUntilGone } from "../takedown/takedown.ts";
import type { Terminal } from "../terminal.ts";
import { findUser, type User } from "../users.ts";
import { suspendAccount, unsuspendAccount } from "./account-suspension.ts";
import { banIdentity, isBanned, unbanIdentity } from "./bans.ts";

/** CloudFront has forgotten everything after a minute or two, mostly. */
const waitMsMax = 180_000;

/** All is forgotten by one invalidation: some addresses of each kind show it. */
const addressesOfEachKindMax = 20;

const usage = `<user id or namespace> ${serviceUsage}`;
const askingOptions = { ...serviceOptions, yes: { type: "boolean" } } as const;

/** `suspend <user>` */
export const suspendCommand: Command = {
  usage,
  summary: "suspends an account: nobody reads or changes anything of it, until unsuspend",
  help: `
Its agents are refused with forbidden, and told whom to ask (the setting securityContact); its person can sign in no more;
its pages, files and public page are not found, for everyone and at once. Nothing is deleted, and unsuspend brings all of it
back as it was. This waits until the edge has forgotten it: up to ${addressesOfEachKindMax} pages and files are looked at.

May be run again at any time: after a failure half-way it goes on where it was.

  --yes            does not ask${serviceHelp}`,
  options: askingOptions,
  async run(input, terminal) {
    const { service, user } = await openAccount(input);
    await confirmByName(terminal, {
      name: user.namespace,
      isSure: input.options.yes === true,
      warning: `The account ${user.namespace} (${user.userId}) will be suspended with everything of it.`,
    });
    return suspend(service, user, terminal);
  },
};

/** `unsuspend <user>` */
export const unsuspendCommand: Command = {
  usage,
  summary: "takes a suspension back: all is as it was before",
  help: `
Tokens, pages, files and the public page are good again at once, with nothing lost. Who is banned stays suspended: unban
first. May be run again: after a failure half-way the account is still suspended.
${serviceHelp}`,
  options: serviceOptions,
  async run(input, terminal) {
    const { service, user } = await openAccount(input);
    const { namespace, isSuspended } = user;
    if (!isSuspended) {
      terminal.print(`${namespace} is not suspended.`);
      return true;
    }
    if (await isBanned(user)) throw new UsageError(`${namespace} is banned: unban it first.`);
    await unsuspendAccount(service, user, {
      act: await operatorAct(service, "unsuspend"),
      tell: (line) => terminal.print(line),
    });
    terminal.print(`${namespace} is suspended no more.`);
    return true;
  },
};

/** `ban <user>` */
export const banCommand: Command = {
  usage,
  summary: "suspends an account, and bans its person from signing in again",
  help: `
The identity at the provider is banned: it is refused at every sign-in, also when the account is deleted afterwards, and no
other account is made for it. The account is suspended, as by suspend. Who is to be banned and deleted at once:
delete-account --ban.

  --yes            does not ask${serviceHelp}`,
  options: askingOptions,
  async run(input, terminal) {
    const { service, user } = await openAccount(input);
    const { namespace, userId, identity } = user;
    await confirmByName(terminal, {
      name: namespace,
      isSure: input.options.yes === true,
      warning: `The person of ${namespace} (${userId}) will be banned, and the account suspended with everything of it.`,
    });
    // First: a sign-in that is under way must find one or the other.
    await banIdentity(user, await operatorAct(service, "ban"));
    terminal.print(`Banned: ${JSON.stringify(identity.id)} of ${identity.provider}.`);
    return suspend(service, user, terminal);
  },
};

/** `unban <user>` */
export const unbanCommand: Command = {
  usage,
  summary: "lets someone who was banned sign in again",
  help: `
The account stays suspended: unsuspend it where that is meant, too. Where the account was deleted its namespace still leads to
the person, who gets a new account at the next sign-in.
${serviceHelp}`,
  options: serviceOptions,
  async run(input, terminal) {
    const name = onlyWord(input, "account");
    const service = await openService(input);
    const { isLifted, user } = await unbanIdentity(name, await operatorAct(service, "unban"));
    terminal.print(`${name} is ${isLifted ? "banned no more" : "not banned"}.`);
    if (user === undefined) terminal.print("The account is deleted: the next sign-in makes another.");
    if (user?.isSuspended) terminal.print(`The account is still suspended: unsuspend ${user.namespace}.`);
    return true;
  },
};

async function openAccount(input: CommandInput): Promise<{ service: Service; user: User }> {
  const name = onlyWord(input, "account");
  const service = await openService(input);
  return { service, user: await findUser(name) };
}

/** Suspends an account, tells it, and waits until the edge has forgotten it; whether it has. */
export async function suspend(service: Service, user: User, terminal: Terminal): Promise<boolean> {
  const { namespace } = user;
  await suspendAccount(service, user, {
    act: await operatorAct(service, "suspend"),
    tell: (line) => terminal.print(line),
  });
  const addresses = await publicAddresses(service, user);
  const left = await waitUntilGone(addresses, waitMsMax);
  for (const one of left) terminal.print(`Still to be seen at ${one}`);
  if (left.length === 0)
    terminal.print(`${namespace} is suspended: ${addresses.length} of its addresses answer 404.`);
  return left.length === 0;
}

/** The public page, and what was published last. */
async function publicAddresses(service: Service, { userId, namespace }: User): Promise<string[]> {
  const shown = (await drops.list(userId))
    .sort((one, other) => other.updatedAtMs - one.updatedAtMs)
    .slice(0, addressesOfEachKindMax);
  const files = (await queryAll(ranges.blobs(userId)))
    .map(toBlob)
    .sort((one, other) => other.createdAtMs - one.createdAtMs)
    .slice(0, addressesOfEachKindMax);
  return [
    ownerUrl(service, namespace),
    ...shown.flatMap(({ slug, latest, namespace: at }) => [
      dropUrl(service, at, slug),
      `${rawUrl(service, at, slug)}?v=${latest.version}`,
    ]),
    ...files.map(({ id, namespace: at }) => blobUrl(service, at, id)),
  ];
}
