import { groupCharactersMax } from "../../../functions/identity/accounts.ts";
import type { MemberName } from "../../../functions/identity/members.ts";
import { parseEmailAddress } from "../../../functions/identity/reader-names.ts";
import { foldUsername } from "../../../functions/policies/access.ts";
import { UsageError } from "../command.ts";
import { quote } from "../terminal.ts";

/** Name of a person or group as an operator writes it: that of the identity provider, or an account. */
export type WrittenName = MemberName | { readonly kind: "account"; readonly value: string };

const kinds = ["username", "email", "group", "account"] as const;

/**
 * Reads a name as an operator writes it: `ada`, `ada@example.com`, or with its kind in front, such as `group:writers`.
 *
 * @throws UsageError saying what was wrong, and what would be right
 */
export function parseMemberName(written: string): WrittenName {
  const prefix = kinds.find((kind) => written.startsWith(`${kind}:`));
  const rest = (prefix === undefined ? written : written.slice(prefix.length + 1)).trim();
  const kind = prefix ?? (rest.includes("@") ? "email" : "username");
  if (rest === "")
    throw new UsageError(`${quote(written)} names nobody: write such as ada or group:writers.`);
  if (kind === "email") return { kind, value: parseAddress(rest) };
  if (kind === "username") return { kind, value: foldUsername(rest) };
  if (kind === "group" && rest.length > groupCharactersMax)
    throw new UsageError(`No group has more than ${groupCharactersMax} characters.`);
  return { kind, value: rest };
}

function parseAddress(written: string): string {
  if (written.startsWith("@"))
    throw new UsageError(
      `${quote(written)} is a whole domain: that is for the settings, members: { emailDomains: [${quote(written.slice(1))}] }.`,
    );
  const address = parseEmailAddress(written);
  if (address !== undefined) return address;
  throw new UsageError(
    `${quote(written)} is no e-mail address: write it in ASCII, such as ada@example.com. A user name with an at sign is username:${written}`,
  );
}

const labels = {
  username: "user name",
  email: "e-mail",
  group: "group",
  account: "account",
} as const satisfies Record<WrittenName["kind"], string>;

/** A name as an operator reads it. */
export function describeName({ kind, value }: WrittenName): string {
  return `${labels[kind]} ${quote(value)}`;
}
