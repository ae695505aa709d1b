import { type Act, readerActor } from "../platform/audit.ts";
import { auditWrite } from "../platform/audit-trail.ts";
import { keys } from "../platform/keys.ts";
import type { HttpRequest } from "../platform/request.ts";
import { getItem, type Item } from "../platform/table.ts";
import { type TransactionWrite, transact } from "../platform/table-writes.ts";
import {
  claimedSession,
  createSessionId,
  type ReaderSession,
  readerSessionSeconds,
  sessionReference,
} from "./session.ts";

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
    const reference = claimedSession(request);
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
