import { expect, test } from "vitest";
import { writeSecurityTxt } from "../../functions/discovery/text-documents.ts";
import { validateSettings } from "../../lib/settings/validate-settings.ts";
import { givenStack, resourcesOf } from "../lib/given-stack.ts";

const nowMs = Date.UTC(2026, 0, 15, 9, 30);
const contact = "mailto:security@example.com";

test("it names the contact and its own URL, and expires within the year that RFC 9116 recommends", () => {
  const canonicalUrl = "https://drops.example.com/.well-known/security.txt";

  const lines = writeSecurityTxt(contact, canonicalUrl, nowMs).split("\n");

  expect(lines).toEqual([
    "Contact: mailto:security@example.com",
    "Expires: 2026-04-15T00:00:00Z",
    `Canonical: ${canonicalUrl}`,
    "Preferred-Languages: en",
    "",
  ]);
});

test("every function for requests gets the contact, if it is set, and no worker does", {
  tags: "nightly",
}, () => {
  const contactsOf = (settings: object) => {
    const functions = Object.values(resourcesOf(givenStack(settings), "AWS::Lambda::Function"));
    return functions.map(({ Properties }) => [
      // Only functions that handle requests have names: `operationFunctionPrefix`.
      Properties.FunctionName !== undefined,
      Properties.Environment?.Variables?.SECURITY_CONTACT,
    ]);
  };

  const told = contactsOf({ securityContact: contact });

  expect(told).toContainEqual([true, contact]);
  expect(told).toContainEqual([false, undefined]);
  expect(told.filter(([responses, known]) => responses !== (known === contact))).toEqual([]);
  expect(contactsOf({}).filter(([, known]) => known !== undefined)).toEqual([]);
});

test.each([contact, "https://example.com/security"])("%s is a contact", (securityContact) => {
  expect(() => validateSettings({ securityContact })).not.toThrow();
});

test.each(["security@example.com", "http://example.com/", "mailto:nobody", "mailto:a@b\nExpires: never", ""])(
  "%j is not a contact",
  (securityContact) => {
    expect(() => validateSettings({ securityContact })).toThrow(
      /securityContact is .*mailto:security@example\.com/,
    );
  },
);
