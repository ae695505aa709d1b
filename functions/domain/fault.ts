/** What may be logged of an error. */
export interface Fault {
  /** The error's kind. */
  readonly fault: string;
  /** The innermost places in the code. */
  readonly at: readonly string[];
  /** With the messages of its causes. Never in AWS. */
  readonly message?: string;
}

const framesMax = 8;

/** An error's kind and where it happened, without its message, which may quote data. */
export function describeFault(error: unknown): Fault {
  if (!(error instanceof Error)) return { fault: typeof error, at: [] };
  // The stack begins with the message, whose lines may look like anything.
  const stack = (error.stack ?? "").replace(error.message, "");
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return { fault: error.name, at: frames.slice(0, framesMax).map((line) => line.trim()) };
}

/** The same with its messages, for a developer's own machine. */
export function describeFaultWhole(error: unknown): Fault {
  return { ...describeFault(error), message: messagesOf(error).join(": ") };
}

const causesMax = 5;

function messagesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const { message, cause } = error;
  const isMore = cause !== undefined && depth < causesMax;
  return [message, ...(isMore ? messagesOf(cause, depth + 1) : [])];
}
