import { expect } from "vitest";
import { ApiError } from "../../functions/core/errors.ts";

/** The refusal that reading a folder ends with. */
export async function refusalOf(read: () => unknown): Promise<ApiError> {
  try {
    await read();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return expect.fail("The folder was accepted.");
}
