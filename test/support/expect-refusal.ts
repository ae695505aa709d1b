import { expect } from "vitest";
import { ApiError, type ErrorCode } from "../../functions/core/errors.ts";

/**
 * Checks the code of the thrown error, and that its message contains each word: the field, the value, the allowed
 * values.
 */
export function expectRefusal(act: () => unknown, code: ErrorCode, words: readonly string[]): void {
  const error = thrownBy(act);
  expect(error.code).toBe(code);
  for (const word of words) expect(error.message).toContain(word);
}

function thrownBy(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("Expected a refusal, but the value was accepted.");
}
