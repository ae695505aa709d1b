import { expect } from "vitest";
import { type ErrorCode, errorCatalog } from "../../functions/core/errors.ts";
import type { ReceivedResponse } from "./http.ts";
import { expectCommonHeaders, expectJsonHeaders, expectOwnScripts } from "./security-headers.ts";

/** Message and details of an error. */
export interface ErrorFacts {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Checks a complete JSON error response: the status, the shape in the specification's section "Errors", and the
 * headers. Returns its message and details.
 */
export function expectError(response: ReceivedResponse, code: ErrorCode): ErrorFacts {
  const body = readErrorBody(response);
  expect({ status: response.status, code: body.error.code }).toEqual({
    status: errorCatalog[code].status,
    code,
  });
  expectErrorShape(response);
  // Every error of a known operation has `expected`: test/http/expected-call.test.ts.
  const { expected: _, ...details } = (body.error.details as ErrorFacts["details"]) ?? {};
  return { message: String(body.error.message), details };
}

/** Checks the shape that every 4xx and 5xx response of the JSON API has, whatever its code. */
export function expectErrorShape(response: ReceivedResponse): void {
  expectJsonHeaders(response);
  const body = readErrorBody(response);
  const { code, message, details, ...beyond } = body.error;
  expect(Object.keys(body)).toEqual(["error"]);
  expect(beyond).toEqual({});
  expect(Object.keys(errorCatalog)).toContain(code);
  expect(message).toEqual(expect.stringMatching(/\S/));
  if (details !== undefined) expect(details).toEqual(expect.any(Object));
  expectRetryAfter(response, details);
  // RFC 9110, section 11.6.1.
  if (response.status === 401) expect(response.headers["www-authenticate"]).toMatch(/^Bearer\b/);
}

/** Checks an error page: styled HTML with the given status that runs only the service's own scripts. */
export function expectErrorPage(response: ReceivedResponse, status: number): void {
  expect(response.status).toBe(status);
  expectCommonHeaders(response);
  expect(response.headers["content-type"]).toMatch(/^text\/html; ?charset=utf-8$/i);
  expect(response.headers["cache-control"]).toContain("no-store");
  expect(response.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(response.text).toMatch(/^<!doctype html>/i);
  expect(response.text).toContain("<style");
  expectOwnScripts(response);
}

function expectRetryAfter(response: ReceivedResponse, details: unknown): void {
  const seconds = (details as { retry_after_seconds?: unknown } | undefined)?.retry_after_seconds;
  if (response.status !== 429 && response.status !== 503) {
    expect({ header: response.headers["retry-after"], seconds }).toEqual({
      header: undefined,
      seconds: undefined,
    });
    return;
  }
  expect(response.headers["retry-after"]).toMatch(/^[1-9][0-9]*$/);
  expect(seconds).toBe(Number(response.headers["retry-after"]));
}

function readErrorBody(response: ReceivedResponse): { error: Record<string, unknown> } {
  try {
    const body = JSON.parse(response.text) as { error: Record<string, unknown> };
    if (typeof body.error === "object") return body;
  } catch {
    // Reported below, with the received body.
  }
  throw new Error(
    `Expected an error in JSON, but ${response.status} came with ${JSON.stringify(response.text.slice(0, 300))}.`,
  );
}
