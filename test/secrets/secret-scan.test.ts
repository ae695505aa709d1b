import fc from "fast-check";
import { expect, test } from "vitest";
import { scanForSecrets } from "../../functions/secrets/secret-scan.ts";
import { createTokenPlaintext } from "../../functions/table/identifiers.ts";
import { collectOrdinaryPages } from "../../scripts/bench/secrets/ordinary-pages.ts";
import { plantSecrets } from "../../scripts/bench/secrets/planted-secrets.ts";
import {
  hostileInputs,
  measureProcessorMs,
  ordinaryInputs,
  repeatTo,
} from "../../scripts/bench/secrets/scan-inputs.ts";
import { seededNumbers } from "../../scripts/bench/seeded-numbers.ts";

const token = createTokenPlaintext(seededNumbers(3));

test("at least 95 of 100 planted secrets are found", () => {
  const planted = plantSecrets(1);

  const missed = planted
    .filter(({ text }) => scanForSecrets(text).found.length === 0)
    .map(({ name }) => name);

  expect(planted.length).toBeGreaterThan(1_500);
  expect(missed.length / planted.length, missed.join("\n")).toBeLessThanOrEqual(0.05);
});

test("at most one of 200 ordinary pages raises a false alarm", { tags: "nightly" }, () => {
  const pages = collectOrdinaryPages();

  const alarms = pages.filter(({ text }) => scanForSecrets(text).found.length > 0).map(({ name }) => name);

  expect(pages.length).toBeGreaterThan(400);
  expect(alarms.length / pages.length, alarms.join("\n")).toBeLessThanOrEqual(1 / 200);
});

/** The least time of three runs in milliseconds of a processor, without the limit of a scan. */
function leastMs(text: string): number {
  const measured = [1, 2, 3].map(() =>
    measureProcessorMs(() => scanForSecrets(text, Number.POSITIVE_INFINITY)),
  );
  return Math.min(...measured);
}

// `npm run bench secrets` measures the time itself, which depends on the machine.
test("a page eight times the size takes at most 24 times the time", { tags: "nightly" }, () => {
  for (const [name, unit] of [...ordinaryInputs(), ...hostileInputs]) {
    // A short time may be rounded down to zero: some systems count in steps of 4 ms.
    const shortMs = 4 + leastMs(repeatTo(250_000, unit));
    expect(leastMs(repeatTo(2_000_000, unit)), name).toBeLessThanOrEqual(24 * shortMs);
  }
});

test("a scan says that it could not finish", () => {
  const many = Array.from({ length: 200 }, () => createTokenPlaintext(seededNumbers(Math.random() * 1e9)));

  expect(scanForSecrets(many.join("\n"))).toMatchObject({ isComplete: false });
  expect(scanForSecrets(token)).toMatchObject({ isComplete: true });
});

test("the place of a secret is its line and column in the page as it was sent", () => {
  const page = `<h1>Notes</h1>\n<p>é &amp; <b>${token.slice(0, 8)}</b>${token.slice(8)}</p>`;

  expect(scanForSecrets(page).found).toEqual([{ rule: "dropleaf-token", line: 2, column: 15 }]);
});

test("a token of this service with a wrong checksum is none", () => {
  const mistyped = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");

  expect(scanForSecrets(mistyped).found).toEqual([]);
});

test("a comment in the page does not turn the scan off", () => {
  const page = `<!-- secretlint-disable -->\n<p>${token}</p>`;

  expect(scanForSecrets(page).found).toMatchObject([{ rule: "dropleaf-token", line: 2 }]);
});

test("a secret is found wherever a window of the scan ends", () => {
  fc.assert(
    fc.property(fc.integer({ min: 65_400, max: 65_600 }), (before) => {
      const page = `${"a ".repeat(before / 2)}${token} ${"b ".repeat(40_000)}`;

      expect(scanForSecrets(page).found).toMatchObject([{ rule: "dropleaf-token" }]);
    }),
    { numRuns: 30 },
  );
});

test("no text makes the scan fail", { tags: "slow" }, () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(...hostileInputs.values(), token, "<", "&#", "\ud800"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const { found } = scanForSecrets(pieces.join(""));

      for (const { line, column } of found) expect(Math.min(line, column)).toBeGreaterThan(0);
    }),
    { numRuns: 300 },
  );
});
