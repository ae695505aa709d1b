import { createHash, randomBytes } from "node:crypto";
import type { Identity } from "../accounts/identity.ts";
import { environmentNames, findEnvironment, readerSessionHoursDefault } from "../platform/environment.ts";
import { hostCookie } from "../platform/host-cookie.ts";
import { type HttpRequest, readCookies } from "../platform/request.ts";

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
export function claimedSession(request: HttpRequest): string | undefined {
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
