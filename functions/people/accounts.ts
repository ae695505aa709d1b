import published from "reserved-usernames" with { type: "json" };
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { type Act, accountCreation, signInRefusal } from "../table/audit.ts";
import { appendToAudit, auditWrite } from "../table/audit-trail.ts";
import { createUserId, type RandomInt, randomBase62 } from "../table/identifiers.ts";
import { type Key, keys } from "../table/keys.ts";
import { accountSuspended, identityBanned, isSuspended } from "../table/suspension.ts";
import { getItem, type Item } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import type { Caller } from "../table/tokens.ts";

/** Permanent key of a person at the identity provider (OpenID Connect Core 1.0, section 5.7). */
export interface IdentityKey {
  /** Issuer, or origin of the authorization endpoint. Ids are unique within a provider. */
  readonly provider: string;
  readonly id: string;
}

/** Compares two identity keys. */
export function isSamePerson(one: IdentityKey, other: IdentityKey): boolean {
  return one.provider === other.provider && one.id === other.id;
}

/** Identity as returned by the identity provider. The provider may reassign a user name to another person, but never an id. */
export interface Identity extends IdentityKey {
  readonly username: string;
  /** Verified e-mail addresses, normalized by `parseEmailAddress`. At most `emailsMax`. */
  readonly emails: readonly string[];
  /** Values of the groups claim that the settings name, unchanged. At most `groupsMax`. */
  readonly groups: readonly string[];
  /** GitHub organizations that the settings name and the person belongs to, in lower case. */
  readonly organizations: readonly string[];
  /** Names that may match the person's SCIM record, in the form of `provisionedNameOf`. @default - the user name and the addresses */
  readonly provisionedNames?: readonly string[] | undefined;
  /** Ids of the SCIM users whose names matched the person at the last sign-in. @default - none */
  readonly provisionedAs?: readonly string[] | undefined;
  /**
   * Ids of the SCIM users whose name was proven by a verified address, or by the claim that the settings name.
   *
   * @default - the sign-in did not distinguish them, so `groups` contains the groups of all users
   */
  readonly vouchedAs?: readonly string[] | undefined;
}

/** Maximum number of addresses stored for a person. Further addresses are dropped. */
export const emailsMax = 10;

/** Maximum number of groups stored for a person. Further groups are dropped. */
export const groupsMax = 100;

/** Maximum length of a group's name. */
export const groupCharactersMax = 256;

/** Attribute of an identity's item. Set when the operator removes the person's membership. */
export const removedAttribute = "removedAtMs";

/**
 * Attribute of an account's item. Set when the owner stops being a member. No tokens are issued for the account until
 * the owner is admitted again.
 */
export const membershipEndedAttribute = "membershipEndedAtMs";

const charactersMax = limits.namespaceCharactersMax;

/**
 * Reserved names in addition to the published list. Some are host names that programs look up (mail clients, RFC 8461, OpenPGP's key
 * directory). Some look like a company's own services. Some are first segments of the service's paths, which a namespace could shadow,
 * because a file's path at the origin begins with its namespace.
 */
const ours =
  "assets autodiscover b blob blobs ca cdn certs crl d drop dropleaf drops enterpriseenrollment enterpriseregistration exchange " +
  "extranet gateway identity idp internal kerberos ldap library lyncdiscover mcp mta-sts ntp ocsp oembed oidc openpgpkey owa p " +
  "pay payments pki proxy radius raw saml scim sip slack sso time tokens verify whois";

/** Returns the reason why a chosen namespace is not allowed, or undefined. Does not check if the namespace is taken. */
export function namespaceProblem(name: string): "shape" | "reserved" | undefined {
  if (toLabel(name) !== name) return "shape";
  return isReserved(name) ? "reserved" : undefined;
}

/** Checks a label with and without its trailing number, because mail clients could mistake `mx1` for a mail server as easily as `mx`. */
function isReserved(label: string): boolean {
  reserved ??= new Set([...published.map(toLabel), ...ours.split(" ")]);
  return reserved.has(label) || reserved.has(label.replace(/(?<!\d)\d+$/, ""));
}
let reserved: ReadonlySet<string> | undefined;

/**
 * Derives a namespace from the provider's user name. The namespace becomes the name of the owner's host, so it is a DNS
 * label (RFC 1035, section 2.3.1) of at most 40 characters. The first attempt is the plain name. Later attempts, and
 * all attempts for a reserved name, get a suffix.
 */
export function namespaceCandidate(username: string, attempt: number, randomInt: RandomInt): string {
  const plain = toLabel(username);
  if (attempt === 0 && !isReserved(plain)) return plain;
  const suffix = attempt < 9 ? String(attempt + 1) : randomBase62(randomInt, 6).toLowerCase();
  const stem = plain.slice(0, charactersMax - suffix.length - 1).replace(/-+$/, "");
  return `${stem}-${attempt === 0 ? "1" : suffix}`;
}

/** Reduces a user name to letters, digits and single hyphens. Single hyphens ensure that a namespace never looks like Punycode (`xn--`). */
function toLabel(username: string): string {
  const ascii = username
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{Mark}/gu, "");
  const label = ascii
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, charactersMax)
    .replace(/^-+|-+$/g, "");
  return label === "" ? "user" : label;
}

/** Account of a person, identified by their permanent id at the identity provider; see "What the service does" in the specification. */
export interface Account {
  readonly userId: string;
  readonly namespace: string;
  /** User name at the identity provider when the account was created. */
  readonly username: string;
  readonly createdAtMs: number;
  readonly dropCount: number;
  /** Total size of the pages of all versions, in bytes. Contexts do not count. */
  readonly pageBytes: number;
  readonly blobCount: number;
  readonly blobBytes: number;
}

/** Identity fields that an account stores. */
type AccountIdentity = Pick<Identity, "provider" | "id" | "username">;

/** Maximum number of namespaces tried for a new account. The last candidates are random. */
const namespaceAttemptsMax = 16;

/** Store for accounts. Each identity of the provider has one account. */
export const accounts = {
  /** Finds an account. Returns undefined if it does not exist or was deleted. */
  async find(userId: string): Promise<Account | undefined> {
    const item = await getItem(keys.account(userId));
    return item && item.deletingAtMs === undefined ? toAccount(userId, item) : undefined;
  },

  /**
   * Finds the account of an identity. Returns undefined if it does not exist or was deleted.
   *
   * @throws ApiError `forbidden` if the identity is banned or its account suspended
   */
  async findByIdentity(identity: AccountIdentity, act: Act): Promise<Account | undefined> {
    const recordRefusal = (ownerId: unknown) =>
      appendToAudit({ ...act, action: signInRefusal }, { ownerId: ownerId as string | undefined });
    const item = await getItem(keys.identity(identity.provider, identity.id));
    if (item?.bannedAtMs !== undefined) {
      await recordRefusal(item.userId);
      throw identityBanned();
    }
    if (item === undefined) return undefined;
    const userId = item.userId as string;
    const account = await getItem(keys.account(userId));
    if (isSuspended(account)) {
      await recordRefusal(userId);
      throw accountSuspended();
    }
    return account && account.deletingAtMs === undefined ? toAccount(userId, account) : undefined;
  },

  /**
   * Finds the account of an identity. The first sign-in creates the account with a permanent namespace.
   *
   * @throws ApiError `forbidden` if the identity is banned or its account suspended
   */
  async findOrCreate(identity: AccountIdentity, randomInt: RandomInt, act: Act): Promise<Account> {
    for (let attempt = 0; attempt < namespaceAttemptsMax; attempt += 1) {
      const existing = await accounts.findByIdentity(identity, act);
      if (existing) return existing;
      const account: Account = {
        userId: createUserId(randomInt),
        namespace: namespaceCandidate(identity.username, attempt, randomInt),
        username: identity.username,
        createdAtMs: act.atMs,
        dropCount: 0,
        pageBytes: 0,
        blobCount: 0,
        blobBytes: 0,
      };
      // Audits the account's creation separately from the sign-in, because the sign-in may still fail.
      const creating = auditWrite({ ...act, action: accountCreation }, { ownerId: account.userId });
      const outcome = await transact({ ...accountWrites(identity, account), line: creating });
      if (outcome.committed) return account;
    }
    throw new Error("No namespace was free for a new account.");
  },
};

/** Reads the user id from an item in an account's partition. */
export function userIdOf({ pk }: Item): string {
  return String(pk).slice(keys.account("").pk.length);
}

/** Marks an account whose owner no longer meets any membership rule. No tokens are issued for the account until the owner is admitted again. */
export function endMembershipOf(userId: string, nowMs: number) {
  return {
    key: keys.account(userId),
    update: `SET ${membershipEndedAttribute} = if_not_exists(${membershipEndedAttribute}, :now)`,
    condition: "attribute_exists(pk)",
    values: { ":now": nowMs },
  };
}

/** Reads the identity of the account's owner at the last sign-in. */
export function lastIdentityOf(account: Item): Identity {
  const { provider, providerId: id, username = "", lastIdentity, provisionedAs } = account;
  const before = { username, emails: [], groups: [], organizations: [] };
  return {
    provider,
    id,
    ...((lastIdentity as object | undefined) ?? before),
    provisionedAs: [...((provisionedAs ?? []) as Iterable<string>)],
  } as unknown as Identity;
}

/** Builds the writes that create an account with its namespace. A write fails if the identity has an account, or the namespace is taken. */
export function accountWrites(identity: AccountIdentity, account: Account) {
  const { userId, ...profile } = account;
  const put = (key: Key, item: Item) => ({ put: { ...key, ...item }, condition: "attribute_not_exists(pk)" });
  return {
    identity: put(keys.identity(identity.provider, identity.id), {
      userId,
      createdAtMs: account.createdAtMs,
    }),
    namespace: put(keys.namespace(account.namespace), { userId, createdAtMs: account.createdAtMs }),
    entry: { put: { ...keys.accountEntry(account.namespace), userId } },
    account: put(keys.account(userId), { ...profile, provider: identity.provider, providerId: identity.id }),
  } satisfies Record<string, TransactionWrite>;
}

function toAccount(userId: string, item: Item): Account {
  return {
    userId,
    namespace: item.namespace as string,
    username: item.username as string,
    createdAtMs: item.createdAtMs as number,
    dropCount: item.dropCount as number,
    pageBytes: (item.pageBytes ?? 0) as number,
    blobCount: item.blobCount as number,
    blobBytes: item.blobBytes as number,
  };
}

/** Finds the account of a caller. @throws ApiError `unauthorized` if the account is deleted, although the token still exists */
export async function requireAccount(caller: Caller): Promise<Account> {
  const account = await accounts.find(caller.userId);
  if (account === undefined) throw new ApiError("unauthorized");
  return account;
}

/**
 * Returns the name to show as the author of a caller's writes: the person's user name if the token is a person's token
 * for a team, and the account's namespace for all other tokens.
 */
export async function findActingName({ namespace, token: { personId } }: Caller): Promise<string> {
  const person = personId === undefined ? undefined : await accounts.find(personId);
  return person?.username ?? namespace;
}
