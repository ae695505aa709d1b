import { randomUUID } from "node:crypto";
import { limits } from "../../../functions/core/limits.ts";
import { defineCommand, UsageError } from "../command.ts";
import { withInterruption } from "../interruption.ts";
import { openService, type ServiceChoice, serviceOptions } from "../service.ts";
import type { Terminal } from "../terminal.ts";
import { removeFiles, tryFile } from "./file-steps.ts";
import { removePages, tryPage } from "./page-steps.ts";
import { SmokeClient } from "./smoke-client.ts";
import { describeRun } from "./smoke-report.ts";
import { revokeToken, signInAsHuman } from "./smoke-sign-in.ts";
import { Steps } from "./steps.ts";

const leftThere = "deleting what the test created. A second Ctrl-C leaves it there.";

/** `smoke` */
export const smokeCommand = defineCommand({
  name: "smoke",
  words: "[<address>]",
  summary: "tests a deployed service: sign in, publish, read, render, lock, upload, delete",
  details: `
<address> is such as https://drops.example.com; instead of it, name the service by --stack or --local. Prints an address at which you sign
in, unless you give a token, and prints each step with its duration. Deletes what it created and revokes its token, also after a failure
or Ctrl-C. Ends with a report without hosts, people or tokens, and with 1 if a step failed.`,
  options: {
    ...serviceOptions,
    token: { type: "string", value: "<token>", help: "an API token, so that nobody has to sign in" },
    "file-bytes": {
      type: "string",
      value: "<n>",
      help: `the size of the uploaded file (${limits.blobBytesMax}, the maximum)`,
    },
  },
  async run(input, terminal) {
    const fileBytes = parseFileBytes(input.options["file-bytes"]);
    const { address, region } = await findAddress(input.words[0], input.options);
    const startedAtMs = Date.now();
    const client = new SmokeClient(address, input.options.token);
    const steps = await withInterruption(terminal, leftThere, async (signal) => {
      const begun = new Steps(terminal, signal);
      await tryService(client, begun, fileBytes, terminal);
      return begun;
    });
    const report = await describeRun(client, steps, { region, startedAtMs });
    terminal.print("\nReport, without hosts, people or tokens:\n");
    for (const line of report.split("\n")) terminal.print(line.trimEnd());
    terminal.print(`\n${steps.isWell ? "All steps passed." : "A step failed."}`);
    return steps.isWell;
  },
});

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

/** Finds the address of the service, and its region if it is a stack. */
async function findAddress(
  word: string | undefined,
  options: ServiceChoice,
): Promise<{ readonly address: string; readonly region: string | undefined }> {
  if (word === undefined) {
    const { baseUrl } = await openService(options);
    return { address: baseUrl, region: options.local ? "local" : process.env.AWS_REGION };
  }
  if (URL.canParse(word) && /^https?:$/.test(new URL(word).protocol))
    return { address: new URL(word).origin, region: undefined };
  throw new UsageError(
    `${JSON.stringify(word)} is not an address. Use one such as https://drops.example.com.`,
  );
}

function parseFileBytes(text = String(limits.blobBytesMax)): number {
  const bytes = Number(text);
  if (Number.isInteger(bytes) && bytes >= 1 && bytes <= limits.blobBytesMax) return bytes;
  throw new UsageError(`--file-bytes is ${text}. Use an integer from 1 to ${limits.blobBytesMax}.`);
}
