import { limits } from "./limits.ts";

interface ErrorEntry {
  readonly status: number;
  readonly message: Message;
  /**
   * Seconds until a retry can succeed, if every error with this code has the same number.
   *
   * @default - each error has its own number, or a retry cannot succeed
   */
  readonly retryAfterSeconds?: number;
}

/**
 * Status and default message of every error code; see section "Errors" of the specification. Codes after `expired_code` are additions, for
 * features that the specification does not have (docs/adr/0013, 0053, 0056, 0066, 0094) and for errors of the server itself.
 */
export const errorCatalog = {
  unauthorized: {
    status: 401,
    message: "Send the header `Authorization: Bearer <API_TOKEN>` with a token that has not been revoked.",
  },
  invalid_token: { status: 401, message: "The token is not valid." },
  token_required: {
    status: 400,
    message: {
      http: "The query parameter `token` is required: the poll_token of the sign-in, not its code.",
      tool: "token is required: the poll_token of start_sign_in, not its code.",
    },
  },
  forbidden: {
    status: 403,
    message: "Call the service at its base URL. This address does not accept direct requests.",
  },
  insufficient_scope: { status: 403, message: "The token's scope does not include this call." },
  not_found: { status: 404, message: "This item does not exist, was deleted, or is not shared with you." },
  version_not_found: { status: 404, message: "The drop has no such version." },
  invalid_slug: { status: 400, message: "A slug has 7 letters or digits, such as `aB3dE5f`." },
  invalid_arg: { status: 400, message: "Validation failed." },
  invalid_json: { status: 400, message: "The request body must be JSON in UTF-8." },
  html_too_large: { status: 400, message: `html may be at most ${limits.htmlBytesMax} bytes in UTF-8.` },
  html_required: { status: 400, message: "html is required: a complete HTML document." },
  title_required: {
    status: 400,
    message: `title is required: 1 to ${limits.titleCodePointsMax} characters that are not all spaces.`,
  },
  title_too_long: { status: 400, message: `title may have at most ${limits.titleCodePointsMax} characters.` },
  description_too_long: {
    status: 400,
    message: `description may have at most ${limits.descriptionCodePointsMax} characters.`,
  },
  context_too_large: {
    status: 400,
    message: `context may have at most ${limits.contextCodePointsMax} characters.`,
  },
  passcode_required: {
    status: 400,
    message: 'passcode is required. Send a string, or "" to remove the passcode.',
  },
  passcode_too_short: {
    status: 400,
    message: `passcode must have at least ${limits.passcodeCodePointsMin} characters.`,
  },
  metadata_only_on_patch: {
    status: 400,
    message: {
      http: "PATCH changes title, description, metadata, readers and expiry, not the page. Send new html with PUT.",
      tool: "edit_drop changes title, description, metadata, readers and expiry, not the page. Send new html with update_drop.",
    },
  },
  last_version_cannot_be_deleted: {
    status: 409,
    message: "This is the drop's only version. Delete the drop instead, or publish another version first.",
  },
  last_owner_cannot_leave: {
    status: 409,
    message: "A team needs an owner. Make another person an owner first.",
  },
  version_limit_reached: {
    status: 429,
    message: `The drop has reached the limit of ${limits.versionsPerDropMax} versions. Delete one first.`,
    retryAfterSeconds: limits.quotaRetryAfterSeconds,
  },
  rate_limited: {
    status: 429,
    message: {
      http: "Too many requests. Wait for the number of seconds in Retry-After, then try again.",
      tool: "Too many calls. Wait for error.details.retry_after_seconds seconds, then call again.",
    },
  },
  daily_quota_exceeded: {
    status: 429,
    message: {
      http: `This token has used its ${limits.writesPerDayPerToken} writes for the day. Wait for the number of seconds in Retry-After.`,
      tool: `This token has used its ${limits.writesPerDayPerToken} writes for the day. Wait for error.details.retry_after_seconds seconds.`,
    },
  },
  quota_exceeded: {
    status: 429,
    message: "The account has reached its quota. Delete something first.",
    retryAfterSeconds: limits.quotaRetryAfterSeconds,
  },
  empty_blob: {
    status: 400,
    message: {
      http: "The body is empty. Send the file's bytes as the request body.",
      tool: "The file is empty. Send its content as text or base64.",
    },
  },
  blob_too_large: { status: 400, message: `A blob may have at most ${limits.blobBytesMax} bytes.` },
  invalid_filename: {
    status: 400,
    message: "filename is required: 1 to 200 letters, digits, dashes, dots and spaces.",
  },
  invalid_id: { status: 400, message: "A blob's id has 7 letters or digits, such as `aB3dE5f`." },
  expired_code: {
    status: 400,
    message: "This code is unknown, used or older than 10 minutes. Ask the agent for a new one.",
  },
  method_not_allowed: {
    status: 405,
    message: "This address does not support this method. The Allow header lists the supported methods.",
  },
  format_not_supported: {
    status: 501,
    message: "Use format=json or format=xml.",
  },
  idempotency_key_reused: {
    status: 409,
    message:
      "This Idempotency-Key was already used with another request. Use a new key for each new request.",
  },
  secrets_found: {
    status: 400,
    message: "The text may contain secrets. Remove them, or send allow_secrets with a reason.",
  },
  several_match: {
    status: 409,
    message: "More than one drop matches. Name one of them by its slug, or filter by more metadata.",
  },
  precondition_failed: {
    status: 412,
    message: "The drop has changed since the revision in If-Match. Read it again before you change it.",
  },
  internal_error: {
    status: 500,
    message: {
      http: "The service failed. Try once more. If it fails again, report the request id in x-request-id.",
      tool: "The service failed. Try once more. If it fails again, stop and report it.",
    },
  },
  unavailable: {
    status: 503,
    message: {
      http: "The service is busy. Wait for the number of seconds in Retry-After, then try again.",
      tool: "The service is busy. Wait for error.details.retry_after_seconds seconds, then call again.",
    },
  },
  idp_unavailable: { status: 502, message: "The identity provider did not respond correctly. Try again." },
} as const satisfies Record<string, ErrorEntry>;

/** A message for callers of the HTTP API, with a variant for callers of MCP tools if the terms differ. */
export type Message = string | { readonly http: string; readonly tool: string };

/** The audiences of a message: callers of the HTTP API, or of MCP tools. */
export type Audience = "http" | "tool";

/** Returns the text of a message for one audience. */
export function wordsFor(audience: Audience, message: Message): string {
  return typeof message === "string" ? message : message[audience];
}

/** Writes a message for callers of the API and of tools. `call` returns the name of a call for the respective audience. */
export function inBothWords(write: (call: (http: string, tool: string) => string) => string): Message {
  return { http: write((http) => http), tool: write((_http, tool) => tool) };
}

/** Joins messages, for callers of the API and of tools, without repetitions. */
export function joinMessages(messages: readonly Message[]): Message {
  const [http, tool] = (["http", "tool"] as const).map((audience) => {
    const all = messages.map((one) => wordsFor(audience, one)).filter((one) => one !== "");
    return all.filter((one, at) => !all.slice(0, at).some((before) => before.includes(one))).join(" ");
  });
  return { http: http ?? "", tool: tool ?? "" };
}

/** An error code, for programs to branch on. */
export type ErrorCode = keyof typeof errorCatalog;

/** A link on a page. */
export interface PageLink {
  readonly href: string;
  readonly label: string;
}

/** Options of an error, in addition to its code. */
export interface ApiErrorOptions {
  /** Renders this error's own HTML page. Styles must have the nonce. @default - the common error page */
  readonly renderPage?: (nonce: string) => string;
  /** Link on the common error page. @default - the account page, sign-in page, owner's page or home page */
  readonly way?: PageLink;
  /**
   * Kind of the error page, which selects its Content Security Policy.
   *
   * @default - `framed` for a temporary failure in a frame, otherwise `sign-in`
   */
  readonly pageKind?: "feedback" | "framed" | "signed-in" | undefined;
  /** URLs of frames in the error page. @default - no frames of other hosts */
  readonly frames?: readonly string[];
  /** Message that names the field, its value and the allowed values. @default - the code's message in `errorCatalog` */
  readonly message?: Message;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Names of required fields that the request lacks. @default - none */
  readonly missing?: readonly string[];
  /**
   * Seconds until a retry can succeed, sent as Retry-After and as `details.retry_after_seconds`.
   *
   * @default - the code's value in `errorCatalog`
   */
  readonly retryAfterSeconds?: number;
  /** Methods that the path supports, for `method_not_allowed`. @default - the path supports the request's method */
  readonly allow?: readonly string[];
  readonly cause?: unknown;
}

/** The body of every 4xx and 5xx response; see section "Errors" of the specification. */
export interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** An error for the caller. The code determines the HTTP status, and the message says how to correct the call. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** The message, with its variants for callers of the API and of tools. */
  readonly both: Message;
  readonly retryAfterSeconds: number | undefined;
  readonly renderPage: ((nonce: string) => string) | undefined;
  readonly pageKind: "feedback" | "framed" | "signed-in" | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly allow: readonly string[] | undefined;
  readonly frames: readonly string[];
  readonly missing: readonly string[];
  readonly way: PageLink | undefined;
  readonly #options: ApiErrorOptions;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    const { status, message, retryAfterSeconds }: ErrorEntry = errorCatalog[code];
    const both = options.message ?? message;
    super(wordsFor("http", both), { cause: options.cause });
    this.both = both;
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = options.retryAfterSeconds ?? retryAfterSeconds;
    this.renderPage = options.renderPage;
    this.pageKind = options.pageKind;
    this.details = options.details ?? {};
    this.allow = options.allow;
    this.frames = options.frames ?? [];
    this.missing = options.missing ?? [];
    this.way = options.way;
    this.#options = options;
  }

  /** Returns a copy of the error with another message, and with additional details and names of missing fields. */
  saying(
    message: Message,
    details: Readonly<Record<string, unknown>> = {},
    missing: readonly string[] = this.missing,
  ): ApiError {
    const options = { ...this.#options, message, details: { ...this.details, ...details }, missing };
    return new ApiError(this.code, options);
  }

  /** Returns a copy of the error, with the messages of the request's other errors appended. */
  withFurther(messages: readonly Message[]): ApiError {
    return messages.length === 0 ? this : this.saying(joinMessages([this.both, ...messages]));
  }

  /** Returns a copy of the error with the message for callers of tools. */
  forTools(): ApiError {
    return this.saying(wordsFor("tool", this.both));
  }

  /** Returns the response's body, with the retry time in `details` if there is one. */
  toBody(): ErrorBody {
    const wait = this.retryAfterSeconds === undefined ? {} : { retry_after_seconds: this.retryAfterSeconds };
    const details = { ...this.details, ...wait };
    const hasDetails = Object.keys(details).length > 0;
    return { error: { code: this.code, message: this.message, ...(hasDetails ? { details } : {}) } };
  }
}

/** Handles a rejected promise: returns undefined for a `not_found` error, and throws every other error again. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof ApiError && error.code === "not_found") return undefined;
  throw error;
}
