import * as z from "zod/mini";
import { daysMax } from "../core/environment.ts";
import { freeText } from "../http/query.ts";
import { accepts, describe, mustBe, problem, quote, schema } from "../http/schemas.ts";

/** A whole number, or null for never. */
function expiryField(
  name: string,
  is: string,
  bounds: { readonly minimum: number; readonly maximum?: number },
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
        const message = `${name} ${mustBe(`${is}, or null for never`, shownExpiry(value))}`;
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

/** Shows a date as the number to send. */
function shownExpiry(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return describe(value);
  const atMs = /^\d{4}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? quote(value) : `${quote(value)} (${atMs})`;
}

/** Fields of a JSON body that say when a drop or a file expires: docs/adr/0093-expiry-and-trash.md. */
export const expiryFields = /* @__PURE__ */ schema(() => checkedFields());

function checkedFields(source?: () => z.ZodMiniType) {
  const days = { minimum: 1, maximum: daysMax };
  return {
    expires_at: z.optional(
      expiryField("expires_at", "Unix time in milliseconds", { minimum: 0 }, source?.()),
    ),
    expires_in_days: z.optional(
      expiryField("expires_in_days", `a whole number from 1 to ${daysMax}`, days, source?.()),
    ),
  };
}

/** Parses a number or null in a query, as JSON writes them. */
function numberOrNull() {
  return z.pipe(
    freeText(),
    z.transform((value) => (value === "null" ? null : /^-?\d+$/.test(value) ? Number(value) : value)),
  );
}

/** The same fields as query parameters beside a page. The schema of the JSON body checks their values. */
export const expiryTexts = /* @__PURE__ */ schema(() => ({
  expires_at: z.optional(accepts(numberOrNull(), { type: "string" })),
  expires_in_days: z.optional(accepts(numberOrNull(), { type: "string" })),
}));

/** The same fields as query parameters that are checked. */
export const expiryParameters = /* @__PURE__ */ schema(() => checkedFields(numberOrNull));
