import { expect, test } from "vitest";
import { formatAddress, formatExactSize, formatMinute, formatSize } from "../../functions/html/format.tsx";

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1_023, "1,023 bytes"],
  [1_024, "1 KB"],
  [1_536, "1.5 KB"],
  [12_345, "12 KB"],
  [1_048_575, "1 MB"],
  [26_214_400, "25 MB"],
  [1_073_741_824, "1 GB"],
  [5_000 * 1_073_741_824, "5,000 GB"],
])("%i bytes are shown as %s", (sizeBytes, words) => {
  expect(formatSize(sizeBytes)).toBe(words);
});

test("an exact size has every byte", () => {
  expect(formatExactSize(1_843_201)).toBe("1,843,201 bytes");
});

test("times are shown in UTC, to the minute", () => {
  const atMs = Date.UTC(2025, 11, 31, 23, 59, 58);

  expect(formatMinute(atMs)).toBe("31 Dec 2025, 23:59 UTC");
});

test.each([
  ["https://ada.drops.example.com/", "ada.drops.example.com"],
  ["http://ada.localhost:8787/", "ada.localhost:8787"],
  ["https://d111.cloudfront.net/@ada/", "d111.cloudfront.net/@ada"],
])("the URL %s is shown as %s", (url, said) => {
  expect(formatAddress(url)).toBe(said);
});
