import { limits } from "../core/limits.ts";
import { membershipEndedAttribute } from "../people/accounts.ts";
import type { Act } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import type { Token, TokenScope } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { isSuspended } from "../table/suspension.ts";
import { getItem, type Item } from "../table/table.ts";
import { type TransactionWrite, transact, updateItem } from "../table/table-writes.ts";
import { tokenTtl } from "../table/tokens.ts";
import { type TokenQuota, tokenCount } from "./token-quota.ts";

/** A device code; section "Device code" of the specification. `expired` is a matter of time, not of state. */
export type DeviceCode =
  | PendingCode
  | (DeviceCodeFacts & VerifiedFacts & { readonly state: "verified" })
  | (DeviceCodeFacts & VerifiedFacts & { readonly state: "claimed"; readonly tokenId: string });

type PendingCode = DeviceCodeFacts & {
  readonly state: "pending";
  /** Account of the person who has signed in and now chooses between their own account and their teams. @default - no one has signed in */
  readonly personId?: string | undefined;
};

/** The account of a verified code. */
interface VerifiedFacts {
  readonly userId: string;
  /** Account of the person who acts for the team. @default - the person's own account */
  readonly personId?: string | undefined;
}

interface DeviceCodeFacts {
  readonly code: string;
  /** Label of the agent, as it claims; shown to the person. */
  readonly label: string | null;
  /** Scope of the token. */
  readonly scope: TokenScope;
  readonly pollTokenHash: string;
  /** RFC 7636: known to the service only until it exchanges the provider's code. */
  readonly codeVerifier: string;
  /** End of the sign-in, then of the time to claim the token. */
  readonly expiresAtMs: number;
}

/** Status of a poll; section "AuthPoll response". */
type PollStatus = "pending" | "verified" | "expired" | "claimed";

/** Time at which a code that is issued or verified now expires, in Unix milliseconds. */
export function deviceCodeExpiry(nowMs: number): number {
  return nowMs + limits.deviceCodeSeconds * 1000;
}

/** Time at which the expiry of a code was set: at the start of the sign-in, and again when the code was verified. */
export function lastSetAtOf({ expiresAtMs }: Pick<DeviceCode, "expiresAtMs">): number {
  return expiresAtMs - limits.deviceCodeSeconds * 1000;
}

/** The state that a poll at `nowMs` finds. A claimed code stays claimed. */
export function pollStatus(code: DeviceCode, nowMs: number): PollStatus {
  if (code.state === "claimed") return "claimed";
  return code.expiresAtMs <= nowMs ? "expired" : code.state;
}

/** Time that an expired item is stored, so that a late poll gets `expired` and not `not_found`. */
const keptAfterExpirySeconds = 24 * 60 * 60;

/** Device codes; section "Device code" of the specification. Expiry is a condition of every step; TTL only tidies up. */
export const deviceCodes = {
  /** Stores a new pending code; false if the code exists. */
  async start({ code, ...facts }: PendingCode): Promise<boolean> {
    const ttl = ttlOf(facts.expiresAtMs);
    const outcome = await transact([
      { put: { ...keys.deviceCode(code), ...facts, ttl }, condition: "attribute_not_exists(pk)" },
      { put: { ...keys.poll(facts.pollTokenHash), code, ttl } },
    ]);
    return outcome.committed;
  },

  /**
   * Stores who has signed in with a pending code, until they choose an account. `late` if the code is no longer pending, `refused` if
   * another write fails.
   */
  async identify(
    code: string,
    personId: string,
    nowMs: number,
    others: readonly TransactionWrite[],
  ): Promise<"identified" | "late" | "refused"> {
    const outcome = await transact({
      code: {
        key: keys.deviceCode(code),
        update: "SET personId = :personId",
        condition: isPending.condition,
        names: isPending.names,
        values: { ...isPending.valuesAt(nowMs), ":personId": personId },
      },
      others,
    });
    if (outcome.committed) return "identified";
    return outcome.failed.has("code") ? "late" : "refused";
  },

  /**
   * pending → verified by an account, in one transaction with other writes; `late` if the code is no longer pending, `refused` if
   * another write fails.
   */
  async verify(
    code: string,
    { userId, personId }: VerifiedFacts,
    act: Act,
    others: readonly TransactionWrite[] = [],
  ): Promise<"verified" | "late" | "refused"> {
    const expiresAtMs = deviceCodeExpiry(act.atMs);
    const outcome = await transact({
      code: {
        key: keys.deviceCode(code),
        update: `SET #state = :verified, userId = :userId, expiresAtMs = :expiresAtMs, #ttl = :ttl ${personId === undefined ? "REMOVE personId" : ", personId = :personId"}`,
        condition: isPending.condition,
        names: { ...isPending.names, "#ttl": "ttl" },
        values: {
          ...isPending.valuesAt(act.atMs),
          ":verified": "verified",
          ":userId": userId,
          ...(personId === undefined ? {} : { ":personId": personId }),
          ":expiresAtMs": expiresAtMs,
          ":ttl": ttlOf(expiresAtMs),
        },
      },
      others,
      line: auditWrite(act, { ownerId: userId }),
    });
    if (outcome.committed) return "verified";
    return outcome.failed.has("code") ? "late" : "refused";
  },

  /**
   * pending → expired at once, because its person may not publish. Writes its audit line once; false if it is no longer pending.
   */
  async refuse(code: string, act: Act, ownerId: string | undefined): Promise<boolean> {
    const outcome = await transact([
      {
        key: keys.deviceCode(code),
        update: "SET expiresAtMs = :never",
        condition: isPending.condition,
        names: isPending.names,
        values: { ":never": 0, ...isPending.valuesAt(act.atMs) },
      },
      auditWrite(act, { ownerId }),
    ]);
    return outcome.committed;
  },

  /**
   * verified → claimed, and the token's items with it, or nothing. One of several concurrent polls wins. `raced` if
   * since the quota was read the account got another token, was suspended or deleted, or its person was removed: read
   * the quota again.
   */
  async claim(
    code: string,
    token: Token,
    tokenQuota: TokenQuota,
    act: Act,
  ): Promise<"claimed" | "late" | "raced"> {
    const { id, userId, hash, label, createdAtMs, lastUsedAtMs, expiresAtMs, personId, scope } = token;
    const end = { expiresAtMs, ttl: tokenTtl(expiresAtMs) };
    const { namespace } = tokenQuota;
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
      token: {
        put: {
          ...keys.token(hash),
          id,
          userId,
          personId,
          namespace,
          label,
          createdAtMs,
          lastUsedAtMs,
          tokenScope: scope,
          ...end,
        },
        condition: "attribute_not_exists(pk)",
      },
      row: { put: { ...keys.tokenRow(userId, id), hash, ...end } },
      account: tokenCount(userId, tokenQuota),
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

  /**
   * verified → expired at once, because its account has reached the limit of tokens. False, without any write, if it is no longer
   * verified.
   */
  async expire(code: string): Promise<boolean> {
    return (await updateItem(expiry(code))).updated;
  },

  /** verified → expired at once, because its person undid the sign-in. Works once; false if it was already claimed. */
  async takeBack(code: string, userId: string, act: Act): Promise<boolean> {
    const outcome = await transact({
      code: expiry(code, true),
      line: auditWrite(act, { ownerId: userId }),
    });
    return outcome.committed || outcome.failed.get("code")?.state === "verified";
  },
};

/** Condition of a pending code that has not expired. */
const isPending = {
  condition: "#state = :pending AND expiresAtMs > :now",
  names: { "#state": "state" },
  valuesAt: (nowMs: number) => ({ ":pending": "pending", ":now": nowMs }),
};

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

/** Finds device codes, without any writes. */
export const deviceCodeSearch = {
  /** The code in any state, if it exists. */
  async find(code: string): Promise<DeviceCode | undefined> {
    const item = await getItem(keys.deviceCode(code));
    return item && toDeviceCode(code, item);
  },

  /** The code of a poll token. */
  async findByPollTokenHash(hash: string): Promise<DeviceCode | undefined> {
    const poll = await getItem(keys.poll(hash));
    return poll && deviceCodeSearch.find(poll.code as string);
  },
};

function toDeviceCode(code: string, item: Item): DeviceCode {
  const facts = {
    code,
    label: item.label as string | null,
    // Codes from before there were scopes have none.
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
      // Items of earlier deployments have no token id.
      return { ...facts, state: "claimed", userId, personId, tokenId: (item.tokenId ?? "") as string };
  }
}
