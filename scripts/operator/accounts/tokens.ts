import { patterns } from "../../../functions/http/schemas.ts";
import type { Act } from "../../../functions/table/audit.ts";
import type { Token } from "../../../functions/table/identifiers.ts";
import { expiryOf, tokens } from "../../../functions/table/tokens.ts";
import { defineCommand, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceOptions } from "../service.ts";
import { formatUtc, quote, type Terminal } from "../terminal.ts";
import { findUser, type User } from "../users.ts";

/** `tokens <account>` */
export const tokensCommand = defineCommand({
  name: "tokens",
  words: "<account>",
  summary: "lists or revokes the API tokens of an account",
  details: `
<account> is a user id or a namespace. Prints for each token its id, when it was created and last used, when it expires (the setting
tokenDaysMax), and the label that its agent gave. A revoked token is refused from the next request on. The person can sign in for
another: to prevent that, suspend the account.`,
  options: {
    ...serviceOptions,
    revoke: { type: "string", value: "<token id>", help: "revokes one token" },
    "revoke-all": { type: "boolean", help: "revokes all tokens, and those that are created meanwhile" },
  },
  async run(input, terminal) {
    const { revoke: id, "revoke-all": isAll } = input.options;
    if (id !== undefined && isAll) throw new UsageError("Use --revoke <token id> or --revoke-all, not both.");
    const service = await openService(input.options);
    const user = await findUser(input.word);
    if (id === undefined && !isAll) return list(user, terminal);
    const act = await operatorAct(service, "revoke-token");
    return id === undefined ? revokeAll(user, act, terminal) : revokeOne(user, id, act, terminal);
  },
});

async function list({ userId, namespace }: User, terminal: Terminal): Promise<boolean> {
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
    `created ${formatUtc(createdAtMs)}`,
    `last used ${formatUtc(lastUsedAtMs)}`,
    ...(end === undefined ? [] : [`expires ${formatUtc(end)}`]),
    label === null ? "no label" : quote(label),
  ].join("  ");
}

async function revokeOne({ userId, namespace }: User, id: string, act: Act, terminal: Terminal) {
  const isRevoked = patterns.tokenId.test(id) && (await tokens.revoke(userId, id, act));
  terminal.print(
    isRevoked
      ? `The token ${id} of ${namespace} is revoked.`
      : `${namespace} has no token with the id ${quote(id)}. It may be revoked already.`,
  );
  return isRevoked;
}

async function revokeAll({ userId, namespace }: User, act: Act, terminal: Terminal): Promise<boolean> {
  terminal.print(`Tokens of ${namespace} revoked: ${await tokens.revokeAll(userId, act)}.`);
  return true;
}
