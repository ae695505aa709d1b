import { mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import writeFileAtomic from "write-file-atomic";
import { type ClientConfiguration, clientConfigurations } from "../connect/client-configurations.ts";
import { entryName } from "../connect/edit-configuration.ts";
import { readIfPresent } from "../json-file.ts";
import { exitCodes, Problem } from "../problem.ts";
import { findServiceAddress, type ServiceOption } from "../service/select-service.ts";
import { confirm } from "../terminal/dialog.ts";
import { type Line, type Output, styled, writeNote, writeResult } from "../terminal/output.ts";

interface ConnectOptions extends ServiceOption {
  readonly undo?: true;
  readonly yes?: true;
  readonly dryRun?: true;
}

/** Adds the service to the configuration of an MCP client, after showing the change. `--undo` removes the entry. */
export async function connect(name: string, options: ConnectOptions, output: Output): Promise<void> {
  const client = findConfiguration(name);
  const url = options.undo ? undefined : `${await findAddress(options.service)}/mcp`;
  const path = await realpath(client.path()).catch(() => client.path());
  const read = async () => (await readIfPresent(path))?.toString() ?? "";
  const before = await read();
  const after = client.edit(before, url, path);
  const result = { client: name, file: path, url: url ?? null };
  const writeUnchanged = (line: string) => writeResult(output, { ...result, changed: false }, [line]);
  if (after === before)
    return writeUnchanged(`${path} has ${url === undefined ? "no entry" : "this entry"} already.`);
  writeNote(path, ...describeChange(before, after));
  if (options.dryRun) return writeUnchanged("Nothing was written (--dry-run).");
  if (!options.yes)
    await confirm(output, "Write this change?", {
      otherwise: "Can't ask for confirmation here. Nothing was written. Add --yes",
      refusal: "Nothing was written.",
    });
  if ((await read()) !== before)
    throw new Problem(`Another program has changed ${path} in the meantime. Try again.`);
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, after);
  const next = options.undo ? `${client.title} no longer has the entry "${entryName}".` : client.next;
  writeResult(output, { ...result, changed: true }, [`Written. ${next}`]);
}

function findConfiguration(name: string): ClientConfiguration {
  const client = Object.hasOwn(clientConfigurations, name) ? clientConfigurations[name] : undefined;
  if (client !== undefined) return client;
  const known = Object.keys(clientConfigurations).join(", ");
  throw new Problem(`${JSON.stringify(name)} is an unknown client. Choose one of: ${known}`, exitCodes.usage);
}

async function findAddress(service: string | undefined): Promise<string> {
  const address = await findServiceAddress(service);
  if (address !== undefined) return address;
  throw new Problem("Which service? dropleaf connect <client> --service <address>", exitCodes.usage);
}

/** Returns the lines that differ, without the common beginning and end. */
function describeChange(before: string, after: string): Line[] {
  const [old, changed] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < Math.min(old.length, changed.length) && old[start] === changed[start]) start++;
  let end = 0;
  const shared = Math.min(old.length, changed.length) - start;
  while (end < shared && old.at(-1 - end) === changed.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end).filter((line) => before !== "" || line !== "");
  return [
    ...removed.map((line) => styled("red", `- ${line}`)),
    ...changed.slice(start, changed.length - end).map((line) => styled("green", `+ ${line}`)),
  ];
}
