import { createHash, randomBytes } from "node:crypto";
import { hostCookie } from "../http/cookies.ts";
import { type HttpRequest, readCookies } from "../http/request.ts";
import { environmentNames, findEnvironment, readerSessionHoursDefault } from "../runtime/environment.ts";
import { type Act, readerActor } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { keys } from "../table/keys.ts";
import { getItem, type Item } from "../table/table.ts";
import { type TransactionWrite, transact } from "../table/table-writes.ts";
import type { Identity } from "./accounts.ts";

/** Somebody who has signed in to read, in one browser. It is no account, and makes none. */
export interface ReaderSession {
  /** `sessionReference` of the id: whoever has it alone is not signed in by it. */
  readonly reference: string;
  /** What the identity provider said at sign-in. */
  readonly identity: Identity;
  /** Their account, where they had one by then. */
  readonly userId: string | undefined;
  readonly expiresAtMs: number;
}

/** By what a session is kept and named: the SHA-256 of its id, which its browser alone has. */
export function sessionReference(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}

/** A session's id: 256 bits. */
export function createSessionId(): string {
  return randomBytes(32).toString("base64url");
}

/** How long a session lasts here. */
export function readerSessionSeconds(): number {
  const hours = findEnvironment(environmentNames.readerSessionHours) ?? readerSessionHoursDefault;
  return Number(hours) * 60 * 60;
}

/** The session that a request to the service's own host claims to be of; undefined where it brings no cookie. */
export function readSessionCookie(request: HttpRequest): string | undefined {
  const id = readCookies(request)[cookieName];
  return id ? sessionReference(id) : undefined;
}

/** The `Set-Cookie` value of a session, for the service's own host. */
export function sessionCookie(id: string): string {
  return hostCookie(cookieName, id, readerSessionSeconds());
}

/** Takes the cookie back. */
export function endedSessionCookie(): string {
  return hostCookie(cookieName, "", 0);
}

const cookieName = "__Host-dl_reader";

/** Sessions of readers. Expiry is looked at each time; TTL only tidies up. */
export const readerSessions = {
  /**
   * Signs somebody in, and out of the session that the browser had: the new one's id, for that browser alone. The table
   * has no more than its hash.
   */
  async start(
    { identity, userId }: Pick<ReaderSession, "identity" | "userId">,
    before: string | undefined,
    act: Act,
  ): Promise<string> {
    const id = createSessionId();
    const session = {
      reference: sessionReference(id),
      identity,
      userId,
      expiresAtMs: act.atMs + readerSessionSeconds() * 1000,
    };
    const writes: TransactionWrite[] = [
      { put: toItem(session, act.atMs), condition: "attribute_not_exists(pk)" },
      ...(before === undefined ? [] : [{ remove: keys.readerSession(before) }]),
      auditWrite({ ...act, actor: readerActor(identity) }, { ownerId: userId }),
    ];
    const { committed } = await transact(writes);
    if (!committed) throw new Error("A session of this id was there already.");
    return id;
  },

  /** The session of a reference; undefined where there is none, or none any more. */
  async find(reference: string, nowMs: number): Promise<ReaderSession | undefined> {
    const item = await getItem(keys.readerSession(reference));
    const session = item && toSession(reference, item);
    return session && session.expiresAtMs > nowMs ? session : undefined;
  },

  /** The session that a request to the base host brings the cookie of; undefined where there is none. */
  async ofRequest(request: HttpRequest, nowMs: number): Promise<ReaderSession | undefined> {
    const reference = readSessionCookie(request);
    return reference === undefined ? undefined : readerSessions.find(reference, nowMs);
  },

  /** Signs somebody out: what their session has opened closes with it. Of one that is over nothing is said. */
  async end({ reference, identity, userId }: ReaderSession, act: Act): Promise<void> {
    await transact([
      { remove: keys.readerSession(reference), condition: "attribute_exists(pk)" },
      auditWrite({ ...act, actor: readerActor(identity) }, { ownerId: userId }),
    ]);
  },
};

function toItem({ reference, identity, userId, expiresAtMs }: ReaderSession, createdAtMs: number): Item {
  const key = keys.readerSession(reference);
  return { ...key, ...identity, userId, createdAtMs, expiresAtMs, ttl: Math.ceil(expiresAtMs / 1000) };
}

function toSession(reference: string, item: Item): ReaderSession {
  return {
    reference,
    identity: {
      provider: item.provider as string,
      id: item.id as string,
      username: item.username as string,
      emails: item.emails as string[],
      groups: item.groups as string[],
      organizations: item.organizations as string[],
    },
    userId: item.userId as string | undefined,
    expiresAtMs: item.expiresAtMs as number,
  };
}
