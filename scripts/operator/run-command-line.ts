import { findSimilarName } from "../../functions/core/names.ts";
import type { Terminal } from "./command.ts";
import { type Command, UsageError, usageOf } from "./command.ts";
import { commands } from "./commands.ts";

/** The arguments and the output of a command line. */
export interface CommandLine {
  /** The arguments after `npm run operator --`. */
  readonly words: readonly string[];
  readonly terminal: Terminal;
  /** Receives what goes to the standard error: a message, or an error with its stack. */
  readonly complain: (problem: unknown) => void;
}

/** Runs a command line of `npm run operator` and returns the exit status. */
export async function runCommandLine({ words, terminal, complain }: CommandLine): Promise<number> {
  const [first = "--help"] = words;
  if (["help", "--help", "-h"].includes(first)) {
    terminal.print(overview(commands));
    return 0;
  }
  let command: Command | undefined;
  try {
    const found = findCommand(words);
    if (found === undefined) {
      terminal.print(overview(commands.filter(({ name }) => name.startsWith(`${first} `))));
      return 0;
    }
    command = found.command;
    return (await command.execute(found.args, terminal)) ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The stack of an unexpected error helps; the message of our own errors is enough.
    complain(error.constructor === Error || error instanceof UsageError ? error.message : error);
    if (!(error instanceof UsageError)) return 1;
    complain(command ? usageOf(command) : "npm run operator -- --help lists all commands.");
    return 2;
  }
}

/** Finds the command; undefined if the help of a group such as `members` is wanted. Its second word may follow options. */
function findCommand(
  words: readonly string[],
): { readonly command: Command; readonly args: readonly string[] } | undefined {
  const [first = "", ...rest] = words;
  const command = commands.find(({ name }) => name === first);
  if (command !== undefined) return { command, args: rest };
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) {
    throw new UsageError(
      unknownCommand(
        first,
        commands.map(({ name }) => name.split(" ")[0] ?? ""),
      ),
    );
  }
  const at = rest.findIndex((word) => group.some(({ name }) => name === `${first} ${word}`));
  const chosen = group.find(({ name }) => name === `${first} ${rest[at]}`);
  if (chosen !== undefined) return { command: chosen, args: rest.toSpliced(at, 1) };
  if (rest.includes("--help") || rest.includes("-h")) return undefined;
  const names = group.map(({ name }) => name);
  throw new UsageError(
    rest[0] === undefined ? `Choose from ${names.join(", ")}.` : unknownCommand(`${first} ${rest[0]}`, names),
  );
}

function unknownCommand(name: string, known: readonly string[]): string {
  const similar = findSimilarName(name, known);
  const hint = similar === undefined ? "" : ` Did you mean ${JSON.stringify(similar)}?`;
  return `Unknown command ${JSON.stringify(name)}.${hint}`;
}

function overview(shown: readonly Command[]): string {
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `npm run operator -- <command>\n\n${lines.join("\n")}\n\nnpm run operator -- <command> --help explains a command.`;
}
