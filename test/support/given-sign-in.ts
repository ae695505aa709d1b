import { randomInt } from "node:crypto";
import { inject } from "vitest";
import { admit, storeIdentity } from "../../functions/identity/admission.ts";
import { accounts, type Identity } from "../../functions/people/accounts.ts";
import type { TokenScope } from "../../functions/table/identifiers.ts";
import { givenToken, openStores } from "../abuse/given-person.ts";
import { givenAct } from "./given-act.ts";

/**
 * Creates a token for a person at the local identity provider, stored as a sign-in stores it but without its dozen
 * requests. Signing in with that name in a browser opens the same account.
 */
export async function givenSignIn(
  username: string,
  label: string | null = null,
  scope: TokenScope = "all",
): Promise<{ readonly token: string; readonly userId: string }> {
  await openStores();
  const identity = identityOf(username);
  const [admission, { userId }] = await Promise.all([
    admit(identity, givenAct()),
    accounts.findOrCreate(identity, randomInt, givenAct()),
  ]);
  if (!admission.isMember) throw new Error(`${username} may not publish here.`);
  const together = [...storeIdentity(userId, admission.identity), ...admission.conditions];
  return { token: await givenToken(userId, { label, scope, together }), userId };
}

/** Returns the identity that local/identity-provider has for a name. */
function identityOf(username: string): Identity {
  const name = username.toLowerCase();
  const nothingElse = { emails: [], groups: [], organizations: [] };
  const provider = `http://localhost:${inject("servicePort") + 1}`;
  return { provider, id: Buffer.from(name).toString("base64url"), username: name, ...nothingElse };
}
