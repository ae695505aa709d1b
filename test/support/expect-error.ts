import { expect } from "vitest";
import { type ErrorCode, errorCatalog } from "../../functions/core/errors.ts";
import type { ReceivedResponse } from "./http.ts";
import { expectCommonHeaders, expectJsonHeaders, expectOwnScripts } from "./security-headers.ts";

/** Details of an error. */
export interface ErrorFacts {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Checks a refusal of the JSON API whole: status by the catalogue, the section "Errors" of the specification and its
 * headers. Returns what it says.
 */
export function expectError(response: ReceivedResponse, code: ErrorCode): ErrorFacts {
  const body = readErrorBody(response);
  expect({ status: response.status, code: body.error.code }).toEqual({
    status: errorCatalog[code].status,
    code,
  });
  expectErrorShape(response);
  // Every refusal of a known call has it: test/refusals/expected-call.test.ts.
  const { expected: _, ...details } = (body.error.details as ErrorFacts["details"]) ?? {};
  return { message: String(body.error.message), details };
}

/** Checks the shape that every 4xx and 5xx of the JSON API has, whatever its code and whoever made it. */
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

/** Checks a refusal that people see: a styled HTML page with the catalogue's status that runs no script but the service's own. */
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
    // Reported below, with what came.
  }
  throw new Error(
    `Expected an error in JSON, but ${response.status} came with ${JSON.stringify(response.text.slice(0, 300))}.`,
  );
}
