import { ApiError } from "./errors.ts";
import { type Address, findNearest } from "./nearest-address.ts";
import type { Site } from "./site.ts";

/** The refusal of a call of the API that there is none of: which there are, and where all of them are told. */
export function explainMissing(
  method: string,
  asked: string,
  addresses: readonly Address[],
  { baseUrl }: Site,
): ApiError {
  const { allow, nearest } = findNearest(method, asked, addresses);
  const guide = `${baseUrl}/llms.txt`;
  const ways = nearest.map((one) => `${one.method} ${one.path} (${one.summary})`).join("; ");
  const near = ways === "" ? "" : ` Did you mean: ${ways}?`;
  const details = { nearest: nearest.map((one) => `${one.method} ${one.path}`), guide };
  const shown = JSON.stringify(asked.slice(0, 100));
  if (allow.length === 0) {
    const message = `There is nothing at ${shown}.${near} The guide to all calls is ${guide}.`;
    return new ApiError("not_found", { message, details });
  }
  const message = `${shown} does not support ${method}. Use ${allow.join(", ")}.${near} The guide to all calls is ${guide}.`;
  return new ApiError("method_not_allowed", { message, details: { allow, ...details }, allow });
}
