import { patterns } from "../../../functions/http/schemas.ts";
import type { Act } from "../../../functions/table/audit.ts";
import type { Token } from "../../../functions/table/identifiers.ts";
import { ranges } from "../../../functions/table/keys.ts";
import { queryAll } from "../../../functions/table/table.ts";
import { expiryOf, tokens } from "../../../functions/table/tokens.ts";
import { type Command, onlyWord, textOption, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { momentOf, quote, type Terminal } from "../terminal.ts";
import { findUser } from "../users.ts";

/** `tokens <user>` */
export const tokensCommand: Command = {
  usage: `<user id or namespace> [--revoke <token id> | --revoke-all] ${serviceUsage}`,
  summary: "lists the API tokens of an account, and revokes one or all of them",
  help: `
Of each token: its id, when it was made, last used and stops being good (the setting tokenDaysMax), and the name that its agent gave. The token itself is known to its
agent alone. One that is revoked is refused from its next call on, and nothing brings it back: the person may sign in again
for another. Where nobody is to do that, suspend the account instead.

  --revoke <id>    revokes the token with this id
  --revoke-all     revokes every token that there is, those that are made meanwhile too${serviceHelp}`,
  options: { ...serviceOptions, revoke: { type: "string" }, "revoke-all": { type: "boolean" } },
  async run(input, terminal) {
    const name = onlyWord(input, "account");
    const id = textOption(input, "revoke");
    if (input.options.revoke === "") throw new UsageError("Say which token: --revoke <token id>.");
    if (id !== undefined && input.options["revoke-all"] === true)
      throw new UsageError("Say --revoke <token id> or --revoke-all, not both.");
    const service = await openService(input);
    const { userId, namespace } = await findUser(name);
    if (id === undefined && input.options["revoke-all"] !== true)
      return list({ userId, namespace }, terminal);
    const act = await operatorAct(service, "revoke-token");
    return id === undefined
      ? revokeAll({ userId, namespace, act }, terminal)
      : revokeOne({ userId, namespace, act, id }, terminal);
  },
};

interface Owner {
  readonly userId: string;
  readonly namespace: string;
}

/** Whose tokens are to go, and what the audit trail says of each. */
interface Revocation extends Owner {
  readonly act: Act;
}

async function list({ userId, namespace }: Owner, terminal: Terminal): Promise<boolean> {
  const found = await tokens.list(userId);
  for (const token of found) terminal.print(describeToken(token));
  terminal.print(`Tokens of ${namespace}: ${found.length}.`);
  return true;
}

function describeToken(token: Token): string {
  const { id, label, createdAtMs, lastUsedAtMs } = token;
  const end = expiryOf(token);
  return [
    id,
    `made ${momentOf(createdAtMs)}`,
    `last used ${momentOf(lastUsedAtMs)}`,
    ...(end === undefined ? [] : [`expires ${momentOf(end)}`]),
    label === null ? "no name" : quote(label),
  ].join("  ");
}

async function revokeOne({ userId, namespace, act, id }: Revocation & { id: string }, terminal: Terminal) {
  const isRevoked = patterns.tokenId.test(id) && (await tokens.revoke(userId, id, act));
  terminal.print(
    isRevoked
      ? `The token ${id} of ${namespace} is revoked.`
      : `${namespace} has no token with the id ${quote(id)}: never had, or not any more.`,
  );
  return isRevoked;
}

async function revokeAll({ userId, namespace, act }: Revocation, terminal: Terminal): Promise<boolean> {
  terminal.print(`Tokens of ${namespace} revoked: ${await revokeAllTokens(userId, act)}.`);
  return true;
}

/**
 * Revokes every token of an account, those that are made meanwhile too; how many there were. By the rows, which are there
 * for as long as their tokens; one that was made meanwhile is in the next round.
 */
export async function revokeAllTokens(userId: string, act: Act): Promise<number> {
  for (let count = 0; ; ) {
    const ids = (await queryAll(ranges.tokenRows(userId))).map(({ sk }) => String(sk).slice("TOKEN#".length));
    if (ids.length === 0) return count;
    for (const id of ids) if (await tokens.revoke(userId, id, act)) count += 1;
  }
}
