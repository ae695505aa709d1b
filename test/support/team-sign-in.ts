import { expect } from "vitest";
import { routes } from "../../functions/routes.ts";
import type { TokenScope } from "../../functions/table/identifiers.ts";
import { ApiClient } from "./client.ts";
import type { ReaderFacts } from "./reader.ts";
import { continueToProvider, pollSignIn, startSignIn } from "./sign-in.ts";
import { type Visit, Visitor } from "./visitor.ts";

/** The whole sign-in of a person who chooses a team, by their user name or by all that the provider says of them. */
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

/** Chooses an account on the page between the identity provider and the confirmation: a team, or one's own by an empty text. */
export async function chooseAccount(visitor: Visitor, choice: Visit, account: string): Promise<Visit> {
  expect(choice.response.text).toContain(`action="${routes["choose-account"].path}"`);
  return visitor.submit(choice, { account });
}
