import { expect, test } from "vitest";
import { parseReader, readReaders } from "../../functions/identity/reader-names.ts";
import { presentReader, toReaderRule } from "../../functions/policies/access.ts";

test.each([
  [" Ada@Example.COM ", { kind: "email", email: "ada@example.com" }, "ada@example.com"],
  ["ada+reports@mail.example.co", { kind: "email", email: "ada+reports@mail.example.co" }, undefined],
  ["@Example.com", { kind: "domain", domain: "example.com" }, "@example.com"],
  ["Ada-Lovelace", { kind: "username", username: "ada-lovelace" }, "ada-lovelace"],
  ["ada.lovelace", { kind: "username", username: "ada.lovelace" }, undefined],
  ["ÅSA", { kind: "username", username: "Åsa" }, "Åsa"],
])("%j is a valid reader, trimmed and with ASCII letters in lower case", (text, rule, written) => {
  const read = parseReader(text);

  expect(read).toEqual(rule);
  expect(read && presentReader(read)).toBe(written ?? text.toLowerCase());
  expect(toReaderRule(written ?? text.toLowerCase())).toEqual(rule);
});

test.each([
  ["example.com", "@example.com"],
  ["Mail.Example.DE", "@mail.example.de"],
  ["*@example.com", "@example.com"],
  ["*.example.com", "@example.com"],
  ["#Engineering", "group:Engineering"],
])("%j would match no one, and is refused with the intended form", (text, meant) => {
  const refused = readReaders(["ada", text]);

  expect(refused).toMatchObject({ params: { details: { field: "readers", index: 1, meant } } });
  expect(refused).toHaveProperty("message", expect.stringContaining(JSON.stringify(meant)));
});

test.each(["username:example.com", "username:#ada", "group:#ada", "ada.lovelace", "ada+*@example.com"])(
  "%j is accepted, and its displayed form is accepted as the same reader",
  (text) => {
    const read = readReaders([text]);
    const shown = Array.isArray(read) ? read.map(presentReader) : [];

    expect(shown).toEqual([text]);
    expect(readReaders(shown)).toEqual(read);
    expect(shown.map(toReaderRule)).toEqual(read);
  },
);

test.each([
  "",
  " ",
  "@",
  "@ada",
  "@.com",
  "@-example.com",
  "@example..com",
  "@example.com.",
  "ada@",
  "ada@localhost",
  "ada@@example.com",
  "ada@example.com, grace@example.com",
  "Ada <ada@example.com>",
  "mailto:ada@example.com",
  "ada lovelace",
  "ada@\u212aiosk.example.com",
  "\u212ate@example.com",
  "ada\u0000",
  "ada\ud800",
  "a".repeat(101),
  `@${"a.".repeat(126)}ab`,
])("%j is not a valid reader", (text) => {
  expect(parseReader(text)).toBeUndefined();
});
