import { InvalidArgumentError } from "commander";

/** API field for a drop's expiry. */
export type Expiry = { readonly expires_in_days: number } | { readonly expires_at: number | null };

/**
 * Parses a number of days, a date, a time, or "never". A date means the start of that day in UTC.
 *
 * @throws InvalidArgumentError that lists the accepted forms
 */
export function parseExpiry(text: string): Expiry {
  if (text === "never") return { expires_at: null };
  if (/^[1-9]\d{0,3}$/.test(text)) return { expires_in_days: Number(text) };
  const atMs = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(atMs)) return { expires_at: atMs };
  throw new InvalidArgumentError(
    "Use a number of days such as 30, a date such as 2027-01-31, a time such as 2027-01-31T18:00:00Z, or never.",
  );
}
