import { createInterface } from "node:readline/promises";

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
