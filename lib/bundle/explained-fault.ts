import type { Position, SourcePosition } from "./source-position.ts";

/** A fault as functions log it: `writeFault` of `functions/core/log.ts`. */
export interface LoggedFault {
  readonly operation?: string;
  readonly requestId?: string;
  readonly fault: string;
  readonly at: readonly string[];
  /** Present only where the local cloud has requested it. */
  readonly message?: string;
  /** The id of the frames' bundle. */
  readonly build?: string;
}

/** The fault in a log line, with any text around the JSON; undefined without a fault. */
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

/** A frame of V8's stacks in a bundle: `at name (file:///var/task/index.mjs:49:11213)`, or without a name. */
const bundleFrame = /\bat (async )?(?:[^()]*? )?\(?(?:file:\/\/)?[^\s()]*\/index\.mjs:(\d+):(\d+)\)?/;

/** Recognizes a log line with a fault or a stack frame of a bundle. */
export function isExplainable(line: string): boolean {
  return bundleFrame.test(line) || findFault(line) !== undefined;
}

/** Replaces the bundle's frame in a text with a frame in the source code. */
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

/** A fault as Node prints errors, its frames in the source code. */
export function explainedStack(
  { fault, message, at }: LoggedFault,
  find: (position: Position) => SourcePosition | undefined,
): string[] {
  return [message ? `${fault}: ${message}` : fault, ...at.map((frame) => `    ${explainFrame(frame, find)}`)];
}
