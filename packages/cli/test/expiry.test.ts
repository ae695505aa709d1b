import { expect, test } from "vitest";
import { parseExpiry } from "../src/expiry.ts";

test.each([
  ["30", { expires_in_days: 30 }],
  ["2027-01-31", { expires_at: Date.UTC(2027, 0, 31) }],
  ["2027-01-31T18:00:00Z", { expires_at: Date.UTC(2027, 0, 31, 18) }],
  ["2027-01-31T18:00:00+01:00", { expires_at: Date.UTC(2027, 0, 31, 17) }],
  ["never", { expires_at: null }],
])("an expiry is a number of days, a date, a time with its zone, or never: %s", (text, expected) => {
  expect(parseExpiry(text)).toEqual(expected);
});

test.each(["0", "1.5", "tomorrow", "2027-13-01", "2027-01-31T18:00", ""])(
  "the expiry %j is refused with the valid forms",
  (text) => {
    expect(() => parseExpiry(text)).toThrow("Use a number of days such as 30");
  },
);
