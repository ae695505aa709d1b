import { createHash, randomBytes } from "node:crypto";
import { environmentNames, findEnvironment, readerSessionHoursDefault } from "../core/environment.ts";
import { hostCookie } from "../http/cookies.ts";
import { type HttpRequest, readCookies } from "../http/request.ts";
import type { Identity } from "../people/accounts.ts";
import type { TeamOfPerson } from "../people/teams.ts";
import { type Act, readerActor } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { keys } from "../table/keys.ts";
import { getItem, type Item } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";
import { accountDeactivated, sessionLinks } from "./admission.ts";

/** A reader's session in one browser. It is not an account. */
export interface ReaderSession {
  /** `sessionReference` of the id. It does not give access. */
  readonly reference: string;
  /** Identity at the last sign-in. */
  readonly identity: Identity;
  /** Their account, if they had one at sign-in. */
  readonly userId: string | undefined;
  /** Team that the person has chosen to publish for. They may have left it since. @default - they publish as themselves */
  readonly team?: SessionTeam | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Team of a session. The namespace stays known after the team is gone. */
export type SessionTeam = Pick<TeamOfPerson, "userId" | "namespace">;

/** Key of a session: the SHA-256 of its id. Only the browser has the id. */
export function sessionReference(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}

/** A session's id: 256 bits. */
export function createSessionId(): string {
  return randomBytes(32).toString("base64url");
}

/** Length of a session in seconds. */
export function readerSessionSeconds(): number {
  const hours = findEnvironment(environmentNames.readerSessionHours) ?? readerSessionHoursDefault;
  return Number(hours) * 60 * 60;
}

/** The session id in the cookie of a request to the service's own host, not yet verified; undefined without a cookie. */
export function readSessionCookie(request: HttpRequest): string | undefined {
  const id = readCookies(request)[cookieName];
  return id ? sessionReference(id) : undefined;
}

/** The `Set-Cookie` value of a session, for the service's own host. */
export function sessionCookie(id: string): string {
  return hostCookie(cookieName, id, readerSessionSeconds());
}

/** The `Set-Cookie` value that deletes the cookie. */
export function endedSessionCookie(): string {
  return hostCookie(cookieName, "", 0);
}

const cookieName = "__Host-dl_reader";

/** Stores readers' sessions. Expiry is checked at every read; TTL only tidies up. */
export const readerSessions = {
  /**
   * Signs a reader in, and ends the browser's earlier session. Returns the new id for the browser; the table stores only its
   * hash.
   *
   * @throws ApiError `forbidden` for a person whom SCIM has deactivated meanwhile
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
      createdAtMs: act.atMs,
      expiresAtMs: act.atMs + readerSessionSeconds() * 1000,
    };
    const outcome = await transact({
      session: { put: toItem(session), condition: "attribute_not_exists(pk)" },
      links: sessionLinks(identity, session),
      before: before === undefined ? undefined : { remove: keys.readerSession(before) },
      line: auditWrite({ ...act, actor: readerActor({ identity, userId }) }, { ownerId: userId }),
    });
    if (!outcome.committed && outcome.failed.has("session"))
      throw new Error("A session of this id was there already.");
    if (!outcome.committed) throw accountDeactivated();
    return id;
  },

  /** The session of a reference; undefined if it does not exist or has expired. */
  async find(reference: string, nowMs: number): Promise<ReaderSession | undefined> {
    const item = await getItem(keys.readerSession(reference));
    const session = item && toReaderSession(reference, item);
    return session && session.expiresAtMs > nowMs ? session : undefined;
  },

  /** The session of the cookie in a request to the base host; undefined without a valid one. */
  async ofRequest(request: HttpRequest, nowMs: number): Promise<ReaderSession | undefined> {
    const reference = readSessionCookie(request);
    return reference === undefined ? undefined : readerSessions.find(reference, nowMs);
  },

  /** Chooses the account that the person publishes as in this session; without a team, their own. Does nothing for an ended session. */
  async actFor({ reference, userId }: ReaderSession, team: SessionTeam | undefined, act: Act): Promise<void> {
    await transact([
      {
        key: keys.readerSession(reference),
        ...(team === undefined
          ? { update: "REMOVE teamId, teamNamespace" }
          : {
              update: "SET teamId = :id, teamNamespace = :namespace",
              values: { ":id": team.userId, ":namespace": team.namespace },
            }),
        condition: "attribute_exists(pk)",
      },
      auditWrite(act, { ownerId: team?.userId ?? userId }),
    ]);
  },

  /** Ends a session, and with it all access that it gave. Does nothing for an ended session. */
  async end({ reference, identity, userId }: ReaderSession, act: Act): Promise<void> {
    await transact([
      { remove: keys.readerSession(reference), condition: "attribute_exists(pk)" },
      auditWrite({ ...act, actor: readerActor({ identity, userId }) }, { ownerId: userId }),
    ]);
  },
};

function toItem({ reference, identity, userId, createdAtMs, expiresAtMs }: ReaderSession): Item {
  const key = keys.readerSession(reference);
  return { ...key, ...identity, userId, createdAtMs, expiresAtMs, ttl: Math.ceil(expiresAtMs / 1000) };
}

/** The session of an item, expired or not. */
export function toReaderSession(reference: string, item: Item): ReaderSession {
  return {
    reference,
    identity: {
      provider: item.provider as string,
      id: item.id as string,
      username: item.username as string,
      emails: item.emails as string[],
      groups: item.groups as string[],
      organizations: item.organizations as string[],
      provisionedNames: item.provisionedNames as string[] | undefined,
      provisionedAs: item.provisionedAs as string[] | undefined,
      vouchedAs: item.vouchedAs as string[] | undefined,
    },
    userId: item.userId as string | undefined,
    team:
      item.teamId === undefined
        ? undefined
        : { userId: item.teamId as string, namespace: item.teamNamespace as string },
    createdAtMs: item.createdAtMs as number,
    expiresAtMs: item.expiresAtMs as number,
  };
}
