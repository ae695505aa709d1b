import { styleText } from "node:util";
import { exitCodes, Problem } from "./problem.ts";

/** Output of a command: results go to standard output, everything else to standard error. */
export interface Output {
  /** Results as JSON, for programs. */
  readonly isJson: boolean;
  /** True if a person watches standard error. */
  readonly isInteractive: boolean;
}

/** Writes the result of a command: JSON where the caller asked for it, else lines of text. */
export function writeResult({ isJson }: Output, result: unknown, lines: readonly string[]): void {
  const text = isJson ? JSON.stringify(result, undefined, 2) : lines.join("\n");
  if (text !== "") process.stdout.write(`${text}\n`);
}

/** Writes a note for the person; a pipe that reads the results does not get it. */
export function writeNote(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Runs work of which a person sees the progress. Pipes and files get no animation. */
export async function withProgress<Result>(
  { isInteractive }: Output,
  message: string,
  run: (update: (message: string) => void) => Promise<Result>,
): Promise<Result> {
  if (!isInteractive) return run(() => {});
  const { spinner } = await import("@clack/prompts");
  const progress = spinner({ output: process.stderr });
  progress.start(message);
  try {
    const result = await run((update) => progress.message(update));
    progress.clear();
    return result;
  } catch (error) {
    progress.clear();
    throw error;
  }
}

/** @throws Problem with the message if no person can type an answer */
export function requireTerminal({ isInteractive }: Output, message: string): void {
  if (!isInteractive || !process.stdin.isTTY) throw new Problem(message, exitCodes.usage);
}

type Style = "bold" | "dim" | "red" | "yellow" | "green";

/** Styles a text for a terminal. Without a terminal, or with NO_COLOR (no-color.org), it stays plain. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  const hasColors =
    stream.isTTY === true && (process.env.NO_COLOR ?? "") === "" && process.env.TERM !== "dumb";
  return hasColors ? styleText(style, text, { validateStream: false }) : text;
}

/** Replaces control characters in text that came from elsewhere: a page's title must not steer the terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (character) =>
    character === "\n" || character === "\t" ? " " : "\uFFFD",
  );
}

/** Time in UTC, to the minute. */
export function formatUtc(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
}

/** Aligns rows in columns of the width of their longest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
