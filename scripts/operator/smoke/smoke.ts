import { limits } from "../../../functions/platform/limits.ts";
import { type Command, type CommandInput, textOption, UsageError } from "../command.ts";
import { openService, serviceHelp, serviceOptions } from "../service.ts";
import type { Terminal } from "../terminal.ts";
import { SmokeClient } from "./smoke-client.ts";
import { signInAsHuman } from "./smoke-sign-in.ts";
import { runSteps } from "./smoke-steps.ts";

/** `smoke [<address>]` */
export const smokeCommand: Command = {
  usage: "(<address> | --stack <name> | --local <data folder>)",
  summary: "tries a deployed service: sign in, publish, read, upload, delete",
  help: `
Does what a user does, at the public address, and says what worked and how long it took. Prints an address where you sign
in, unless a token is given. Deletes what it made, and revokes the token that it got.

  <address>        such as https://drops.example.com; or --stack or --local, whose address it is then
  --token <token>  an API token, to do without signing in
  --file-bytes <n> the size of the uploaded file (${limits.blobBytesMax}, the largest there may be); what one request
                   does not take goes in steps${serviceHelp}`,
  options: { ...serviceOptions, token: { type: "string" }, "file-bytes": { type: "string" } },
  async run(input, terminal) {
    const fileBytes = parseFileBytes(textOption(input, "file-bytes"));
    const client = new SmokeClient(await findAddress(input), textOption(input, "token"));
    const tokenId = client.token === undefined ? await signInAsHuman(client, terminal) : undefined;
    const isWell = await runSteps(client, fileBytes, terminal);
    if (tokenId !== undefined) await revoke(client, tokenId, terminal);
    terminal.print(isWell ? "All is well." : "Something is wrong.");
    return isWell;
  },
};

async function findAddress(input: CommandInput): Promise<string> {
  const [address, ...others] = input.words;
  if (others.length > 0) throw new UsageError("One address at a time.");
  if (address === undefined) return (await openService(input)).baseUrl;
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return new URL(address).origin;
  throw new UsageError(`${JSON.stringify(address)} is no address, such as https://drops.example.com.`);
}

function parseFileBytes(text = String(limits.blobBytesMax)): number {
  const bytes = Number(text);
  if (Number.isInteger(bytes) && bytes >= 1 && bytes <= limits.blobBytesMax) return bytes;
  throw new UsageError(`--file-bytes is ${text}: write a whole number from 1 to ${limits.blobBytesMax}.`);
}

async function revoke(client: SmokeClient, tokenId: string, terminal: Terminal): Promise<void> {
  await client.call("DELETE", `/api/tokens/${tokenId}`, { status: 204 });
  terminal.print("The token is revoked.");
}
