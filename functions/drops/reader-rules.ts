import type { ReaderRule } from "./drop.ts";

/** RFC 1035, section 2.3.4, and a dot in it: mail for a bare name never leaves its machine. */
const domainPattern =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** RFC 5321, section 4.5.3.1.1. What providers verify has no quotation marks in it. */
const localPartPattern = /^[^\s@,;:<>()[\]\\"\p{C}]{1,64}$/u;

/** What providers call people; nothing by which it could be taken for something else. */
const usernamePattern = /^[^\s@,;:<>()[\]\\"\p{C}]{1,100}$/u;

/** Reads an e-mail address, `@domain` or a user name, in any case; undefined for what is none of them. */
export function parseReader(text: string): ReaderRule | undefined {
  const rule = toReaderRule(text.trim().toLowerCase());
  return isWellFormed(rule) ? rule : undefined;
}

/** The reader rule of a text that `presentReader` has made. */
export function toReaderRule(text: string): ReaderRule {
  const at = text.lastIndexOf("@");
  if (at === -1) return { kind: "username", username: text };
  return at === 0 ? { kind: "domain", domain: text.slice(1) } : { kind: "email", email: text };
}

/** A reader rule as it is written: `ada@example.com`, `@example.com` or `ada`. */
export function presentReader(rule: ReaderRule): string {
  switch (rule.kind) {
    case "email":
      return rule.email;
    case "domain":
      return `@${rule.domain}`;
    case "username":
      return rule.username;
  }
}

function isWellFormed(rule: ReaderRule): boolean {
  switch (rule.kind) {
    case "username":
      return usernamePattern.test(rule.username);
    case "domain":
      return domainPattern.test(rule.domain);
    case "email": {
      const at = rule.email.lastIndexOf("@");
      return localPartPattern.test(rule.email.slice(0, at)) && domainPattern.test(rule.email.slice(at + 1));
    }
  }
}
