import fc from "fast-check";
import { expect, test } from "vitest";
import { finders, findSecrets, type SecretMatch } from "../../functions/secrets/secret-patterns.ts";
import { scanForSecrets } from "../../functions/secrets/secret-scan.ts";
import { tokenFormats } from "../../functions/secrets/token-formats.ts";
import { createTokenPlaintext } from "../../functions/table/identifiers.ts";
import { largeHtml } from "../support/sample-page.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";
import { collectOrdinaryPages } from "./ordinary-pages.ts";
import { plantSecrets } from "./planted-secrets.ts";
import { hostileInputs, measureProcessorMs, ordinaryInputs, repeatTo } from "./scan-inputs.ts";

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

/** The minimum of three runs in milliseconds of processor time, without the scan's time limit. */
function leastMs(text: string): number {
  const measured = [1, 2, 3].map(() =>
    measureProcessorMs(() => scanForSecrets(text, Number.POSITIVE_INFINITY)),
  );
  return Math.min(...measured);
}

test("a page eight times the size takes at most 24 times the processor time", { tags: "nightly" }, () => {
  for (const [name, unit] of [...ordinaryInputs(), ...hostileInputs]) {
    // A short time may be rounded down to zero: some systems measure in steps of 4 ms.
    const shortMs = 4 + leastMs(repeatTo(250_000, unit));
    expect(leastMs(repeatTo(2_000_000, unit)), name).toBeLessThanOrEqual(24 * shortMs);
  }
});

test("a scan with too many findings reports that it is incomplete", () => {
  const many = Array.from({ length: 200 }, () => createTokenPlaintext(seededNumbers(Math.random() * 1e9)));

  expect(scanForSecrets(many.join("\n"))).toMatchObject({ isComplete: false });
  expect(scanForSecrets(token)).toMatchObject({ isComplete: true });
});

test("the position of a secret is its line and column in the page as sent", () => {
  const page = `<h1>Notes</h1>\n<p>é &amp; <b>${token.slice(0, 8)}</b>${token.slice(8)}</p>`;

  expect(scanForSecrets(page).found).toEqual([{ rule: "dropleaf-token", line: 2, column: 15 }]);
});

test("a token of this service with a wrong checksum is not a secret", () => {
  const mistyped = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");

  expect(scanForSecrets(mistyped).found).toEqual([]);
});

test("a comment in the page does not disable the scan", () => {
  const page = `<!-- secretlint-disable -->\n<p>${token}</p>`;

  expect(scanForSecrets(page).found).toMatchObject([{ rule: "dropleaf-token", line: 2 }]);
});

/** Ways in which a page shows two parts of a text as one word. */
const joinedParts: readonly (readonly [string, (first: string, second: string) => string])[] = [
  ["a comment", (first, second) => `${first}<!-- a > b -->${second}`],
  ["an empty comment", (first, second) => `${first}<!-->${second}`],
  ["a comment with a malformed end", (first, second) => `${first}<!-- a --!>${second}`],
  ["a processing instruction", (first, second) => `${first}<?php a ?>${second}`],
  ["an end tag without a name", (first, second) => `${first}</>${second}`],
  ["a soft hyphen", (first, second) => `${first}\u00ad${second}`],
  ["&shy;", (first, second) => `${first}&shy;${second}`],
  ["a zero-width space", (first, second) => `${first}\u200b${second}`],
  ["a reference to a zero-width space", (first, second) => `${first}&#x200B;&ZeroWidthSpace;${second}`],
  ["a word joiner", (first, second) => `${first}\u2060${second}`],
  ["a byte order mark", (first, second) => `${first}\ufeff${second}`],
  ["a variation selector beyond the basic plane", (first, second) => `${first}\u{e0100}${second}`],
  ["an optional line break", (first, second) => `${first}<wbr>${second}`],
  ["a custom element", (first, second) => `${first}<x-mark>${second}</x-mark>`],
  ["a tag with a quoted >", (first, second) => `${first}<b title="a>b">${second}</b>`],
];

test.each(joinedParts)("a secret is found across %s", (_, join) => {
  const page = `<p>${join(token.slice(0, 12), token.slice(12))}</p>`;

  expect(scanForSecrets(page).found).toEqual([{ rule: "dropleaf-token", line: 1, column: 4 }]);
});

test("every character that browsers ignore is skipped", () => {
  const isIgnorable = /\p{Default_Ignorable_Code_Point}/u;
  const all = Array.from({ length: 0x110000 }, (_, code) => code).filter(
    (code) => (code < 0xd800 || code > 0xdfff) && isIgnorable.test(String.fromCodePoint(code)),
  );

  const missed = [...all.filter((code) => code < 0xe0200), 0xe0fff].filter((code) => {
    const page = token.slice(0, 9) + String.fromCodePoint(code) + token.slice(9);
    return scanForSecrets(page).found.length === 0;
  });

  expect(all.length).toBeGreaterThan(4_000);
  expect(missed).toEqual([]);
});

test.each([
  ["a token of this service", token],
  ["a token of GitHub", ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_")],
  ["a token of npm", ["npm", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_")],
  ["a key of Amazon", ["AKIA", "Q2W3E4R5T6Y7U2I3"].join("")],
])("%s is found directly after a letter", (_, secret) => {
  expect(scanForSecrets(`<p>Key${secret}</p>`).found).toMatchObject([{ line: 1, column: 7 }]);
});

test("names that contain a token's prefix are not secrets", () => {
  const text = "pnpm_config_verify_deps_before_run_scripts1 turkey-d41d8cd98f00b204e9800998ecf8427e";

  expect(scanForSecrets(text).found).toEqual([]);
});

test.each([
  ["a comment", `<p>A<!-- the key: ${token} -->B</p>`],
  ["highlighted code in a comment", `<!-- <b>${token.slice(0, 9)}</b><i>${token.slice(9)}</i> -->`],
  ["a comment without an end", `<!-- ${token}`],
  ["a processing instruction", `<?key ${token} ?>`],
])("a secret in %s is found", (_, page) => {
  expect(scanForSecrets(page).found).toMatchObject([{ rule: "dropleaf-token" }]);
});

/** Matches of each rule alone, as if every text had every literal. Tokens inside words are skipped. */
function findByEachRule(text: string): SecretMatch[] {
  const ofFormats = tokenFormats.flatMap(([rule, starts, rest, { before, isReal = () => true } = {}]) => {
    const literals = starts.split(" ").map((one) => one.replaceAll(/[.?]/g, "\\$&"));
    const source = `(?<!\\w)${before?.pattern ?? ""}(?:${literals.join("|")})${rest}(?![A-Za-z0-9])`;
    return [...text.matchAll(new RegExp(source, "g"))]
      .filter(([match]) => isReal(match))
      .map(({ 0: match, index }) => ({ rule, start: index, end: index + match.length }));
  });
  return [
    ...ofFormats,
    ...finders.slice(tokenFormats.length).flatMap((finder) => [...finder.find(text, [])]),
  ];
}

/** Rules and positions of matches, sorted, without tokens inside words. */
function withoutWords(text: string, matches: Iterable<SecretMatch>): string[] {
  const apart = [...matches].filter(({ start }) => !/\w/.test(text.charAt(start - 1)));
  return [...new Set(apart.map(({ rule, start, end }) => `${rule} ${start}-${end}`))].sort();
}

function findByLiterals(text: string): SecretMatch[] {
  return [...findSecrets(text)].flatMap((matches) => [...matches]);
}

test("the search by literals finds everything that each rule alone finds", () => {
  for (const { name, text } of plantSecrets(5))
    expect(withoutWords(text, findByLiterals(text)), name).toEqual(withoutWords(text, findByEachRule(text)));
});

test("the search by literals finds the same as each rule alone in texts of many parts", {
  tags: "slow",
}, () => {
  const planted = plantSecrets(6).map(({ text }) => text);
  const piece = fc.oneof(
    fc.constantFrom(...planted),
    fc.constantFrom(...hostileInputs.values()),
    fc.constantFrom(" ", "\n", "-", "_", "x", "9", ":", "/", '"', "é"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");

      expect(withoutWords(text, findByLiterals(text))).toEqual(withoutWords(text, findByEachRule(text)));
    }),
    { numRuns: 300 },
  );
});

// The number of rules is tested, because the time depends on the machine.
test("a rule runs only on texts that contain one of its literals", () => {
  const run = [...findSecrets(largeHtml)];

  expect(finders.length).toBeGreaterThan(100);
  expect(run.length).toBeLessThanOrEqual(8);
});

test("a secret is found even at the end of a window of the scan", () => {
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
