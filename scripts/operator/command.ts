import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { findSimilarName } from "../../functions/core/names.ts";

/** Terminal of an operator's command. */
export interface Terminal {
  print(line: string): void;
  /** Prints to the standard error: what is no result, such as progress. */
  report(line: string): void;
  /** Reads the operator's answer. */
  ask(question: string): Promise<string>;
}

/** The terminal that the process runs in. */
export const processTerminal: Terminal = {
  print: (line) => console.log(line),
  report: (line) => console.error(line),
  async ask(question) {
    const asking = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return (await asking.question(question)).trim();
    } finally {
      asking.close();
    }
  },
};

/** An option of a command: its type, a placeholder for its value, and its line in the help. */
export interface OptionDeclaration {
  readonly type: "string" | "boolean";
  /** Such as `<slug>`. @default - the option takes no value: it is true if given, false if not */
  readonly value?: string;
  readonly help: string;
  /** @default false */
  readonly isRequired?: boolean;
  /** One letter, as in `-h`. */
  readonly short?: string;
}

export type Options = Readonly<Record<string, OptionDeclaration>>;
type ValueOf<Option extends OptionDeclaration> = Option["type"] extends "boolean"
  ? boolean
  : Option extends { readonly isRequired: true }
    ? string
    : string | undefined;

/** The values of a command line. */
export interface CommandInput<Declared extends Options = Options> {
  /** The positional arguments. */
  readonly words: readonly string[];
  /** The first positional argument; empty if it is missing. */
  readonly word: string;
  readonly options: { readonly [Name in keyof Declared]: ValueOf<Declared[Name]> };
}

/** The declaration from which a command line is parsed and its help is printed. */
export interface CommandText<Declared extends Options = Options> {
  /** One word, or two as in `members add`. */
  readonly name: string;
  /** The positional arguments: `<account>`, `[<text>]` if it may be omitted, `<who>…` for several. @default - none */
  readonly words?: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What the summary and the options do not say. The arguments of `argumentHelp` are explained besides. */
  readonly details: string;
  readonly options: Declared;
}

/** Explains arguments that several commands take. */
const argumentHelp: Readonly<Record<string, string>> = {
  account: "a user id or a namespace",
  "slug or account":
    "the slug or address of a drop, in the trash too, or a user id or namespace. A name that is both is the drop",
  person: "a user name (ada), an e-mail address, or an account (account:ada)",
  who: `a user name at the identity provider (ada), a verified e-mail address (ada@example.com), or a name with its kind:
username:, email:, group: (of the claim that identityProvider.fields.groups names) or account: (a user id or a namespace)`,
};

/** A command of `npm run operator`. */
export interface Command extends CommandText {
  /**
   * Parses the arguments, and prints the help or runs the command. Resolves to false if the process is to end with 1.
   *
   * @throws UsageError if an argument is unknown, missing or not allowed
   */
  execute(args: readonly string[], terminal: Terminal): Promise<boolean>;
}

/** The operator called a command in a wrong way. The message says how to call it. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Makes a command of its declaration. It fails if `run` resolves to false. */
export function defineCommand<const Declared extends Options>(
  declaration: CommandText<Declared> & {
    run(input: CommandInput<Declared>, terminal: Terminal): Promise<unknown>;
  },
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
      for (const [name, { isRequired, value }] of Object.entries<OptionDeclaration>(declaration.options))
        if (isRequired && values[name] === undefined) throw new UsageError(`Missing --${name} ${value}.`);
      const options = values as CommandInput<Declared>["options"];
      return (await declaration.run({ words, word: words[0] ?? "", options }, terminal)) !== false;
    },
  };
}

const helpOption = { type: "boolean", short: "h", help: "prints this text" } as const;

/** The option by which a command does not ask for confirmation. */
export const yesOption = { type: "boolean", help: "does not ask for confirmation" } as const;

/** Not strict: Node's own errors neither suggest a name nor show the placeholder. */
function parseWords(args: readonly string[], declared: Options) {
  const options: Options = { ...declared, help: helpOption };
  const { positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short }]) => [name, { type, ...(short && { short }) }]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, string | boolean> = {};
  for (const [name, { type }] of Object.entries(options)) if (type === "boolean") values[name] = false;
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = options[name];
    if (option === undefined) {
      const similar = findSimilarName(name, Object.keys(options));
      const hint = similar === undefined ? "" : ` Did you mean --${similar}?`;
      throw new UsageError(`Unknown option ${rawName}.${hint}`);
    }
    const isText = option.type === "string";
    if (isText && (value === undefined || value === "" || (!inlineValue && value.startsWith("-"))))
      throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}.`);
    if (!isText && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    values[name] = value ?? true;
  }
  return { words: positionals, values };
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

/** The line that shows how to call a command. */
export function usageOf({ name, words, options }: CommandText): string {
  const required = Object.entries(options).flatMap(([option, { isRequired, value }]) =>
    isRequired ? [`--${option} ${value}`] : [],
  );
  const service = "stack" in options ? ["(--stack <name> | --local <data folder>)"] : [];
  const parts = [name, ...(words ? [words] : []), ...required, ...service, "[options]"];
  return `npm run operator -- ${parts.join(" ")}`;
}

function helpOf(command: CommandText): string {
  const rows = Object.entries({ ...command.options, help: helpOption }).map(
    ([name, { value, help }]: [string, OptionDeclaration]) => [
      `  --${name}${value ? ` ${value}` : ""}`,
      help,
    ],
  );
  const words = [...(command.words ?? "").matchAll(/<([^>]+)>/g)].flatMap(([place, name = ""]) =>
    argumentHelp[name] === undefined ? [] : [`${place} is ${argumentHelp[name]}.`],
  );
  const summary = `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`;
  const parts = [usageOf(command), summary, words.join("\n"), command.details.trim()];
  const text = parts.filter((part) => part !== "").join("\n\n");
  return `${text}\n\nOptions:\n${alignColumns(rows).join("\n")}`;
}

/** Formats rows of cells as lines. All columns but the last one are as wide as their widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows.map((row) =>
    row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  "),
  );
}

/** Quotes a text of other people, without control characters, which a terminal would obey. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}]/gu, "?");
}

/** A moment in UTC, to the second. */
export function formatUtc(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
}

/** npm passes a Ctrl-C on to a process that the terminal has told already. */
const sameInterruptMs = 1_000;

/**
 * Runs work that has to clean up. The first Ctrl-C aborts its signal, the second one ends the process.
 *
 * @param advice printed at the first one: what is still done, and what a second one leaves behind
 */
export async function withInterruption<Result>(
  terminal: Terminal,
  advice: string,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  let interruptedAtMs: number | undefined;
  const interrupt = () => {
    if (interruptedAtMs !== undefined && Date.now() - interruptedAtMs > sameInterruptMs) process.exit(1);
    if (interruptedAtMs !== undefined) return;
    interruptedAtMs = Date.now();
    terminal.report(`Interrupted: ${advice}`);
    controller.abort();
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const name of signals) process.on(name, interrupt);
  try {
    return await run(controller.signal);
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
}
