import { chosenAccount } from "../service/chosen-account.ts";
import { Refusal } from "../service/client.ts";
import { revokeToken } from "../service/revoke-token.ts";
import { type ServiceOption, selectService } from "../service/select-service.ts";
import { findAccounts, forgetToken } from "../service/token-store.ts";
import { type Output, writeNote, writeResult } from "../terminal/output.ts";

/** Revokes the token at the service and removes it from this machine. */
export async function logout({ service }: ServiceOption, output: Output): Promise<void> {
  const client = await selectService(service);
  try {
    await revokeToken(client);
  } catch (error) {
    // A 401 means that the token is already revoked or expired.
    if (!(error instanceof Refusal && error.status === 401)) {
      writeNote("The token was not revoked, and stays on this machine. Try again.");
      throw error;
    }
  }
  const account = chosenAccount() ?? (await findAccounts(client.address)).current;
  await forgetToken(client.address, account);
  writeResult(output, { service: client.address }, [
    `Signed out of ${client.address}${account === undefined ? "" : ` as ${account}`}. The token is revoked.`,
  ]);
}
