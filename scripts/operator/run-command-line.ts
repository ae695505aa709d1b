import { parseArgs } from "node:util";
import { type Command, UsageError } from "./command.ts";
import { commands } from "./commands.ts";
import type { Terminal } from "./terminal.ts";

/** What a command line is run with. */
export interface CommandLine {
  /** What follows `npm run operator --`. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
  /** Takes what goes to the standard error: a message, or an error whose stack is what helps. */
  readonly complain: (problem: unknown) => void;
}

/** Runs a command line of `npm run operator`; the status that the process is to end with. */
export async function runCommandLine({ words: all, terminal, complain }: CommandLine): Promise<number> {
  const [name = "", ...words] = all;
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
    complain(error.constructor === Error || error instanceof UsageError ? error.message : error);
    if (error instanceof UsageError) complain(usageOf(name, command));
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
