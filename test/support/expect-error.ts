import { expect } from "vitest";
import { type ErrorCode, errorCatalog } from "../../functions/platform/errors.ts";
import type { Answer } from "./http.ts";
import { expectCommonHeaders, expectJsonHeaders } from "./security-headers.ts";

/** What a refusal says about its cause. */
export interface ErrorFacts {
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Checks a refusal of the JSON API whole: status by the catalogue, the section "Errors" of the specification and its
 * headers. Returns what it says.
 */
export function expectError(answer: Answer, code: ErrorCode): ErrorFacts {
  const body = readErrorBody(answer);
  expect({ status: answer.status, code: body.error.code }).toEqual({
    status: errorCatalog[code].status,
    code,
  });
  expectErrorShape(answer);
  return {
    message: String(body.error.message),
    details: (body.error.details as ErrorFacts["details"]) ?? {},
  };
}

/** Checks the shape that every 4xx and 5xx of the JSON API has, whatever its code and whoever made it. */
export function expectErrorShape(answer: Answer): void {
  expectJsonHeaders(answer);
  const body = readErrorBody(answer);
  const { code, message, details, ...beyond } = body.error;
  expect(Object.keys(body)).toEqual(["error"]);
  expect(beyond).toEqual({});
  expect(Object.keys(errorCatalog)).toContain(code);
  expect(message).toEqual(expect.stringMatching(/\S/));
  if (details !== undefined) expect(details).toEqual(expect.any(Object));
  expectRetryAfter(answer, details);
  // RFC 9110, section 11.6.1.
  if (answer.status === 401) expect(answer.headers["www-authenticate"]).toMatch(/^Bearer\b/);
}

/** Checks a refusal that people see: a styled HTML page with the catalogue's status that runs no script. */
export function expectErrorPage(answer: Answer, status: number): void {
  expect(answer.status).toBe(status);
  expectCommonHeaders(answer);
  expect(answer.headers["content-type"]).toMatch(/^text\/html; ?charset=utf-8$/i);
  expect(answer.headers["cache-control"]).toContain("no-store");
  expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
  expect(answer.text).toMatch(/^<!doctype html>/i);
  expect(answer.text).toContain("<style");
  expect(answer.text).not.toContain("<script");
}

function expectRetryAfter(answer: Answer, details: unknown): void {
  const seconds = (details as { retry_after_seconds?: unknown } | undefined)?.retry_after_seconds;
  if (answer.status !== 429 && answer.status !== 503) {
    expect({ header: answer.headers["retry-after"], seconds }).toEqual({
      header: undefined,
      seconds: undefined,
    });
    return;
  }
  expect(answer.headers["retry-after"]).toMatch(/^[1-9][0-9]*$/);
  expect(seconds).toBe(Number(answer.headers["retry-after"]));
}

function readErrorBody(answer: Answer): { error: Record<string, unknown> } {
  try {
    const body = JSON.parse(answer.text) as { error: Record<string, unknown> };
    if (typeof body.error === "object") return body;
  } catch {
    // Reported below, with what came.
  }
  throw new Error(
    `Expected an error in JSON, but ${answer.status} came with ${JSON.stringify(answer.text.slice(0, 300))}.`,
  );
}
