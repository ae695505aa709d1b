import { styleText } from "node:util";
import { cleanText, toTerminalJson } from "./clean-text.ts";

// Only this module writes to the terminal, except the prompts and the progress in dialog.ts.

/** Output of a command: results go to standard output, everything else to standard error. */
export interface Output {
  /** True if results are written as JSON, for programs. */
  readonly isJson: boolean;
  /** True if standard error is a terminal. */
  readonly isInteractive: boolean;
}

type Style = "bold" | "dim" | "red" | "yellow" | "green";

/** Text with a style. The style is applied when the text is written. */
export class StyledText {
  readonly style: Style;
  readonly text: string;

  constructor(style: Style, text: string) {
    this.style = style;
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** A line of text, or its parts. */
export type Line = string | StyledText | readonly (string | StyledText)[];

/** Styles a text for a terminal. The text stays plain without a terminal, or with NO_COLOR (no-color.org). */
export function styled(style: Style, text: string): StyledText {
  return new StyledText(style, text);
}

/** Writes the result of a command: JSON if requested, otherwise lines of text. */
export function writeResult({ isJson }: Output, result: unknown, lines: readonly Line[]): void {
  if (isJson) process.stdout.write(`${toTerminalJson(result, 2)}\n`);
  else for (const line of lines) writeLine(process.stdout, line);
}

/** Writes one of several results: one line of JSON, otherwise lines of text. */
export function writeItem({ isJson }: Output, item: unknown, lines: readonly Line[]): void {
  if (isJson) process.stdout.write(`${toTerminalJson(item)}\n`);
  else for (const line of lines) writeLine(process.stdout, line);
}

/** Writes notes for the user to standard error, so that they do not mix with results in a pipe. */
export function writeNote(...lines: readonly Line[]): void {
  for (const line of lines) writeLine(process.stderr, line);
}

/** Writes the warnings of a response as notes. */
export function writeWarnings(response: { readonly warnings?: readonly string[] | undefined }): void {
  for (const warning of response.warnings ?? []) writeNote([styled("yellow", "Note:"), ` ${warning}`]);
}

/** Writes a multi-line text. */
export function writeText(stream: NodeJS.WriteStream, text: string): void {
  for (const line of text.replace(/\n$/, "").split("\n")) writeLine(stream, line);
}

function writeLine(stream: NodeJS.WriteStream, line: Line): void {
  const parts = typeof line === "string" || line instanceof StyledText ? [line] : line;
  const hasColors =
    stream.isTTY === true && (process.env.NO_COLOR ?? "") === "" && process.env.TERM !== "dumb";
  const shown = parts.map((part) => {
    const text = cleanText(String(part));
    return hasColors && part instanceof StyledText
      ? styleText(part.style, text, { validateStream: false })
      : text;
  });
  stream.write(`${shown.join("")}\n`);
}

/** Formats a time in UTC, to the minute. */
export function formatUtc(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
}

/** Aligns rows in columns, each as wide as its longest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map((cell) => cleanText(cell).replaceAll("\t", " ")));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
