import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { findSimilarName } from "../../functions/core/names.ts";

/** Terminal on which a command prints lines and asks questions. */
export interface Terminal {
  print(line: string): void;
  /** Prints a line that is not part of the result, such as progress, to the standard error. */
  report(line: string): void;
  /** Prints a question, and resolves to the operator's answer. */
  ask(question: string): Promise<string>;
}

/** The terminal of this process. */
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

/**
 * Options of a command, with their help texts. `"keep <number>"` takes a value, `"from <table>!"` is required, `"owner <reader>…"` may be
 * repeated, and `fix` takes no value.
 */
export type OptionTexts = Readonly<Record<string, string>>;

/** Values of options. An option without a value is true if it is given. */
export type OptionValues<Texts> = {
  readonly [Option in keyof Texts as Option extends `${infer Name} <${string}`
    ? Name
    : Option]: Option extends `${string}>…`
    ? readonly string[]
    : Option extends `${string}>!`
      ? string
      : Option extends `${string} <${string}`
        ? string | undefined
        : boolean;
};

/** Arguments and options of a parsed command line. */
export interface CommandInput<Texts> {
  /** Positional arguments. */
  readonly words: readonly string[];
  /** First positional argument, or an empty string without arguments. */
  readonly word: string;
  readonly options: OptionValues<Texts>;
}

/** Declaration of a command. It determines how the command line is parsed, and the text of the help. */
export interface CommandText<Texts> {
  /** Name of one or two words, then the arguments, such as `reads <person>`. `[<text>]` is optional, `<who>…` may be repeated. */
  readonly usage: string;
  /** Description of the command in the list of all commands. */
  readonly summary: string;
  /** Further help, printed after the explanations of the arguments. */
  readonly details: string;
  /** Options with their help texts. @default - no options */
  readonly options?: Texts;
}

/** A command of `npm run operator`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly options: Options;
  /** Prints the help or runs the command. Resolves to false for exit code 1. Throws UsageError for invalid arguments. */
  execute(args: readonly string[], terminal: Terminal): Promise<boolean>;
}

/** Options by name. `value` is the placeholder of the value, such as `<slug>`, or undefined if the option takes no value. */
type Options = Readonly<Record<string, { value?: string | undefined; help: string; isRequired?: boolean }>>;

/** Error for invalid arguments of a command. The message explains how to call the command. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Creates a command from its declaration. The command fails if `run` resolves to false. */
export function defineCommand<Texts extends OptionTexts = Record<never, string>>(
  declaration: CommandText<Texts> & {
    run(input: CommandInput<Texts>, terminal: Terminal): Promise<unknown>;
  },
): Command {
  const { usage, summary } = declaration;
  const all = toOptions(declaration.options ?? {});
  const withHelp = { ...all, help: { help: "prints this text" } };
  const [name = ""] = /^[a-z-]+( [a-z-]+)*/.exec(usage) ?? [];
  const needed = Object.entries(all).flatMap(([option, { isRequired }]) => (isRequired ? `--${option}` : []));
  const service = "stack" in all ? ["(--stack <name> | --local <data folder>)"] : [];
  const line = `npm run operator -- ${[usage, ...needed, ...service, "[options]"].join(" ")}`;
  return {
    name,
    summary,
    usage: line,
    options: all,
    async execute(args, terminal) {
      const { words, values } = parseWords(args, withHelp);
      if (values.help) {
        terminal.print(formatHelp(declaration, line, withHelp));
        return true;
      }
      requireWords(words, usage);
      for (const [option, { isRequired, value }] of Object.entries(all))
        if (isRequired && values[option] === undefined) throw new UsageError(`Missing --${option} ${value}.`);
      const input = { words, word: words[0] ?? "", options: values };
      return (await declaration.run(input as unknown as CommandInput<Texts>, terminal)) !== false;
    },
  };
}

/** Parses option texts. Returns the options by name, required options first. */
function toOptions(texts: OptionTexts): Options {
  const options = Object.entries(texts).map(([text, help]) => {
    const [name = "", value] = text.replace(/!$/, "").split(/ (.*)/);
    return [name, { value, help, isRequired: text.endsWith("!") }] as const;
  });
  return Object.fromEntries(
    options.sort(([, one], [, other]) => Number(other.isRequired) - Number(one.isRequired)),
  );
}

/** Help text of the option `--yes`. */
export const yesOption = "does not ask for confirmation";

/** Parses the arguments. Turns `strict` off, because Node's errors neither suggest similar names nor show the placeholder. */
function parseWords(args: readonly string[], options: Options) {
  const types = Object.entries(options).map(
    ([name, { value }]) => [name, { type: value === undefined ? "boolean" : "string" }] as const,
  );
  const { positionals, tokens } = parseArgs({
    args: args.map((word) => (word === "-h" ? "--help" : word)),
    options: Object.fromEntries(types),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, string | boolean | string[]> = {};
  for (const [name, { value }] of Object.entries(options))
    if (value === undefined || value.endsWith(">…")) values[name] = value === undefined ? false : [];
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName, value, inlineValue } = token;
    const option = options[name];
    if (option === undefined) {
      const similar = findSimilarName(name, Object.keys(options));
      const hint = similar === undefined ? "" : ` Did you mean --${similar}?`;
      throw new UsageError(`Unknown option ${rawName}.${hint}`);
    }
    const isText = option.value !== undefined;
    if (isText && (value === undefined || value === "" || (!inlineValue && value.startsWith("-"))))
      throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value}.`);
    if (!isText && value !== undefined) throw new UsageError(`${rawName} takes no value.`);
    const several = values[name];
    if (Array.isArray(several)) several.push(value ?? "");
    else values[name] = value ?? true;
  }
  return { words: positionals, values };
}

function requireWords(words: readonly string[], usage: string): void {
  const places = usage.match(/\[?<[^>]+>…?\]?/g) ?? [];
  const missing = places.filter((place) => place.startsWith("<"))[words.length];
  if (missing !== undefined) throw new UsageError(`Missing ${missing}.`);
  const extra = words[places.length];
  if (extra === undefined || places.at(-1)?.includes("…")) return;
  const most = places.length === 0 ? "no arguments" : `only ${places.join(" ")}`;
  throw new UsageError(
    `Unexpected argument ${JSON.stringify(extra)}. Besides options, the command takes ${most}.`,
  );
}

/** Explanations of arguments that several commands take. */
const argumentHelp: Readonly<Record<string, string>> = {
  "<account>": "a user id or a namespace",
  "<slug or account>":
    "the slug or address of a drop, even in the trash, or a user id or namespace. If both match, the drop is used",
  "<person>": "a user name (ada), an e-mail address, or an account (account:ada)",
  "<who>": `a user name at the identity provider (ada), a verified e-mail address (ada@example.com), or a name with a prefix:
username:, email:, group: (from the claim that identityProvider.fields.groups names) or account: (a user id or a namespace)`,
};

function formatHelp(
  { usage, summary, details }: CommandText<unknown>,
  line: string,
  options: Options,
): string {
  const words = Object.entries(argumentHelp).filter(([place]) => usage.includes(place));
  const parts = [
    line,
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    ...words.map(([place, help]) => `${place} is ${help}.`),
    ...(details === "" ? [] : [details.trim()]),
  ];
  const rows = Object.entries(options).map(([name, { value, help }]) => {
    return [`  --${name}${value === undefined ? "" : ` ${value}`}`, help];
  });
  return `${parts.join("\n\n")}\n\nOptions:\n${alignColumns(rows).join("\n")}`;
}

/** Formats rows of cells as lines. Each column except the last is as wide as its widest cell. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.slice(0, -1).entries())
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows.map((row) =>
    row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join("  "),
  );
}

/** Sorts values by a text, such as a name. Values with the same text keep their order. */
export function sortBy<Value>(all: readonly Value[], textOf: (value: Value) => string): Value[] {
  return all.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
}

/** Quotes untrusted text. Replaces control characters, because a terminal would obey them. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}]/gu, "?");
}

/** Formats a time in UTC, to the second. */
export function formatUtc(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
}

/** Time within which further signals belong to the same Ctrl-C, because the terminal and npm each send a signal to the process. */
const sameInterruptMs = 1_000;

/** Runs work that must clean up. The first Ctrl-C prints advice and aborts the signal. The second Ctrl-C ends the process. */
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
