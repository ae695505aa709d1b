import { expect } from "vitest";
import { ApiError } from "../../functions/core/errors.ts";

/** Returns the error with which reading a folder fails. */
export async function refusalOf(read: () => unknown): Promise<ApiError> {
  try {
    await read();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return expect.fail("The folder was accepted.");
}
