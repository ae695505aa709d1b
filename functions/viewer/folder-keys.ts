import { createHash } from "node:crypto";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { fileKeyPattern, fileKeySeconds } from "../blobs/embedded-files.ts";
import type { Drop } from "../drops/drop.ts";
import { publicDrops } from "../drops/public-drops.ts";
import type { FoundVersion } from "../gate/readable-version.ts";
import { readerSessions } from "../identity/readers.ts";
import { findReader } from "../people/find-reader.ts";
import { canRead, isExpired, isOpenToAll } from "../policies/access.ts";
import { keys } from "../table/keys.ts";
import { createSeal, openSealed } from "../table/sealed-value.ts";
import { dynamodb, getItem, tableName } from "../table/table.ts";

/**
 * Key that gives a reader access to the files of one version of a guarded drop. The key is part of the URL, because a sandboxed page has no
 * cookies. In a browser window, which has cookies, the key alone does not give access.
 */
export interface FolderKey {
  readonly version: number;
  /** True if the key is for files in the viewer's frame. */
  readonly isFramed: boolean;
  /** True if the reader requested this version instead of the latest. */
  readonly isPinned: boolean;
  /** Passcode epoch of the drop. Changing the passcode invalidates the key. */
  readonly gateEpoch: number;
  /** `sessionReference` of the reader's session. @default - none, because readers of a locked but unrestricted drop are anonymous */
  readonly session: string | undefined;
  readonly expiresAtMs: number;
}

const purpose = "folder-key";

/**
 * Creates a key for the reader of a version. The key is encrypted, because the folder's pages can read it in their URL.
 */
export async function sealFolderKey(
  { drop, version, session }: FoundVersion,
  { isFramed, isPinned }: Pick<FolderKey, "isFramed" | "isPinned">,
  nowMs: number,
): Promise<string> {
  const seal = await createSeal(purpose);
  const expiry = Math.floor(nowMs / 1000) + fileKeySeconds;
  const readerSession = isOpenToAll(drop) ? undefined : session;
  const parts = [version, Number(isFramed), Number(isPinned), drop.gate.epoch, expiry, readerSession];
  return `k${seal(JSON.stringify(parts), bindingOf(drop))}`;
}

/** Decrypts a key, expired or not. Returns undefined if this service did not create the key for this drop. */
export async function openFolderKey(slug: string, key: string): Promise<FolderKey | undefined> {
  if (!fileKeyPattern.test(key)) return undefined;
  const text = await openSealed(purpose, key.slice(1), bindingOf({ slug }));
  if (text === undefined) return undefined;
  const [version, framed, pinned, gateEpoch, expiry, session] = JSON.parse(text);
  return {
    version,
    isFramed: framed === 1,
    isPinned: pinned === 1,
    gateEpoch,
    session: session ?? undefined,
    expiresAtMs: expiry * 1000,
  };
}

/**
 * Extends the validity of a key, which may have expired, for the reader whom the request's cookies identify. The key
 * does not change, because it is part of the URLs of an open page. DynamoDB TTL removes the stored renewal.
 *
 * @returns false if the reader may not use the key
 */
export async function renewFolderKey(
  sealed: string,
  { gateEpoch, session }: FolderKey,
  own: FoundVersion,
  nowMs: number,
): Promise<boolean> {
  const isOwnKey = session === undefined || session === own.session;
  if (!isOwnKey || own.drop.gate.epoch !== gateEpoch) return false;
  const untilMs = nowMs + fileKeySeconds * 1000;
  const Item = { ...keys.folderKey(hashOf(sealed)), untilMs, ttl: Math.ceil(untilMs / 1000) };
  await dynamodb.send(new PutCommand({ TableName: tableName(), Item }));
  return true;
}

/** Checks if an expired key was renewed. */
async function isRenewed(sealed: string, nowMs: number): Promise<boolean> {
  const renewal = await getItem(keys.folderKey(hashOf(sealed)));
  return Number(renewal?.untilMs ?? 0) > nowMs;
}

function hashOf(sealed: string): string {
  return createHash("sha256").update(sealed).digest("hex");
}

/**
 * Finds the version that a key gives access to. Checks session, access and passcode epoch each time, so that a
 * revocation takes effect immediately.
 */
export async function findVersionByKey(
  slug: string,
  sealed: string,
  { version: number, gateEpoch, session: reference, expiresAtMs }: FolderKey,
  nowMs: number,
): Promise<FoundVersion | undefined> {
  const [pointer, version, session, isAlive] = await Promise.all([
    publicDrops.findPointer(slug),
    publicDrops.findVersion(slug, number),
    reference === undefined ? undefined : readerSessions.find(reference, nowMs),
    !isExpired({ expiresAtMs }, nowMs) || isRenewed(sealed, nowMs),
  ]);
  const [drop, reader] = await Promise.all([
    publicDrops.findShownDrop(pointer, slug, nowMs),
    session && findReader(session, { ownerId: pointer?.ownerId }),
  ]);
  const isOver = !isAlive || drop?.gate.epoch !== gateEpoch;
  if (drop === undefined || version === undefined || isOver || !canRead(drop, reader, nowMs))
    return undefined;
  const { pageKey, hasContext, folder } = version;
  return {
    kind: "version",
    drop,
    session: session?.reference,
    reader,
    version: number,
    pageKey,
    hasContext,
    folder,
  };
}

function bindingOf({ slug }: Pick<Drop, "slug">): readonly string[] {
  return ["folder", slug];
}
