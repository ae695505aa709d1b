import { parseArgs } from "node:util";
import { findSimilarName } from "../../functions/http/hints.ts";
import type { Terminal } from "./terminal.ts";

/** An option of a command: its type, a placeholder for its value, and its line in the help. */
export interface OptionDeclaration {
  readonly type: "string" | "boolean";
  /** Such as `<slug>`. @default - the option takes no value: it is true if given, false if not */
  readonly value?: string;
  readonly help: string;
  /** @default false */
  readonly isRequired?: boolean;
}

type Options = Readonly<Record<string, OptionDeclaration>>;
type ValueOf<Option extends OptionDeclaration> = Option["type"] extends "boolean"
  ? boolean
  : Option extends { readonly isRequired: true }
    ? string
    : string | undefined;

/** The values of a command line. */
interface CommandInput<Declared extends Options = Options> {
  /** The positional arguments. */
  readonly words: readonly string[];
  /** The first positional argument; empty if there is none. */
  readonly word: string;
  readonly options: { readonly [Name in keyof Declared]: ValueOf<Declared[Name]> };
}

/** The declaration from which a command line is parsed and its help is printed. */
interface CommandDeclaration<Declared extends Options> {
  /** One word, or two as in `members add`. */
  readonly name: string;
  /** The positional arguments: `<account>`, `[<text>]` if it may be omitted, `<who>…` for several. @default - none */
  readonly words?: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly details: string;
  readonly options: Declared;
  /** Resolves to false if the process is to end with 1. */
  run(input: CommandInput<Declared>, terminal: Terminal): Promise<boolean>;
}

/** A command of `npm run operator`. */
export interface Command extends Omit<CommandDeclaration<Options>, "run"> {
  /**
   * Parses the arguments, and prints the help or runs the command.
   *
   * @throws UsageError if an argument is unknown, missing or not allowed
   */
  execute(args: readonly string[], terminal: Terminal): Promise<boolean>;
}

/** The operator called a command in a wrong way. The message says how to call it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Makes a command of its declaration. */
export function defineCommand<const Declared extends Options>(
  declaration: CommandDeclaration<Declared>,
): Command {
  return {
    ...declaration,
    async execute(args, terminal) {
      const { words, values } = parseWords(args, declaration.options);
      if (values.help) {
        terminal.print(helpOf(declaration));
        return true;
      }
      requireWords(words, declaration.words ?? "");
      requireOptions(values, declaration.options);
      const options = values as CommandInput<Declared>["options"];
      return declaration.run({ words, word: words[0] ?? "", options }, terminal);
    },
  };
}

const helpOption = { type: "boolean", help: "prints this text" } as const;

/** Not strict: Node's own errors neither suggest a name nor show the placeholder. */
function parseWords(args: readonly string[], declared: Options) {
  const options: Options = { ...declared, help: helpOption };
  const { positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type }]) => [
        name,
        name === "help" ? { type, short: "h" } : { type },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const flags = Object.keys(options).filter((name) => options[name]?.type === "boolean");
  const values: Record<string, string | boolean> = Object.fromEntries(flags.map((name) => [name, false]));
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = options[name];
    if (option === undefined) throw new UsageError(`Unknown option ${rawName}.${suggest(name, options)}`);
    const isText = option.type === "string";
    if (isText && (value === undefined || value === "" || (!inlineValue && value.startsWith("-"))))
      throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}.`);
    if (!isText && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    values[name] = value ?? true;
  }
  return { words: positionals, values };
}

function suggest(name: string, options: Options): string {
  const similar = findSimilarName(name, Object.keys(options));
  return similar === undefined ? "" : ` Did you mean --${similar}?`;
}

function requireWords(words: readonly string[], declared: string): void {
  const places = declared.match(/\[?<[^>]+>…?\]?/g) ?? [];
  const missing = places.filter((place) => place.startsWith("<"))[words.length];
  if (missing !== undefined) throw new UsageError(`Missing ${missing}.`);
  const extra = words[places.length];
  if (extra === undefined || places.at(-1)?.includes("…")) return;
  const most = places.length === 0 ? "no arguments" : `only ${places.join(" ")}`;
  throw new UsageError(`Unexpected ${JSON.stringify(extra)}. The command takes ${most}, besides options.`);
}

function requireOptions(values: Readonly<Record<string, unknown>>, options: Options): void {
  for (const [name, { isRequired, value }] of Object.entries(options))
    if (isRequired && values[name] === undefined) throw new UsageError(`Missing --${name} ${value}.`);
}

/** The line that shows how to call a command. */
export function usageOf({ name, words, options }: Pick<Command, "name" | "words" | "options">): string {
  const required = Object.entries(options).flatMap(([option, { isRequired, value }]) =>
    isRequired ? [`--${option} ${value}`] : [],
  );
  const service = "stack" in options ? ["(--stack <name> | --local <data folder>)"] : [];
  const parts = [name, ...(words ? [words] : []), ...required, ...service, "[options]"];
  return `npm run operator -- ${parts.join(" ")}`;
}

function helpOf(command: Pick<Command, "name" | "words" | "summary" | "details" | "options">): string {
  const rows = Object.entries({ ...command.options, help: helpOption }).map(
    ([name, { value, help }]: [string, OptionDeclaration]) => ({
      left: `--${name}${value === undefined ? "" : ` ${value}`}`,
      help,
    }),
  );
  const width = Math.max(...rows.map(({ left }) => left.length));
  const lines = rows.map(({ left, help }) => `  ${left.padEnd(width)}  ${help}`);
  const summary = `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`;
  return `${usageOf(command)}\n\n${summary}\n\n${command.details.trim()}\n\nOptions:\n${lines.join("\n")}`;
}

/**
 * Asks the operator to type a name before something is deleted or replaced, unless they said `--yes`.
 *
 * @throws UsageError if they type anything else
 */
export async function confirmByName(
  terminal: Terminal,
  { name, isSure, warning }: { readonly name: string; readonly isSure: boolean; readonly warning: string },
): Promise<void> {
  terminal.print(warning);
  if (isSure) return;
  const typed = await terminal.ask(`Type ${name} to go on: `);
  if (typed !== name) throw new UsageError(`${JSON.stringify(typed)} is not ${name}. Nothing was changed.`);
}

/** The option by which a command does not ask for confirmation. */
export const yesOption = { type: "boolean", help: "does not ask for confirmation" } as const;
