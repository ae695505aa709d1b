import { expect, test } from "vitest";
import { parseEmailAddress, parseEmailDomain } from "../../functions/people/email-addresses.ts";
import { emailDomainOf } from "../../functions/policies/access.ts";

test.each([
  ["ada@example.com", "ada@example.com"],
  [" Ada.Lovelace+drops@Mail.EXAMPLE.com ", "ada.lovelace+drops@mail.example.com"],
  ["ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"],
])("%j is normalized to %j", (given, address) => {
  expect(parseEmailAddress(given)).toBe(address);
});

test.each([
  "ada",
  "@example.com",
  "ada@",
  "ada@localhost",
  "ada@example.com.",
  "ada@.example.com",
  "ada@example..com",
  "ada@-example.com",
  "ada@exa mple.com",
  "ada@evil.example@example.com",
  '"ada@evil.example"@example.com',
  "ada\n@example.com",
  "ada@example.com\u0000",
  "ada@ex\u0430mple.com",
  "\u212Aate@example.com",
  "ada@b\u00fccher.example",
  "ada@\uff45xample.com",
  ".ada@example.com",
  "ada@example.com>",
  `${"a".repeat(250)}@example.com`,
  "ada@127.0.0.1",
])("%j is not an e-mail address", (given) => {
  expect(parseEmailAddress(given)).toBeUndefined();
});

test("a domain is normalized to lower case, and must consist of ASCII letters without an at sign", () => {
  expect(parseEmailDomain("Example.COM")).toBe("example.com");
  for (const none of ["", "@example.com", "com", "example.com.", "ex\u0430mple.com", "*.example.com"])
    expect(parseEmailDomain(none)).toBeUndefined();
});

test("the domain of an address follows its at sign", () => {
  expect(emailDomainOf("ada@mail.example.com")).toBe("mail.example.com");
});
