import { randomBytes } from "node:crypto";
import { keys } from "../platform/keys.ts";
import { isSignature, sign } from "../platform/signed-cookie.ts";
import { updateItem } from "../platform/table-writes.ts";

/** As long as a browser needs from one host of the service to another. */
export const ticketSeconds = 60;

/** What a ticket is good for: one drop on one host, in one browser, for who has signed in. */
export interface Ticket {
  readonly host: string;
  readonly slug: string;
  /** Of which browser: `bindOf` a secret that the host has given it. */
  readonly bind: string;
  /** The session that it is of: `sessionReference` of its id. */
  readonly session: string;
}

/** A ticket that was signed here, and is of this host and drop. */
export interface FoundTicket {
  /** Of this ticket alone: it is used once. */
  readonly id: string;
  readonly bind: string;
  readonly session: string;
  readonly expiresAtMs: number;
}

/** `1.<expiry>.<id>.<session>.<bind>.<HMAC-SHA256 of host, slug and all of these>`, good for a minute. */
export function signTicket(key: string, ticket: Ticket, nowMs: number): string {
  const { bind, session } = ticket;
  const expiry = Math.floor(nowMs / 1000) + ticketSeconds;
  const id = randomBytes(16).toString("base64url");
  return `1.${expiry}.${id}.${session}.${bind}.${sign(key, signedParts(ticket, id, expiry))}`;
}

/** Reads a ticket; undefined where it was not signed by the key for this host and drop, or has expired. */
export function readTicket(
  key: string,
  { host, slug }: Pick<Ticket, "host" | "slug">,
  value: string,
  nowMs: number,
): FoundTicket | undefined {
  const pattern = /^1\.([0-9]{1,12})\.([\w-]{22})\.([\w-]{43})\.([\w-]{43})\.([\w-]{43})$/;
  const [, seconds = "", id = "", session = "", bind = "", signature = ""] = pattern.exec(value) ?? [];
  const expiry = Number(seconds);
  if (signature === "" || expiry * 1000 <= nowMs) return undefined;
  if (!isSignature(key, signedParts({ host, slug, bind, session }, id, expiry), signature)) return undefined;
  return { id, bind, session, expiresAtMs: expiry * 1000 };
}

/**
 * Uses a ticket up; false where somebody has used it before. What the SDK sends twice for one request counts once.
 */
export async function useTicket(
  { id, session, expiresAtMs }: FoundTicket,
  requestId: string,
): Promise<boolean> {
  const { updated } = await updateItem({
    key: keys.readerTicket(session, id),
    update: "SET usedBy = :requestId, #ttl = :ttl",
    condition: "attribute_not_exists(pk) OR usedBy = :requestId",
    names: { "#ttl": "ttl" },
    values: { ":requestId": requestId, ":ttl": Math.ceil(expiresAtMs / 1000) },
  });
  return updated;
}

function signedParts({ host, slug, bind, session }: Ticket, id: string, expiry: number) {
  return ["ticket", host.toLowerCase(), slug, bind, session, id, expiry];
}
