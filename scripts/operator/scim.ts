import { randomInt } from "node:crypto";
import { mapInParallel } from "../../functions/administration/accounts.ts";
import { lastIdentityOf, userIdOf } from "../../functions/people/accounts.ts";
import { provisionedNamesOf } from "../../functions/people/members.ts";
import { scimTokens, scimTokensMax } from "../../functions/scim/scim-tokens.ts";
import { users } from "../../functions/scim/user-store.ts";
import { keys } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import { transact } from "../../functions/table/table-writes.ts";
import { formatUtc, UsageError } from "./command.ts";
import { defineServiceCommand } from "./service.ts";
import { findAccounts } from "./table-reads.ts";

export const createScimTokenCommand = defineServiceCommand({
  usage: "scim-token create",
  summary: "creates a SCIM token, and shows it once",
  details: `
Your company's directory uses the token to provision people and groups at <base URL>/scim/v2. The first token turns SCIM on. To rotate, create a
second token, give it to the directory, and revoke the first. Reads the whole table, so that SCIM finds the accounts of people who signed
in before. If the command fails, run it again.`,
  async run({ service, action, print }) {
    if ((await scimTokens.list()).length >= scimTokensMax) throw tooMany();
    const { linked, unlinked } = await linkAccounts(service.scim);
    print(`Accounts that SCIM can find: ${linked}.`);
    if (unlinked > 0)
      print(
        `Accounts that SCIM can find only after their next sign-in: ${unlinked}. Revoke their tokens if that is too late.`,
      );
    const created = await scimTokens.create(await action("create-scim-token"), randomInt);
    if (created === undefined) throw tooMany();
    print(`Address: ${service.baseUrl}/scim/v2`);
    print(`Token ${created.token.id}: ${created.plaintext}`);
    print("The token is not shown again.");
  },
});

export const listScimTokensCommand = defineServiceCommand({
  usage: "scim-token list",
  summary: "lists the SCIM tokens by their ids",
  details: "Without a token, SCIM is off.",
  async run({ printAll }) {
    const all = await scimTokens.list();
    const rows = all.map(({ id, createdAtMs }) => [id, `created ${formatUtc(createdAtMs)}`]);
    printAll(rows, `SCIM tokens: ${all.length}.${all.length === 0 ? " SCIM is off." : ""}`);
  },
});

export const revokeScimTokenCommand = defineServiceCommand({
  usage: "scim-token revoke <id>",
  summary: "revokes a SCIM token",
  details: `
scim-token list prints the ids. The token is refused from the next request on. Without a token, SCIM is off, and people keep their state.
Anyone who was deactivated cannot sign in before a directory activates them again.`,
  async run({ word, action, print }) {
    const isRevoked = await scimTokens.revoke(word, await action("revoke-scim-token"));
    print(isRevoked ? `The SCIM token ${word} is revoked.` : `There is no SCIM token ${word}.`);
    return isRevoked;
  },
});

export const releaseScimUserCommand = defineServiceCommand({
  usage: "scim-user release <userName>",
  summary: "links a SCIM user to the next person who signs in with its user name",
  details: `
A userName without an at sign belongs to the first person who signs in with it. Another person with the same userName gets no groups, and
the audit trail records scim-name-taken. Run this command if the other person is the right one, for example after getting a new account at
the identity provider. The first person loses the user's groups at once. A userName with an at sign belongs to the verified address, and
needs no release.`,
  async run({ word, action, print }) {
    const user = await users.findByName({ kind: "userName", value: word });
    if (user === undefined) throw new UsageError(`There is no SCIM user with the userName ${word}.`);
    await users.release(user.id, await action("release-scim-user"));
    print(`The SCIM user ${user.id} belongs to the next person who signs in as ${user.userName}.`);
  },
});

function tooMany(): UsageError {
  return new UsageError(`There are ${scimTokensMax} SCIM tokens, which is the maximum. Revoke one first.`);
}

/** Links accounts to the names by which SCIM finds them. Skips people whose claim (setting `scim`) is not stored before a sign-in. */
async function linkAccounts(setting: string | undefined): Promise<{ linked: number; unlinked: number }> {
  const needsClaim = setting !== undefined && (JSON.parse(setting) as { claim?: string }).claim !== undefined;
  const found = await findAccounts(" AND attribute_not_exists(deletingAtMs)", true);
  const isKnown = (account: Item) => !needsClaim || lastIdentityOf(account).provisionedNames !== undefined;
  const unlinked = found.filter((account) => account.provisionedAs === undefined);
  await mapInParallel(unlinked.filter(isKnown), async (account) => {
    const values = { ":account": new Set([userIdOf(account)]) };
    for (const name of provisionedNamesOf(lastIdentityOf(account)))
      await transact([{ key: keys.provisionedName(name), update: "ADD accounts :account", values }]);
  });
  const left = unlinked.filter((account) => !isKnown(account)).length;
  return { linked: found.length - left, unlinked: left };
}
