import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** The last lines of an output. */
export interface OutputTail {
  text(): string;
}

const linesMax = 40;

/**
 * Reads the output of a process to its end, which it needs to go on, and keeps the last lines for messages about its
 * failure.
 */
export function keepTail(
  streams: readonly (Readable | null)[],
  onLine: (line: string) => void = () => {},
): OutputTail {
  const lines: string[] = [];
  for (const stream of streams) {
    if (stream === null) continue;
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (lines.length > linesMax) lines.shift();
      onLine(line);
    });
  }
  return { text: () => lines.join("\n") };
}
