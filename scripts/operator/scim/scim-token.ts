import { randomInt } from "node:crypto";
import { scimTokens, scimTokensMax } from "../../../functions/scim/scim-tokens.ts";
import { defineCommand, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceOptions } from "../service.ts";
import { formatUtc } from "../terminal.ts";
import { linkAccounts } from "./account-links.ts";

/** `scim-token create` */
export const createScimTokenCommand = defineCommand({
  name: "scim-token create",
  summary: "creates a SCIM token, and shows it once",
  details: `
The directory of your company uses the token to provision people and groups at <base URL>/scim/v2. The first token turns SCIM on. Only the
SHA-256 of a token is stored. To rotate, create a second token, give it to the directory, and revoke the first. Reads the whole table, so
that SCIM finds the accounts of people who signed in before. If it fails on the way, run it again.`,
  options: serviceOptions,
  async run({ options }, terminal) {
    const service = await openService(options);
    if ((await scimTokens.list()).length >= scimTokensMax) throw tooMany();
    const { linked, left } = await linkAccounts(service.scim);
    terminal.print(`Accounts that SCIM can find: ${linked}.`);
    if (left > 0)
      terminal.print(
        `Accounts that SCIM can find only after their next sign-in: ${left}. Revoke their tokens if that is too late.`,
      );
    const created = await scimTokens.create(await operatorAct(service, "create-scim-token"), randomInt);
    if (created === undefined) throw tooMany();
    terminal.print(`Address: ${service.baseUrl}/scim/v2`);
    terminal.print(`Token ${created.token.id}: ${created.plaintext}`);
    terminal.print("The token is not shown again.");
    return true;
  },
});

/** `scim-token list` */
export const listScimTokensCommand = defineCommand({
  name: "scim-token list",
  summary: "lists the SCIM tokens by their ids",
  details: "Prints the id of each token and when it was created. Without a token, SCIM is off.",
  options: serviceOptions,
  async run({ options }, terminal) {
    await openService(options);
    const all = await scimTokens.list();
    for (const { id, createdAtMs } of all) terminal.print(`${id}  created ${formatUtc(createdAtMs)}`);
    terminal.print(`SCIM tokens: ${all.length}.${all.length === 0 ? " SCIM is off." : ""}`);
    return true;
  },
});

/** `scim-token revoke <id>` */
export const revokeScimTokenCommand = defineCommand({
  name: "scim-token revoke",
  words: "<id>",
  summary: "revokes a SCIM token",
  details: `
<id> is the id that scim-token list prints. The token is refused from the next request on. Without a token, SCIM is off, and people stay
as SCIM left them: whoever was deactivated cannot sign in before a directory activates them again.`,
  options: serviceOptions,
  async run({ word, options }, terminal) {
    const service = await openService(options);
    const isRevoked = await scimTokens.revoke(word, await operatorAct(service, "revoke-scim-token"));
    terminal.print(isRevoked ? `The SCIM token ${word} is revoked.` : `There is no SCIM token ${word}.`);
    return isRevoked;
  },
});

function tooMany(): UsageError {
  return new UsageError(`There are ${scimTokensMax} SCIM tokens, the most there can be. Revoke one first.`);
}
