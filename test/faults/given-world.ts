import { randomInt, scryptSync } from "node:crypto";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { type Blob, newObjectKey, stagedObjectKey, type Upload } from "../../functions/blobs/blob.ts";
import { blobsS3, putObject } from "../../functions/blobs/objects.ts";
import { blobs, uploads } from "../../functions/blobs/store.ts";
import { createDrop, type Drop } from "../../functions/drops/drop.ts";
import { toStoredPage } from "../../functions/drops/page-content.ts";
import { pages } from "../../functions/drops/page-objects.ts";
import { drops } from "../../functions/drops/store.ts";
import { writeArchive } from "../../functions/folders/write-archive.ts";
import { deviceCodeExpiry, deviceCodes } from "../../functions/identity/device-codes.ts";
import type { Visibility } from "../../functions/policies/access.ts";
import {
  createBlobId,
  createCodeVerifier,
  createDeviceCode,
  createObjectId,
  createPollToken,
  createSlug,
  createTokenId,
  createTokenPlaintext,
  createUserId,
  hashSecret,
} from "../../functions/table/identifiers.ts";
import { keys } from "../../functions/table/keys.ts";
import type { Item } from "../../functions/table/table.ts";
import { transact } from "../../functions/table/table-writes.ts";
import { givenAct } from "../support/given-act.ts";
import { unusedLoopbackAddress } from "../support/http.ts";
import { callOperation } from "../support/operation-caller.ts";

/** Data of one case: an account with tokens, and a network address. */
export interface World {
  readonly userId: string;
  readonly namespace: string;
  readonly tokens: readonly string[];
  /** The first token. */
  readonly token: string;
  readonly address: string;
  /** When the case began. Its audit trail has no older entries. */
  readonly startedAtMs: number;
  /** The accounts whose items belong to the case. */
  readonly userIds: Set<string>;
  /** Other partitions of the table that belong to the case. */
  readonly partitions: Set<string>;
}

/** The passcode of locked drops, hashed cheaply. */
export const passcode = "abcd";
const passcodeHash = `scrypt$2$1$1$AAAA$${scryptSync(passcode, Buffer.from("AAAA", "base64url"), 32, {
  N: 2,
  r: 1,
  p: 1,
}).toString("base64url")}`;

/** Creates an account with tokens, and nothing else. */
export async function givenWorld(tokenCount: number): Promise<World> {
  const userId = createUserId(randomInt);
  const namespace = `faults-${userId.toLowerCase()}`;
  const tokens = Array.from({ length: tokenCount }, () => createTokenPlaintext(randomInt));
  const createdAtMs = Date.now();
  const counts = { dropCount: 0, pageBytes: 0, blobCount: 0, blobBytes: 0 };
  await transact([
    { put: { ...keys.account(userId), namespace, username: namespace, createdAtMs, ...counts } },
    { put: { ...keys.namespace(namespace), userId, createdAtMs } },
    ...tokens.flatMap((plaintext) => tokenItems(userId, namespace, plaintext)).map((put) => ({ put })),
  ]);
  return {
    userId,
    namespace,
    tokens,
    token: tokens[0] ?? "",
    address: unusedLoopbackAddress(),
    startedAtMs: createdAtMs,
    userIds: new Set([userId]),
    partitions: new Set(),
  };
}

/** Creates a token's items with open rate windows, because the first write of a minute makes an additional call. */
function tokenItems(userId: string, namespace: string, plaintext: string): Item[] {
  const [id, hash, nowMs] = [createTokenId(randomInt), hashSecret(plaintext), Date.now()];
  const times = { createdAtMs: nowMs, lastUsedAtMs: nowMs };
  const windows = { minuteStartedAtMs: nowMs, minuteCount: 1, dayStartedAtMs: nowMs, dayCount: 1 };
  return [
    { ...keys.token(hash), id, userId, namespace, label: null, ...times, ...windows },
    { ...keys.tokenRow(userId, id), hash },
  ];
}

/** Creates a drop with context, by default with one version. */
export async function givenDrop(
  { userId, namespace, token }: World,
  { isLocked = false, versions = 1, html = given.html, takesAnswers = false } = {},
): Promise<Drop> {
  const slug = createSlug(randomInt);
  const open = { visibility: { kind: "public" }, indexed: false } as const;
  const answers = { answers: "readers", answersResults: true } as const;
  const reach = takesAnswers ? { ...open, ...answers } : open;
  const facts = { slug, passcodeHash: isLocked ? passcodeHash : undefined, reach, nowMs: Date.now() };
  const page = toStoredPage(slug, createObjectId(randomInt), { ...given, html });
  const { drop, version } = createDrop({ userId, namespace }, { title: "Given" }, page, facts);
  await pages.put(page);
  if (!(await drops.insert(drop, version, givenAct()))) throw new Error(`The slug ${slug} is taken.`);
  for (let count = 1; count < versions; count += 1) {
    await callOperation("publish-version", { token, params: { slug }, body: given });
  }
  return drop;
}

const given = { html: "<p>Given</p>", context: "Why." };

/** The files of `givenFolder`. */
export const givenFiles = [{ path: "index.html", bytes: Buffer.from("<title>Given</title>") }];

/** Publishes a folder, and returns its slug. */
export async function givenFolder({ token }: World): Promise<string> {
  const headers = { "content-type": "application/zip" };
  const { text } = await callOperation("publish-drop", { token, headers, body: writeArchive(givenFiles) });
  return JSON.parse(text).slug;
}

/** Stores a file of a few bytes. */
export async function givenBlob(world: World, visibility: Visibility = { kind: "public" }): Promise<Blob> {
  const upload = { ...uploadOf(world), visibility };
  const blob = { ...upload, objectKey: newObjectKey(upload, randomInt) };
  const bytes = Buffer.from("given");
  const body = { contentLength: bytes.byteLength, bytes, stream: () => [bytes].values() };
  const served = { contentType: "text/plain", contentDisposition: "attachment" };
  await putObject(blob, body as unknown as Parameters<typeof putObject>[1], served);
  await blobs.insert(blob, givenAct());
  return blob;
}

/** Starts a stepwise upload whose file was received. */
export async function givenUpload(world: World): Promise<Upload> {
  const upload = uploadOf(world);
  await uploads.insert(upload, givenAct());
  const Bucket = process.env.BLOBS_BUCKET;
  await blobsS3.send(new PutObjectCommand({ Bucket, Key: stagedObjectKey(upload), Body: "given" }));
  return upload;
}

function uploadOf({ userId, namespace }: World): Upload {
  return {
    id: createBlobId(randomInt),
    ownerId: userId,
    namespace,
    filename: "given.txt",
    contentType: "text/plain",
    sizeBytes: 5,
    visibility: { kind: "public" },
    createdAtMs: Date.now(),
  };
}

/** Creates a device code and its poll token. */
export async function givenCode(
  { userId, partitions }: World,
  state: "pending" | "verified",
): Promise<{ readonly code: string; readonly pollToken: string }> {
  const code = createDeviceCode(randomInt);
  const pollToken = createPollToken(randomInt);
  const codeVerifier = createCodeVerifier(randomInt);
  const expiresAtMs = deviceCodeExpiry(Date.now());
  const facts = { label: null, scope: "all", codeVerifier, expiresAtMs } as const;
  await deviceCodes.start({ ...facts, pollTokenHash: hashSecret(pollToken), code, state: "pending" });
  if (state === "verified") await deviceCodes.verify(code, { userId }, givenAct());
  partitions.add(keys.deviceCode(code).pk);
  return { code, pollToken };
}
