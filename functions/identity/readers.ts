import { createHash, randomBytes } from "node:crypto";
import { environmentNames, findEnvironment, readerSessionHoursDefault } from "../core/environment.ts";
import { type HttpRequest, readCookies } from "../http/request.ts";
import { hostCookie } from "../http/response.ts";
import type { Identity } from "../people/accounts.ts";
import type { TeamOfPerson } from "../people/teams.ts";
import { type Act, readerActor } from "../table/audit.ts";
import { auditWrite } from "../table/audit-trail.ts";
import { keys } from "../table/keys.ts";
import { getItem, type Item } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";
import { accountDeactivated, sessionLinks } from "./admission.ts";

/** A reader's session in one browser. A reader may have a session without an account. */
export interface ReaderSession {
  /** `sessionReference` of the session id. Unlike the id, the reference does not give access. */
  readonly reference: string;
  /** Identity at the last sign-in. */
  readonly identity: Identity;
  /** The reader's account. @default - the reader had no account at sign-in */
  readonly userId: string | undefined;
  /** Team that the person has chosen to publish for, even if the person has left it since. @default - the person's own account */
  readonly team?: SessionTeam | undefined;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Team that a session publishes for. The session keeps the namespace even if the team is deleted. */
type SessionTeam = Pick<TeamOfPerson, "userId" | "namespace">;

/** Computes the key of a stored session: the SHA-256 hash of the session id, which only the browser has. */
export function sessionReference(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}

/** Returns the lifetime of a session in seconds. */
function readerSessionSeconds(): number {
  const hours = findEnvironment(environmentNames.readerSessionHours) ?? readerSessionHoursDefault;
  return Number(hours) * 60 * 60;
}

/** Returns the session reference for a request's cookie, or undefined if there is no cookie. Does not check whether the session exists. */
export function readSessionCookie(request: HttpRequest): string | undefined {
  const id = readCookies(request)[cookieName];
  return id ? sessionReference(id) : undefined;
}

/** `Set-Cookie` value that stores a session id, for the service's own host. */
export function sessionCookie(id: string): string {
  return hostCookie(cookieName, id, readerSessionSeconds());
}

/** `Set-Cookie` value that deletes the session cookie. */
export function endedSessionCookie(): string {
  return hostCookie(cookieName, "", 0);
}

const cookieName = "__Host-dl_reader";

/** Stores readers' sessions. Every read checks the expiry, because the table's TTL deletes items late. */
export const readerSessions = {
  /**
   * Starts a session for a reader, and ends the browser's earlier session. Returns the new session id. The table stores only the id's hash.
   *
   * @throws ApiError `forbidden` for a person whom SCIM has deactivated in the meantime
   */
  async start(
    { identity, userId }: Pick<ReaderSession, "identity" | "userId">,
    before: string | undefined,
    act: Act,
  ): Promise<string> {
    // 256 random bits, so that the id cannot be guessed.
    const id = randomBytes(32).toString("base64url");
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
      throw new Error("A session with this id already exists.");
    if (!outcome.committed) throw accountDeactivated();
    return id;
  },

  /** Finds a session by its reference. Returns undefined if the session does not exist or has expired. */
  async find(reference: string, nowMs: number): Promise<ReaderSession | undefined> {
    const item = await getItem(keys.readerSession(reference));
    const session = item && toReaderSession(reference, item);
    return session && session.expiresAtMs > nowMs ? session : undefined;
  },

  /** Finds the session of a request's cookie. Returns undefined if the cookie is missing or invalid. */
  async ofRequest(request: HttpRequest, nowMs: number): Promise<ReaderSession | undefined> {
    const reference = readSessionCookie(request);
    return reference === undefined ? undefined : readerSessions.find(reference, nowMs);
  },

  /** Sets the team that a session publishes for. Without a team, this is the person's own account. Does nothing after the session's end. */
  async selectTeam(
    { reference, userId }: ReaderSession,
    team: SessionTeam | undefined,
    act: Act,
  ): Promise<void> {
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

  /** Ends a session, and all access that depends on it. Does nothing if the session has already ended. */
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

/** Converts a table item to a session, without checking the expiry. */
export function toReaderSession(reference: string, item: Item): ReaderSession {
  const teamId = item.teamId as string | undefined;
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
    team: teamId === undefined ? undefined : { userId: teamId, namespace: item.teamNamespace as string },
    createdAtMs: item.createdAtMs as number,
    expiresAtMs: item.expiresAtMs as number,
  };
}
