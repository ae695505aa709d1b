/** `npm run operator -- <command>`: the tools for who runs a Dropleaf. */
import { parseArgs } from "node:util";
import { type Command, UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

process.exitCode = await main(process.argv.slice(2), processTerminal);

async function main([name = "", ...words]: string[], terminal: Terminal): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    terminal.print(overview());
    return name === "" || name === "help" || name === "--help" ? 0 : 2;
  }
  try {
    return (await run(name, command, words, terminal)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Our own errors say what to do; of any other, the stack is what helps.
    console.error(error.constructor === Error || error instanceof UsageError ? error.message : error);
    if (error instanceof UsageError) console.error(usageOf(name, command));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(name: string, command: Command, words: string[], terminal: Terminal): Promise<boolean> {
  const { values, positionals } = parse(command, words);
  if (values.help) {
    terminal.print(`${usageOf(name, command)}\n${command.help}`);
    return true;
  }
  return command.run({ words: positionals, options: values }, terminal);
}

function parse({ options }: Command, args: string[]) {
  try {
    return parseArgs({
      args,
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    }) as { values: Record<string, string | boolean | undefined>; positionals: string[] };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function usageOf(name: string, { usage }: Command): string {
  return `npm run operator -- ${name} ${usage}`;
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map(({ length }) => length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `npm run operator -- <command>\n\n${lines.join("\n")}\n\nnpm run operator -- <command> --help says more.`;
}
