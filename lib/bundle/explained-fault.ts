import type { Position, SourcePosition } from "./source-position.ts";

/** A logged fault; see `writeFault` in `functions/core/log.ts`. */
export interface LoggedFault {
  readonly operation?: string;
  readonly requestId?: string;
  readonly fault: string;
  readonly at: readonly string[];
  /** Error message. Present only if the local cloud requests messages. */
  readonly message?: string;
  /** Build id of the bundle that the stack frames refer to. */
  readonly build?: string;
}

/** Parses the fault in a log line, which may have text around the JSON. Returns undefined if there is no fault. */
export function findFault(line: string): LoggedFault | undefined {
  const json = line.slice(line.indexOf("{"), line.lastIndexOf("}") + 1);
  let value: Partial<LoggedFault> | null;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const isFault = typeof value?.fault === "string" && Array.isArray(value.at);
  return isFault ? (value as LoggedFault) : undefined;
}

/** Matches a V8 stack frame in a bundle: `at name (file:///var/task/index.mjs:49:11213)`, or without a name. */
const bundleFrame = /\bat (async )?(?:[^()]*? )?\(?(?:file:\/\/)?[^\s()]*\/index\.mjs:(\d+):(\d+)\)?/;

/** Returns true for a log line with a fault or with a stack frame of a bundle. */
export function isExplainable(line: string): boolean {
  return bundleFrame.test(line) || findFault(line) !== undefined;
}

/** Replaces a stack frame of a bundle with the stack frame in the source code. */
export function explainFrame(text: string, find: (position: Position) => SourcePosition | undefined): string {
  return text.replace(
    bundleFrame,
    (frame: string, async: string | undefined, line: string, column: string) => {
      const found = find({ line: Number(line), column: Number(column) });
      if (found === undefined) return frame;
      const place = `${found.file}:${found.line}:${found.column}`;
      const { functionName } = found;
      return `at ${async ?? ""}${functionName === undefined ? place : `${functionName} (${place})`}`;
    },
  );
}

/** Formats a fault like an error printed by Node, with stack frames in the source code. */
export function explainedStack(
  { fault, message, at }: LoggedFault,
  find: (position: Position) => SourcePosition | undefined,
): string[] {
  return [message ? `${fault}: ${message}` : fault, ...at.map((frame) => `    ${explainFrame(frame, find)}`)];
}
