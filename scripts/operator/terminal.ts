import { createInterface } from "node:readline/promises";
import { UsageError } from "./command.ts";

/** Where a command speaks to its operator. */
export interface Terminal {
  print(line: string): void;
  /** What the operator types. */
  ask(question: string): Promise<string>;
}

/** A text that someone else wrote, without what a terminal would obey. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}]/gu, "?");
}

/** A moment in UTC, to the second. */
export function momentOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
}

/** The terminal that the process runs in. */
export const processTerminal: Terminal = {
  print: (line) => console.log(line),
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
