import { createInterface } from "node:readline/promises";

/** Terminal of an operator's command. */
export interface Terminal {
  print(line: string): void;
  /** Prints to the standard error: what is no result, such as progress. */
  report(line: string): void;
  /** Reads the operator's answer. */
  ask(question: string): Promise<string>;
}

/** Quotes a text of other people, without control characters, which a terminal would obey. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cc}\p{Cf}]/gu, "?");
}

/** A moment in UTC, to the second. */
export function formatUtc(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace("T", " ");
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
