import * as z from "zod/mini";
import { daysMax } from "../core/environment.ts";
import { freeText } from "../http/query.ts";
import { accepts, describe, mustBe, problem, quote, schema } from "../http/schemas.ts";

function expiryField(
  name: string,
  is: string,
  bounds: { readonly minimum: number; readonly maximum?: number; readonly "x-unit"?: string },
  source?: z.ZodMiniType,
) {
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = bounds;
  return accepts(
    z.pipe(
      source ?? z.unknown(),
      z.transform((value, context): number | null => {
        if (value === null) return null;
        if (Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum)
          return Number(value);
        const isInSeconds = name === "expires_at" && Number(value) >= secondsMin && Number(value) < minimum;
        const message = isInSeconds
          ? `expires_at must be in milliseconds, but ${value} looks like seconds. Send ${Number(value) * 1000}.`
          : `${name} ${mustBe(`${is}, or null for never`, shownExpiry(value))}`;
        context.issues.push({
          code: "custom",
          input: value,
          ...problem("invalid_arg", message, { field: name }),
        });
        return z.NEVER;
      }),
    ),
    source === undefined ? { type: ["integer", "null"], ...bounds } : { type: "string" },
  );
}

/** Smallest number that is treated as a time in seconds. As milliseconds, it would be a date in 1970. */
const secondsMin = 1_000_000_000;

/** Quotes an invalid expiry for an error message. For a future date, adds the number to send. */
function shownExpiry(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return describe(value);
  const atMs = /^\d{4}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(atMs)) return quote(value);
  return atMs > Date.now() ? `${quote(value)}: send ${atMs}` : `${quote(value)}, which is in the past`;
}

/** Fields of a JSON body that set when a drop or a file expires; see docs/adr/0093-expiry-and-trash.md. */
export const expiryFields = /* @__PURE__ */ schema(() => checkedFields());

function checkedFields(source?: () => z.ZodMiniType) {
  const days = { minimum: 1, maximum: daysMax };
  return {
    expires_at: z.optional(
      expiryField(
        "expires_at",
        "a future Unix time in milliseconds",
        { minimum: secondsMin * 100, "x-unit": "future, Unix ms" },
        source?.(),
      ),
    ),
    expires_in_days: z.optional(
      expiryField("expires_in_days", `a whole number from 1 to ${daysMax}`, days, source?.()),
    ),
  };
}

/** Parses a query parameter that is a JSON number or `null`. */
function numberOrNull() {
  return z.pipe(
    freeText(),
    z.transform((value) => (value === "null" ? null : /^-?\d+$/.test(value) ? Number(value) : value)),
  );
}

/** Expiry fields as query parameters, for a request whose body is the page. The JSON body's schema checks the values afterwards. */
export const expiryTexts = /* @__PURE__ */ schema(() => ({
  expires_at: z.optional(accepts(numberOrNull(), { type: "string" })),
  expires_in_days: z.optional(accepts(numberOrNull(), { type: "string" })),
}));

/** Expiry fields as query parameters, with checks of their values. */
export const expiryParameters = /* @__PURE__ */ schema(() => checkedFields(numberOrNull));
