import type { ErrorCode } from "../../../functions/core/errors.ts";
import type { OAuthCode } from "../../../functions/oauth/oauth-error.ts";

/** What is sent beside method and address. */
export interface Sent {
  /** Sent as JSON, with its type. */
  readonly json?: unknown;
  /** Sent as it is, in place of `json`. */
  readonly body?: string | Uint8Array;
  /** Beside the token's; `authorization: ""` sends none. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** A call that somebody would make who has not read everything, and what mends it. */
export interface WrongCall {
  /** What is wrong, in words. */
  readonly what: string;
  /** Method and address; `{slug}` and the like are filled in. */
  readonly call: string;
  readonly sent: Sent;
  readonly status: number;
  /** Error code of a refusal. @default - the call is carried out, and says something in `warnings`, or a tool's result says it */
  readonly code?: ErrorCode | OAuthCode;
  /** What the message, the details or the warnings must tell, so that the next call is right. */
  readonly hint: RegExp;
  /** The methods of `Allow`, at least these. @default - there is no such header */
  readonly allow?: readonly string[];
}

/** A call that is refused, and told how it would be right. */
export function refused(
  what: string,
  call: string,
  sent: Sent,
  [status, code]: readonly [number, ErrorCode],
  hint: RegExp,
): WrongCall {
  return { what, call, sent, status, code, hint };
}

/** A call that is carried out, and told what was surely not meant. */
export function warned(what: string, call: string, sent: Sent, status: number, hint: RegExp): WrongCall {
  return { what, call, sent, status, hint };
}

/** An address that redirects to the one that was meant. */
export function redirected(what: string, call: string, location: RegExp): WrongCall {
  return { what, call, sent: {}, status: 308, hint: location };
}

/** Another spelling of a page's address, which leads a reader to the page. */
export function led(what: string, call: string, location: RegExp, headers = {}): WrongCall {
  return { what, call, sent: { headers }, status: 303, hint: location };
}

/** Headers of a browser. */
export const asPerson = { accept: "text/html", authorization: "" };

/** A method that its address does not have. */
export function notAllowed(what: string, call: string, allow: readonly string[], hint: RegExp): WrongCall {
  return { what, call, sent: {}, status: 405, code: "method_not_allowed", hint, allow };
}

export const notFound = [404, "not_found"] as const;
export const invalidSlug = [400, "invalid_slug"] as const;
export const unauthorized = [401, "unauthorized"] as const;
export const invalidArg = [400, "invalid_arg"] as const;
export const invalidJson = [400, "invalid_json"] as const;
export const titleRequired = [400, "title_required"] as const;
export const htmlRequired = [400, "html_required"] as const;
export const passcodeRequired = [400, "passcode_required"] as const;

/** A page and its title, of which nothing is wrong. */
export const page = { title: "A page", html: "<!doctype html><title>A page</title><p>Hello" } as const;
