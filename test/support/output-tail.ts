import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

const linesMax = 40;

/**
 * Reads all output of a process, which would otherwise block. The returned function gives the last lines, for failure
 * messages.
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
