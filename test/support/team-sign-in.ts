import { expect } from "vitest";
import { routes } from "../../functions/routes.ts";
import type { TokenScope } from "../../functions/table/identifiers.ts";
import { ApiClient } from "./client.ts";
import type { ReaderFacts } from "./reader.ts";
import { continueToProvider, pollSignIn, startSignIn } from "./sign-in.ts";
import { type Visit, Visitor } from "./visitor.ts";

/** Runs the whole sign-in of a person who chooses a team, given a user name or the provider's full profile. */
export async function teamToken(
  person: string | ReaderFacts,
  namespace: string,
  scope?: TokenScope,
): Promise<ApiClient> {
  const visitor = new Visitor();
  const start = await startSignIn(undefined, scope);
  const facts = typeof person === "string" ? { username: person } : person;
  const choice = await visitor.submit(await continueToProvider(visitor, start), { ...facts });
  await chooseAccount(visitor, choice, namespace);
  const { api_token: token } = await pollSignIn(start.poll_token);
  expect(token).toBeDefined();
  return new ApiClient(token);
}

/** Chooses an account between the provider and the confirmation: a team, or with an empty text one's own account. */
export async function chooseAccount(visitor: Visitor, choice: Visit, account: string): Promise<Visit> {
  expect(choice.response.text).toContain(`action="${routes["choose-account"].path}"`);
  return visitor.submit(choice, { account });
}
