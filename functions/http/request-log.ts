import { writeFault, writeLog } from "../store/log.ts";

/**
 * What a write or a sign-in was about: who deleted a drop, and with which token, is asked when it is gone. Ids are no
 * secrets. What somebody reads is nobody's business.
 */
export interface WriteIds {
  readonly ownerId?: string;
  readonly tokenId?: string;
  readonly slug?: string;
  readonly version?: number;
  readonly blobId?: string;
  readonly revokedTokenId?: string;
}

/** What is logged of a request: never bodies, headers, cookies, query strings or addresses. */
export interface RequestLogEntry extends WriteIds {
  readonly operation: string;
  readonly requestId: string;
  readonly status: number;
  /** The error code of a refusal. */
  readonly code?: string;
  readonly durationMs: number;
}

/** Writes one line of JSON for a request. */
export function logRequest(entry: RequestLogEntry): void {
  writeLog({ level: entry.status >= 500 ? "error" : "info", ...entry, ...sampledTrace() });
}

/** Writes a fault of the server: its kind and where it happened, not its message, which may quote data. */
export function logFault(operation: string, requestId: string, error: unknown): void {
  writeFault({ level: "error", operation, requestId, ...sampledTrace() }, error);
}

/** The trace that the request is part of, where there is one to be seen: AWS X-Ray, "Tracing header". */
function sampledTrace(): { readonly traceId?: string } {
  const [, traceId] = /^Root=([\w-]+);.*\bSampled=1/.exec(process.env._X_AMZN_TRACE_ID ?? "") ?? [];
  return traceId === undefined ? {} : { traceId };
}
