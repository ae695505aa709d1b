import { ApiError } from "../../functions/core/errors.ts";
import { findSimilarName } from "../../functions/core/names.ts";
import { alignColumns, type Command, type Terminal, UsageError } from "./command.ts";
import { commands } from "./commands.ts";

/**
 * Runs a command line of `npm run operator`. Returns the exit code.
 *
 * @param complain prints a message, or an error with its stack, to the standard error
 */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
  complain: (problem: unknown) => void,
): Promise<number> {
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
    // Prints unexpected errors with their stack, and expected errors as a message.
    const isRefusal = error instanceof ApiError && error.status < 500;
    const isExpected = error.constructor === Error || error instanceof UsageError || isRefusal;
    complain(isExpected ? error.message : error);
    if (!(error instanceof UsageError)) return 1;
    complain(command ? command.usage : "To list all commands, run npm run operator -- --help.");
    return 2;
  }
}

/**
 * Finds the command. If a command has two words, options may stand between them. Returns undefined if the words ask for the help of a group
 * such as `members`.
 */
function findCommand(
  words: readonly string[],
): { readonly command: Command; readonly args: readonly string[] } | undefined {
  const [first = "", ...rest] = words;
  const known = commands.map(({ name }) => name);
  const group = known.filter((name) => name.startsWith(`${first} `));
  const at = rest.findIndex((word) => group.includes(`${first} ${word}`));
  const command = commands.find(({ name }) => name === (at < 0 ? first : `${first} ${rest[at]}`));
  if (command !== undefined) return { command, args: at < 0 ? rest : rest.toSpliced(at, 1) };
  const firstWords = known.map((name) => name.split(" ")[0] ?? "");
  if (group.length === 0) throw unknownCommand(first, firstWords);
  if (rest.includes("--help") || rest.includes("-h")) return undefined;
  if (rest[0] === undefined) throw new UsageError(`Choose from ${group.join(", ")}.`);
  throw unknownCommand(`${first} ${rest[0]}`, group);
}

function unknownCommand(name: string, known: readonly string[]): UsageError {
  const similar = findSimilarName(name, known);
  const hint = similar === undefined ? "" : ` Did you mean ${JSON.stringify(similar)}?`;
  return new UsageError(`Unknown command ${JSON.stringify(name)}.${hint}`);
}

function overview(shown: readonly Command[]): string {
  const lines = alignColumns(shown.map(({ name, summary }) => [`  ${name}`, summary]));
  return `npm run operator -- <command>\n\n${lines.join("\n")}\n\nnpm run operator -- <command> --help explains a command.`;
}
