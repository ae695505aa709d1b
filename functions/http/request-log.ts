/** What is logged of a request: never bodies, headers, cookies, query strings or addresses. */
export interface RequestLogEntry {
  readonly operation: string;
  readonly requestId: string;
  readonly status: number;
  /** The error code of a refusal. */
  readonly code?: string;
  readonly durationMs: number;
}

/** Writes one line of JSON for a request. */
export function logRequest(entry: RequestLogEntry): void {
  process.stdout.write(`${JSON.stringify({ level: entry.status >= 500 ? "error" : "info", ...entry })}\n`);
}

/** Writes a fault of the server: its kind and where it happened, not its message, which may quote data. */
export function logFault(operation: string, requestId: string, error: unknown): void {
  const name = error instanceof Error ? error.name : typeof error;
  const frames =
    error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  const at = frames.slice(0, 8).map((line) => line.trim());
  process.stdout.write(`${JSON.stringify({ level: "error", operation, requestId, fault: name, at })}\n`);
}
