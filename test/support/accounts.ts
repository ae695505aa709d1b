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

/** A person without drops, signed in: one whom the service has not met, or the owner of a given token. */
export async function newAccount(name = "person"): Promise<Account> {
  if (hasGivenTokens()) return emptiedAccount();
  const username = unusedUsername(name);
  const { token, userId } = await quickSignIn(username);
  return { username, userId, api: new ApiClient(token) };
}

/** Another token of the same person: write limits are a token's own. */
export async function anotherToken(
  { username, userId }: Account,
  label?: string,
  scope?: TokenScope,
): Promise<ApiClient> {
  if (hasGivenTokens()) return new ApiClient(await withFreshMinute(await takeGivenToken(userId)));
  const { token } = await quickSignIn(username, label, scope);
  return new ApiClient(token);
}

/** A team that a person creates and owns. */
export function newTeam(
  owner: Account,
  more: { readonly owners?: readonly string[]; readonly editors?: readonly string[] } = {},
): Promise<TeamResponse> {
  return owner.api.succeed("create-team", { body: { namespace: unusedUsername("team"), ...more } });
}

/** Publishes a page that says what it is; any field can be given. */
export function publish(
  api: ApiClient,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<DropResponse> {
  return api.succeed("publish-drop", { body: { html: pageOf("one"), title: "A page", ...fields } });
}

/** A small complete page around a text. */
export function pageOf(text: string): string {
  return `<!doctype html>\n<html lang="en"><head><title>${text}</title></head><body><p>${text}</p></body></html>\n`;
}

/** The way of a person is what the tests of sign-in go. */
async function quickSignIn(
  username: string,
  label?: string,
  scope?: TokenScope,
): Promise<{ token: string; userId: string }> {
  if (inject("signsInBehind") !== true) return signIn(username, label, scope);
  // Late: these tests know nothing else of what is behind the service.
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

/** Another test file may have spent the token's minute: writes are waited for until it is surely over. */
async function withFreshMinute({ token }: GivenToken): Promise<string> {
  await setTimeout(61_000);
  return token;
}
