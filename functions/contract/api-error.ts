import { type ErrorCode, errorCatalog } from "./errors.ts";

/** What a caller learns beside the code. */
export interface ApiErrorOptions {
  /** Names the field, what came and what is allowed. @default - the catalog's message */
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds until a retry can succeed; sent as Retry-After and as `details.retry_after_seconds`. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The body of every 4xx and 5xx answer; section "Errors" of the specification. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** A refusal that the caller sees: its code decides the status, its message how to mend the call. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly #details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? errorCatalog[code].message, { cause: options.cause });
    this.name = "ApiError";
    this.code = code;
    this.status = errorCatalog[code].status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.#details = options.details;
  }

  /** The answer's body, with the wait in `details` where there is one. */
  toBody(): ErrorBody {
    const wait = this.retryAfterSeconds === undefined ? {} : { retry_after_seconds: this.retryAfterSeconds };
    const details = { ...this.#details, ...wait };
    const hasDetails = Object.keys(details).length > 0;
    return { error: { code: this.code, message: this.message, ...(hasDetails ? { details } : {}) } };
  }
}
