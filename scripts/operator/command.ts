import type { ParseArgsOptionsConfig } from "node:util";
import type { Terminal } from "./terminal.ts";

/** What a command was called with. */
export interface CommandInput {
  /** The words that are no options. */
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** One of the tools for operators. */
export interface Command {
  /** What follows the command's name, such as `<slug or address> --stack <name>`. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What it does, what it leaves, and what its options mean. */
  readonly help: string;
  readonly options: ParseArgsOptionsConfig;
  /** Returns whether all is well: otherwise the process ends with 1. */
  readonly run: (input: CommandInput, terminal: Terminal) => Promise<boolean>;
}

/** The operator asked for something that the command does not do. The message says what would be right. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * The command's only word.
 *
 * @throws UsageError when there is none, or more than one
 */
export function onlyWord({ words }: CommandInput, what: string): string {
  const [word, ...others] = words;
  if (word !== undefined && others.length === 0) return word;
  throw new UsageError(
    words.length === 0 ? `Say which ${what}.` : `One ${what} at a time, not ${words.join(" ")}.`,
  );
}

/** The text of an option, or undefined where it was not given. */
export function textOption({ options }: CommandInput, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Lets on only who types the name of what is about to go, or has said `--yes`.
 *
 * @throws UsageError for anything else typed
 */
export async function confirmByName(
  terminal: Terminal,
  { name, isSure, warning }: { readonly name: string; readonly isSure: boolean; readonly warning: string },
): Promise<void> {
  terminal.print(warning);
  if (isSure) return;
  const typed = await terminal.ask(`Type ${name} to go on: `);
  if (typed !== name) throw new UsageError(`${JSON.stringify(typed)} is not ${name}: nothing was changed.`);
}
