import { setTimeout } from "node:timers/promises";
import { inject } from "vitest";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import type { TokenScope } from "../../functions/table/identifiers.ts";
import type { TeamResponse } from "../../functions/teams/schemas.ts";
import { ApiClient } from "./client.ts";
import { type GivenToken, hasGivenTokens, takeGivenToken } from "./given-tokens.ts";
import { signIn, unusedUsername } from "./sign-in.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Creates accounts and tokens in storage, without a sign-in. @default - no */
    readonly signsInBehind?: boolean;
  }
}

/** A person with a token. */
export interface Account {
  readonly username: string;
  readonly userId: string;
  readonly api: ApiClient;
}

/** Returns a signed-in person without drops: a new account, or the emptied account of a given token. */
export async function newAccount(name = "person"): Promise<Account> {
  if (hasGivenTokens()) return emptiedAccount();
  const username = unusedUsername(name);
  const { token, userId } = await quickSignIn(username);
  return { username, userId, api: new ApiClient(token) };
}

/** Creates another token for the same person, because write limits count per token. */
export async function anotherToken(
  { username, userId }: Account,
  label?: string,
  scope?: TokenScope,
): Promise<ApiClient> {
  if (hasGivenTokens()) return new ApiClient(await withFreshMinute(await takeGivenToken(userId)));
  const { token } = await quickSignIn(username, label, scope);
  return new ApiClient(token);
}

/** Creates a team owned by a person. */
export function newTeam(
  owner: Account,
  more: { readonly owners?: readonly string[]; readonly editors?: readonly string[] } = {},
): Promise<TeamResponse> {
  return owner.api.succeed("create-team", { body: { namespace: unusedUsername("team"), ...more } });
}

/** Publishes a minimal page; any field can be overridden. */
export function publish(
  api: ApiClient,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<DropResponse> {
  return api.succeed("publish-drop", { body: { html: pageOf("one"), title: "A page", ...fields } });
}

/** Wraps a text in a small complete page. */
export function pageOf(text: string): string {
  return `<!doctype html>\n<html lang="en"><head><title>${text}</title></head><body><p>${text}</p></body></html>\n`;
}

/** Skips the real sign-in where the project allows it; the tests of sign-in cover the whole flow. */
async function quickSignIn(
  username: string,
  label?: string,
  scope?: TokenScope,
): Promise<{ token: string; userId: string }> {
  if (inject("signsInBehind") !== true) return signIn(username, label, scope);
  // Loaded late: these tests do not otherwise access the service's stores.
  const { givenSignIn } = await import("./given-sign-in.ts");
  return givenSignIn(username, label, scope);
}

async function emptiedAccount(): Promise<Account> {
  const given = await takeGivenToken();
  const api = new ApiClient(await withFreshMinute(given));
  const { drops } = await api.succeed("list-drops", { query: { pageSize: 200 } });
  for (const { slug } of drops) await api.succeed("delete-drop", { params: { slug } });
  await withFreshMinute(given);
  return { username: "given", userId: given.userId, api };
}

/** Waits until the token's rate-limit minute is over, because another test file may have used up its writes. */
async function withFreshMinute({ token }: GivenToken): Promise<string> {
  await setTimeout(61_000);
  return token;
}
