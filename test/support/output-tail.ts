import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

const linesMax = 40;

/**
 * Reads the output of a process to its end, which it needs to go on. The result gives the last lines, for messages about its failure.
 */
export function keepTail({ stdout, stderr }: ChildProcess): () => string {
  const lines: string[] = [];
  for (const input of [stdout, stderr]) {
    if (input === null) continue;
    createInterface({ input }).on("line", (line) => {
      lines.push(line);
      if (lines.length > linesMax) lines.shift();
    });
  }
  return () => lines.join("\n");
}
