import type { Act } from "../domain/audit.ts";
import { type DeviceCode, deviceCodeExpiry } from "../domain/device-code.ts";
import type { Token } from "../domain/token.ts";
import { auditWrite } from "./audit-trail.ts";
import { keys } from "./keys.ts";
import { isNotSuspended, isSuspended } from "./suspension.ts";
import type { TokenRoom } from "./token-room.ts";
import { transact } from "./transaction.ts";
import { updateItem } from "./update.ts";

/** How long after its end an item stays, so that a late poll hears `expired` and not `not_found`. */
const keptAfterExpirySeconds = 24 * 60 * 60;

/** Device codes; section "Device code" of the specification. Expiry is a condition of every step; TTL only tidies up. */
export const deviceCodes = {
  /** Stores a new pending code; false where the code exists already. */
  async start(code: DeviceCode): Promise<boolean> {
    const ttl = ttlOf(code.expiresAtMs);
    const item = {
      state: code.state,
      label: code.label,
      pollTokenHash: code.pollTokenHash,
      codeVerifier: code.codeVerifier,
      expiresAtMs: code.expiresAtMs,
      ttl,
    };
    const outcome = await transact([
      { put: { ...keys.deviceCode(code.code), ...item }, condition: "attribute_not_exists(pk)" },
      { put: { ...keys.poll(code.pollTokenHash), code: code.code, ttl } },
    ]);
    return outcome.committed;
  },

  /** pending → verified by an account; false where the code is not pending any more. */
  async verify(code: string, userId: string, act: Act): Promise<boolean> {
    const expiresAtMs = deviceCodeExpiry(act.atMs);
    const outcome = await transact([
      {
        key: keys.deviceCode(code),
        update: "SET #state = :verified, userId = :userId, expiresAtMs = :expiresAtMs, #ttl = :ttl",
        condition: "#state = :pending AND expiresAtMs > :now",
        names: { "#state": "state", "#ttl": "ttl" },
        values: {
          ":verified": "verified",
          ":pending": "pending",
          ":userId": userId,
          ":expiresAtMs": expiresAtMs,
          ":ttl": ttlOf(expiresAtMs),
          ":now": act.atMs,
        },
      },
      auditWrite(act, { ownerId: userId }),
    ]);
    return outcome.committed;
  },

  /**
   * verified → claimed, and the token's items with it, or nothing: of many polls one wins, of an account that stays.
   * `raced` where the account got another token, or was suspended, since its room was seen: then it must be seen again.
   */
  async claim(code: string, token: Token, room: TokenRoom, act: Act): Promise<"claimed" | "late" | "raced"> {
    const { id, userId, hash, label, createdAtMs, lastUsedAtMs } = token;
    const { namespace, revision } = room;
    const outcome = await transact([
      {
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
      {
        put: { ...keys.token(hash), id, userId, namespace, label, createdAtMs, lastUsedAtMs },
        condition: "attribute_not_exists(pk)",
      },
      { put: { ...keys.tokenRow(userId, id), hash } },
      {
        key: keys.account(userId),
        update: "ADD tokensRevision :one",
        condition: `attribute_exists(pk) AND attribute_not_exists(deletingAtMs) AND ${isNotSuspended} AND ${isUnchanged(revision)}`,
        values: { ":one": 1, ":seen": revision },
      },
      auditWrite(act, { ownerId: userId, tokenId: id }),
    ]);
    if (outcome.committed) return "claimed";
    const account = outcome.failed.get(3);
    const isOther = isSuspended(account) || account?.tokensRevision !== revision;
    const isRaced = !outcome.failed.has(0) && account?.deletingAtMs === undefined && isOther;
    return isRaced ? "raced" : "late";
  },

  /**
   * verified → expired at once, because its account has no room for its token; false where it is not verified, or not any
   * more. Nothing has been done then, and the audit trail says nothing.
   */
  async expire(code: string): Promise<boolean> {
    return (await updateItem(expiry(code))).updated;
  },

  /**
   * verified → expired at once, because its person takes the sign-in back: nobody claims it any more. Once only, so that a
   * second click is no second act; false where somebody has claimed it.
   */
  async takeBack(code: string, userId: string, act: Act): Promise<boolean> {
    const outcome = await transact([expiry(code, true), auditWrite(act, { ownerId: userId })]);
    return outcome.committed || outcome.failed.get(0)?.state === "verified";
  },
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

function isUnchanged(seen: TokenRoom["revision"]): string {
  return seen === undefined ? "attribute_not_exists(tokensRevision)" : "tokensRevision = :seen";
}

function ttlOf(expiresAtMs: number): number {
  return Math.ceil(expiresAtMs / 1000) + keptAfterExpirySeconds;
}
