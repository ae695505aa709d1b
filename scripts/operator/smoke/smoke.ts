import { randomUUID } from "node:crypto";
import { limits } from "../../../functions/http/limits.ts";
import { type Command, type CommandInput, textOption, UsageError } from "../command.ts";
import { withInterruption } from "../interruption.ts";
import { openService, serviceHelp, serviceOptions } from "../service.ts";
import type { Terminal } from "../terminal.ts";
import { removeFiles, tryFile } from "./file-steps.ts";
import { removePages, tryPage } from "./page-steps.ts";
import { SmokeClient } from "./smoke-client.ts";
import { describeRun } from "./smoke-report.ts";
import { revokeToken, signInAsHuman } from "./smoke-sign-in.ts";
import { Steps } from "./steps.ts";

const leftThere = "what was made is deleted first. A second Ctrl-C leaves it there.";

/** `smoke [<address>]` */
export const smokeCommand: Command = {
  usage: "(<address> | --stack <name> | --local <data folder>)",
  summary: "tries a deployed service: sign in, publish, read, render, wait, lock, upload, delete",
  help: `
Does what a user does, at the public address, and says what worked and how long it took. Prints an address where you sign
in, unless a token is given. Deletes what it made, and revokes the token that it got, also after a failure or Ctrl-C. Ends
with a report that can be sent to others: it names no host, no person and no token. Ends with 1 where anything failed.

  <address>        such as https://drops.example.com; or --stack or --local, whose address it is then
  --token <token>  an API token, to do without signing in
  --file-bytes <n> the size of the uploaded file (${limits.blobBytesMax}, the largest there may be); what one request
                   does not take goes in steps${serviceHelp}`,
  options: { ...serviceOptions, token: { type: "string" }, "file-bytes": { type: "string" } },
  async run(input, terminal) {
    const fileBytes = parseFileBytes(textOption(input, "file-bytes"));
    const { address, region } = await findAddress(input);
    const startedAtMs = Date.now();
    const client = new SmokeClient(address, textOption(input, "token"));
    const steps = await withInterruption(terminal, leftThere, async (signal) => {
      const begun = new Steps(terminal, signal);
      await tryService(client, begun, fileBytes, terminal);
      return begun;
    });
    const report = await describeRun(client, steps, { region, startedAtMs });
    terminal.print("\nReport. It names no host, no person and no token:\n");
    for (const line of report.split("\n")) terminal.print(line.trimEnd());
    terminal.print(`\n${steps.isWell ? "All is well." : "Something is wrong."}`);
    return steps.isWell;
  },
};

async function tryService(
  client: SmokeClient,
  steps: Steps,
  fileBytes: number,
  terminal: Terminal,
): Promise<void> {
  const isGiven = client.token !== undefined;
  const run = randomUUID();
  if (!isGiven) await steps.take("sign in", () => signInAsHuman(client, terminal, steps.signal));
  if (client.token === undefined) return;
  await tryPage(client, steps, run);
  await tryFile(client, steps, run, fileBytes);
  await steps.takeAnyhow("delete what is left", async () => {
    await removePages(client, run);
    await removeFiles(client, run);
  });
  if (!isGiven) await steps.takeAnyhow("revoke the token", () => revokeToken(client));
}

/** The address, and the region where a stack's name tells it. */
async function findAddress(
  input: CommandInput,
): Promise<{ readonly address: string; readonly region: string | undefined }> {
  const [word, ...others] = input.words;
  if (others.length > 0) throw new UsageError("One address at a time.");
  if (word === undefined) {
    const { baseUrl } = await openService(input);
    return { address: baseUrl, region: textOption(input, "local") ? "local" : process.env.AWS_REGION };
  }
  if (URL.canParse(word) && /^https?:$/.test(new URL(word).protocol))
    return { address: new URL(word).origin, region: undefined };
  throw new UsageError(`${JSON.stringify(word)} is no address, such as https://drops.example.com.`);
}

function parseFileBytes(text = String(limits.blobBytesMax)): number {
  const bytes = Number(text);
  if (Number.isInteger(bytes) && bytes >= 1 && bytes <= limits.blobBytesMax) return bytes;
  throw new UsageError(`--file-bytes is ${text}: write a whole number from 1 to ${limits.blobBytesMax}.`);
}
