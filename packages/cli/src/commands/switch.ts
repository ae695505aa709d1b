import { notSignedInAs, requireServiceAddress, type ServiceOption } from "../service/select-service.ts";
import { findAccounts, switchAccount } from "../service/token-store.ts";
import { type Output, writeResult } from "../terminal/output.ts";

/** Sets the account that later commands act as: the user's own, or a team. Without a name, lists the accounts. */
export async function switchTo(
  name: string | undefined,
  { service }: ServiceOption,
  output: Output,
): Promise<void> {
  const address = await requireServiceAddress(service);
  const { names, current } = await findAccounts(address);
  if (name === undefined) {
    const lines = names.map((one) => (one === current ? `${one} (current)` : one));
    return writeResult(output, { service: address, accounts: names, current: current ?? null }, lines);
  }
  if (!names.includes(name)) throw notSignedInAs(address, name, names);
  await switchAccount(address, name);
  writeResult(output, { service: address, account: name }, [`You now publish to ${address} as ${name}.`]);
}
