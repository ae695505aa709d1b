import { limits } from "../core/limits.ts";
import { membershipEndedAttribute } from "../people/accounts.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import type { Token, TokenScope } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { isSuspended } from "../table/suspension.ts";
import { getItem, type Item } from "../table/table.ts";
import { type TransactionWrite, transact, updateItem } from "../table/table-writes.ts";
import { type TokenQuota, tokenWrites } from "./token-quota.ts";

/** A device code (specification, section "Device code"). The state `expired` is not stored, but computed from `expiresAtMs`. */
export type DeviceCode =
  | PendingCode
  | (DeviceCodeFacts & VerifiedFacts & { readonly state: "verified" })
  | (DeviceCodeFacts & VerifiedFacts & { readonly state: "claimed"; readonly tokenId: string });

type PendingCode = DeviceCodeFacts & {
  readonly state: "pending";
  /** Account of the person who must now choose the account for the token. @default - no sign-in yet, or nothing to choose */
  readonly personId?: string | undefined;
};

/** Account that gets the token of a verified device code. */
interface VerifiedFacts {
  readonly userId: string;
  /** Account of the person, if `userId` is a team. @default - `userId` is the person's account */
  readonly personId?: string | undefined;
}

interface DeviceCodeFacts {
  readonly code: string;
  /** Unverified name that the agent gave itself, or null. */
  readonly label: string | null;
  readonly scope: TokenScope;
  readonly pollTokenHash: string;
  /** PKCE code verifier (RFC 7636) for exchanging the identity provider's code. */
  readonly codeVerifier: string;
  /** Time at which the code expires. After this time, the token of a verified code can no longer be claimed. */
  readonly expiresAtMs: number;
}

/** Status of a poll (specification, section "AuthPoll response"). */
type PollStatus = "pending" | "verified" | "expired" | "claimed";

/** Returns the expiry of a code that is issued or verified now, in Unix milliseconds. */
export function deviceCodeExpiry(nowMs: number): number {
  return nowMs + limits.deviceCodeSeconds * 1000;
}

/** Returns the time at which the sign-in started or, for a verified code, the time of the verification. */
export function lastSetAtOf({ expiresAtMs }: Pick<DeviceCode, "expiresAtMs">): number {
  return expiresAtMs - limits.deviceCodeSeconds * 1000;
}

/** Returns the status of a code for a poll at `nowMs`. A claimed code never expires. */
export function pollStatus(code: DeviceCode, nowMs: number): PollStatus {
  if (code.state === "claimed") return "claimed";
  return code.expiresAtMs <= nowMs ? "expired" : code.state;
}

/** Number of seconds that an expired code stays stored, so that a late poll gets `expired` instead of `not_found`. */
const keptAfterExpirySeconds = 24 * 60 * 60;

/** Stores device codes (specification, section "Device code"). Every write checks the expiry, because the table's TTL deletes items late. */
export const deviceCodes = {
  /** Stores a new pending code. Returns false if the code already exists. */
  async start({ code, ...facts }: PendingCode): Promise<boolean> {
    const ttl = ttlOf(facts.expiresAtMs);
    const outcome = await transact([
      { put: { ...keys.deviceCode(code), ...facts, ttl }, condition: "attribute_not_exists(pk)" },
      { put: { ...keys.poll(facts.pollTokenHash), code, ttl } },
    ]);
    return outcome.committed;
  },

  /** Stores that a person must choose an account. Returns `late` if the code is no longer pending, or `refused` if another write fails. */
  async identify(
    code: string,
    personId: string,
    nowMs: number,
    others: readonly TransactionWrite[],
  ): Promise<"identified" | "late" | "refused"> {
    const outcome = await transact({
      code: pendingUpdate(code, nowMs, "SET personId = :personId", { ":personId": personId }),
      others,
    });
    if (outcome.committed) return "identified";
    return outcome.failed.has("code") ? "late" : "refused";
  },

  /** Verifies a pending code for an account. Returns `late` if the code is no longer pending, or `refused` if another write fails. */
  async verify(
    code: string,
    { userId, personId }: VerifiedFacts,
    act: Act,
    others: readonly TransactionWrite[] = [],
  ): Promise<"verified" | "late" | "refused"> {
    const expiresAtMs = deviceCodeExpiry(act.atMs);
    const update = `SET #state = :verified, userId = :userId, expiresAtMs = :expiresAtMs, #ttl = :ttl ${personId === undefined ? "REMOVE personId" : ", personId = :personId"}`;
    const verification = pendingUpdate(code, act.atMs, update, {
      ":verified": "verified",
      ":userId": userId,
      ...(personId === undefined ? {} : { ":personId": personId }),
      ":expiresAtMs": expiresAtMs,
      ":ttl": ttlOf(expiresAtMs),
    });
    const outcome = await transact({
      code: { ...verification, names: { ...verification.names, "#ttl": "ttl" } },
      others,
      line: auditWrite(act, { ownerId: userId }),
    });
    if (outcome.committed) return "verified";
    return outcome.failed.has("code") ? "late" : "refused";
  },

  /** Expires a pending code, because the person may not publish. Returns false if the code is no longer pending. */
  async refuse(code: string, act: Act, ownerId: string | undefined): Promise<boolean> {
    const outcome = await transact([
      pendingUpdate(code, act.atMs, "SET expiresAtMs = :never", { ":never": 0 }),
      auditWrite(act, { ownerId }),
    ]);
    return outcome.committed;
  },

  /**
   * Claims a verified code and stores its token, in one transaction. Only one of several concurrent polls succeeds. Returns `raced` if the
   * account has changed since the quota was read. For example, another token was claimed or the account was suspended. The caller must then
   * read the quota again.
   */
  async claim(
    code: string,
    token: Token,
    tokenQuota: TokenQuota,
    act: Act,
  ): Promise<"claimed" | "late" | "raced"> {
    const { id, userId, scope } = token;
    const outcome = await transact({
      code: {
        key: keys.deviceCode(code),
        update: "SET #state = :claimed, tokenId = :tokenId REMOVE codeVerifier",
        condition: "#state = :verified AND expiresAtMs > :now AND userId = :userId",
        names: { "#state": "state" },
        values: {
          ":claimed": "claimed",
          ":verified": "verified",
          ":now": act.atMs,
          ":userId": userId,
          ":tokenId": id,
        },
      },
      ...tokenWrites(token, tokenQuota),
      line: auditWrite(act, { ownerId: userId, tokenId: id, scope }),
    });
    if (outcome.committed) return "claimed";
    const account = outcome.failed.get("account");
    const isOther =
      isSuspended(account) ||
      account?.[membershipEndedAttribute] !== undefined ||
      account?.tokensRevision !== tokenQuota.revision;
    const isRaced = !outcome.failed.has("code") && account?.deletingAtMs === undefined && isOther;
    return isRaced ? "raced" : "late";
  },

  /** Expires a verified code, because its account has reached the token limit. Returns false if the code is no longer verified. */
  async expire(code: string): Promise<boolean> {
    return (await updateItem(expiry(code))).updated;
  },

  /** Expires a verified code, because the person undid the sign-in. Returns false if the token was already claimed. */
  async undo(code: string, userId: string, act: Act): Promise<boolean> {
    const outcome = await transact({ code: expiry(code, true), line: auditWrite(act, { ownerId: userId }) });
    return outcome.committed || outcome.failed.get("code")?.state === "verified";
  },
};

/** Builds an update of a code that must be pending and unexpired. */
function pendingUpdate(
  code: string,
  nowMs: number,
  update: string,
  values: Readonly<Record<string, unknown>>,
) {
  return {
    key: keys.deviceCode(code),
    update,
    condition: "#state = :pending AND expiresAtMs > :now",
    names: { "#state": "state" },
    values: { ...values, ":pending": "pending", ":now": nowMs },
  };
}

function expiry(code: string, isOnce = false) {
  return {
    key: keys.deviceCode(code),
    update: "SET expiresAtMs = :never",
    condition: `#state = :verified${isOnce ? " AND expiresAtMs <> :never" : ""}`,
    names: { "#state": "state" },
    values: { ":never": 0, ":verified": "verified" },
  };
}

function ttlOf(expiresAtMs: number): number {
  return Math.ceil(expiresAtMs / 1000) + keptAfterExpirySeconds;
}

/** Finds device codes. Read-only. */
export const deviceCodeSearch = {
  /** Finds a code in any state. Returns undefined if the code does not exist. */
  async find(code: string): Promise<DeviceCode | undefined> {
    const item = await getItem(keys.deviceCode(code));
    return item && toDeviceCode(code, item);
  },

  /** Finds the code that a poll token belongs to. */
  async findByPollTokenHash(hash: string): Promise<DeviceCode | undefined> {
    const poll = await getItem(keys.poll(hash));
    return poll && deviceCodeSearch.find(poll.code as string);
  },
};

function toDeviceCode(code: string, item: Item): DeviceCode {
  const facts = {
    code,
    label: item.label as string | null,
    // Codes from earlier releases have no scope.
    scope: (item.scope ?? "all") as TokenScope,
    pollTokenHash: item.pollTokenHash as string,
    codeVerifier: (item.codeVerifier ?? "") as string,
    expiresAtMs: item.expiresAtMs as number,
  };
  const userId = item.userId as string;
  const personId = item.personId as string | undefined;
  switch (item.state as DeviceCode["state"]) {
    case "pending":
      return { ...facts, state: "pending", personId };
    case "verified":
      return { ...facts, state: "verified", userId, personId };
    case "claimed":
      // Claimed codes from earlier releases have no token id.
      return { ...facts, state: "claimed", userId, personId, tokenId: (item.tokenId ?? "") as string };
  }
}
