import { limits } from "../../../functions/core/limits.ts";
import { defineCommand, UsageError, withInterruption } from "../command.ts";
import { openService, serviceOptions } from "../service.ts";
import { removeFiles, removePages, tryFile, tryPage } from "./page-steps.ts";
import { revokeToken, SmokeClient, signIn } from "./smoke-client.ts";
import { Steps } from "./steps.ts";

const interruptionAdvice = "deleting what the test created. A second Ctrl-C skips this.";

export const smokeCommand = defineCommand({
  usage: "smoke [<address>]",
  summary: "tests a deployed service: sign in, publish, read, render, lock, upload, delete",
  details: `
Choose the service by its <address>, such as https://drops.example.com, or with --stack or --local. Without --token, it prints an address at
which you sign in. Deletes what it created and revokes its token, also after a failure or Ctrl-C. Prints a report without hosts, people or
tokens. Exits with 1 if a step failed.`,
  options: {
    ...serviceOptions,
    "token <token>": "an API token to use instead of a sign-in",
    "file-bytes <n>": `the size of the uploaded file (${limits.blobBytesMax}, the maximum)`,
  },
  async run({ words: [word], options }, terminal) {
    const text = options["file-bytes"] ?? String(limits.blobBytesMax);
    const fileBytes = Number(text);
    if (!(Number.isInteger(fileBytes) && fileBytes >= 1 && fileBytes <= limits.blobBytesMax))
      throw new UsageError(`--file-bytes is ${text}. Use an integer from 1 to ${limits.blobBytesMax}.`);
    const address = word === undefined ? (await openService(options)).baseUrl : parseAddress(word);
    const regionOfStack = options.local ? "local" : process.env.AWS_REGION;
    const client = new SmokeClient(address, options.token);
    const steps = await withInterruption(terminal, interruptionAdvice, async (signal) => {
      const begun = new Steps(terminal, signal, client);
      await tryService(begun, fileBytes);
      return begun;
    });
    const report = await steps.describe(word === undefined ? regionOfStack : undefined);
    terminal.print("\nReport, without hosts, people or tokens:\n");
    for (const line of report.split("\n")) terminal.print(line.trimEnd());
    terminal.print(`\n${steps.isWell ? "All steps passed." : "A step failed."}`);
    return steps.isWell;
  },
});

async function tryService(steps: Steps, fileBytes: number): Promise<void> {
  const { client, terminal, signal, run } = steps;
  const isGiven = client.token !== undefined;
  if (!isGiven) await steps.take("sign in", () => signIn(client, terminal, signal));
  if (client.token === undefined) return;
  await tryPage(steps);
  await tryFile(steps, fileBytes);
  await steps.takeAnyhow("delete what is left", async () => {
    await removePages(client, run);
    await removeFiles(client, run);
  });
  if (!isGiven) await steps.takeAnyhow("revoke the token", () => revokeToken(client));
}

function parseAddress(word: string): string {
  if (URL.canParse(word) && /^https?:$/.test(new URL(word).protocol)) return new URL(word).origin;
  throw new UsageError(
    `${JSON.stringify(word)} is not an address. Use one such as https://drops.example.com.`,
  );
}
