import { randomInt } from "node:crypto";
import { join } from "node:path";
import pLimit from "p-limit";
import { expect, inject } from "vitest";
import { blobObjectKey } from "../../functions/blobs/blob.ts";
import { blobs } from "../../functions/blobs/store.ts";
import { limits } from "../../functions/core/limits.ts";
import { addVersion, createDrop, type Drop } from "../../functions/drops/drop.ts";
import { toStoredPage } from "../../functions/drops/page-content.ts";
import { pages } from "../../functions/drops/page-objects.ts";
import { drops } from "../../functions/drops/store.ts";
import { deviceCodeExpiry, deviceCodes } from "../../functions/identity/device-codes.ts";
import { claimToken } from "../../functions/identity/token-claim.ts";
import { accounts } from "../../functions/people/accounts.ts";
import { cookieKeys } from "../../functions/table/cookie-keys.ts";
import {
  createBlobId,
  createDeviceCode,
  createObjectId,
  createPollToken,
  createSlug,
  createTokenId,
  hashSecret,
  type TokenScope,
} from "../../functions/table/identifiers.ts";
import { keys } from "../../functions/table/keys.ts";
import { rateLimiter } from "../../functions/table/rate-limits.ts";
import type { RateRule } from "../../functions/table/rate-rules.ts";
import { type TransactionWrite, transact, updateItem } from "../../functions/table/table-writes.ts";
import { openService } from "../../scripts/operator/service.ts";
import { compareCounts } from "../../scripts/operator/upkeep/recount.ts";
import { ApiClient } from "../support/client.ts";
import { givenAct } from "../support/given-act.ts";

/** A person whose account and tokens were written to the table directly, without a sign-in. */
export interface GivenPerson {
  readonly userId: string;
  readonly namespace: string;
  /** One client per token, because write limits are per token. */
  readonly clients: readonly ApiClient[];
  /** The first client. */
  readonly api: ApiClient;
}

const givenHtml =
  '<!doctype html>\n<html lang="en"><head><title>given</title></head><body><p>given</p></body></html>\n';

/** Connects this process's stores to the service under test, like the operator's commands. */
export async function openStores(): Promise<void> {
  await openService({ local: join(inject("serviceDirectory"), "data") });
  // Normally the first sign-in creates this key.
  await cookieKeys.ensure();
}

/** Creates a person with `tokenCount` tokens. */
export async function givenPerson(name: string, tokenCount = 1): Promise<GivenPerson> {
  const username = `${name}-${createBlobId(randomInt).toLowerCase()}`;
  const identity = { provider: "https://id.example.com", id: username, username };
  const { userId, namespace } = await accounts.findOrCreate(identity, randomInt, givenAct());
  const tokens = await pLimit(4).map(Array(tokenCount).keys(), () => givenToken(userId));
  const clients = tokens.map((token) => new ApiClient(token));
  return { userId, namespace, clients, api: clients[0] ?? new ApiClient() };
}

/** Returns the person's clients in rotation. */
export function clientOf({ clients, api }: GivenPerson, index: number): ApiClient {
  return clients[index % clients.length] ?? api;
}

/** Stores `count` small drops like publications. */
export async function givenDrops(person: GivenPerson, count: number): Promise<Drop[]> {
  const one = async () => {
    const slug = createSlug(randomInt);
    const page = toStoredPage(slug, createObjectId(randomInt), { html: givenHtml });
    const facts = { slug, passcodeHash: undefined, nowMs: Date.now() };
    const { drop, version } = createDrop(person, { title: "Given" }, page, facts);
    await pages.put(page);
    if (!(await drops.insert(drop, version, givenAct()))) throw new Error(`The slug ${slug} is taken.`);
    return drop;
  };
  return pLimit(8).map(Array(count).keys(), one);
}

/** Adds `count` versions to a drop like publications. */
export async function givenVersions({ userId }: GivenPerson, slug: string, count: number): Promise<void> {
  let drop = await drops.find(userId, slug);
  for (let index = 0; index < count; index += 1) {
    if (drop === undefined) throw new Error(`The drop ${slug} is not there.`);
    const page = toStoredPage(slug, createObjectId(randomInt), { html: givenHtml });
    await pages.put(page);
    const next = (current: Drop) => addVersion(current, page, {}, Date.now());
    drop = (await drops.change(drop, givenAct(), next))?.drop;
  }
}

/** Inserts files of `bytes` bytes in total into the table and the counters, without their objects. */
export async function givenBlobBytes(person: GivenPerson, bytes: number): Promise<void> {
  for (let missing = bytes; missing > 0; missing -= limits.blobBytesMax) {
    const id = createBlobId(randomInt);
    const blob = {
      id,
      ownerId: person.userId,
      namespace: person.namespace,
      filename: "given.bin",
      contentType: "application/octet-stream",
      sizeBytes: Math.min(missing, limits.blobBytesMax),
      visibility: { kind: "public" } as const,
      objectKey: blobObjectKey(person.namespace, id),
      createdAtMs: Date.now(),
    };
    await blobs.insert(blob, givenAct());
  }
}

/** Inserts `count` tokens (at most 99) whose plaintext is unknown, and returns their ids. */
export async function givenTokenRows(userId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => createTokenId(randomInt));
  await transact(ids.map((id) => ({ put: { ...keys.tokenRow(userId, id), hash: hashSecret(id) } })));
  return ids;
}

/** Overwrites a counter of an account. */
export async function setCounter(
  { userId }: GivenPerson,
  counter: "blobCount" | "dropCount" | "pageBytes",
  count: number,
): Promise<void> {
  await updateItem({
    key: keys.account(userId),
    update: `SET ${counter} = :count`,
    condition: "attribute_exists(pk)",
    values: { ":count": count },
  });
}

/** Overwrites a drop's version count. */
export async function setVersionCount({ userId }: GivenPerson, slug: string, count: number): Promise<void> {
  await updateItem({
    key: keys.drop(userId, slug),
    update: "SET versionCount = :count",
    condition: "attribute_exists(pk)",
    values: { ":count": count },
  });
}

/** Sets a subject's uses of a limit, in a window that opens now. */
export async function setUses(rule: RateRule, subject: string, uses: number): Promise<void> {
  await rateLimiter.spend(rule, subject, Date.now());
  await updateItem({
    key: keys.rateWindow(rule.name, subject),
    update: `SET ${rule.name}Count = :uses`,
    condition: "attribute_exists(pk)",
    values: { ":uses": uses },
  });
}

/** Sets the writes that a person's first token has made in its current minute. */
export async function setWritesOfMinute({ api }: GivenPerson, count: number): Promise<void> {
  await updateItem({
    key: keys.token(hashSecret(api.token ?? "")),
    update: "SET minuteCount = :count",
    condition: "attribute_exists(minuteCount)",
    values: { ":count": count },
  });
}

/** Compares the stored counters and those of the API with the stored objects and the list. */
export async function expectCountsToHold({ userId, api }: GivenPerson): Promise<void> {
  const [comparison, me, usage, list] = await Promise.all([
    compareCounts(userId, false),
    api.succeed("get-me"),
    api.succeed("get-usage"),
    api.succeed("list-drops"),
  ]);
  expect(comparison?.stored).toEqual(comparison?.counted);
  expect([me.drop_count, usage.drops.used]).toEqual([list.total, list.total]);
  expect({ blobCount: usage.blobs.used, blobBytes: usage.blobs.bytes_used }).toEqual({
    blobCount: comparison?.counted.blobCount,
    blobBytes: comparison?.counted.blobBytes,
  });
}

/** Signs a person in and returns the plaintext of the new token. */
export async function givenToken(userId: string, options?: GivenSignInOptions): Promise<string> {
  const { verified } = await givenVerifiedSignIn(userId, options);
  const claim = await claimToken(verified, givenAct(), randomInt);
  if (claim.kind !== "claimed") throw new Error(`The claim of the code is ${claim.kind}.`);
  return claim.plaintext;
}

interface GivenSignInOptions {
  /** Label of the agent. @default - none */
  readonly label?: string | null;
  /** Scope of the token. @default "all" */
  readonly scope?: TokenScope;
  /** The person who signs in for a team. @default - the account's own person */
  readonly personId?: string;
  /** Additional writes in the transaction of the confirmation. @default - none */
  readonly together?: readonly TransactionWrite[];
}

/** Creates a sign-in that its person has just confirmed. Returns its poll token and its stored facts. */
export async function givenVerifiedSignIn(
  userId: string,
  { label = null, scope = "all", personId, together = [] }: GivenSignInOptions = {},
) {
  const nowMs = Date.now();
  const [code, pollToken] = [createDeviceCode(randomInt), createPollToken(randomInt)];
  const pollTokenHash = hashSecret(pollToken);
  const expiresAtMs = deviceCodeExpiry(nowMs);
  const facts = { code, label, scope, pollTokenHash, codeVerifier: "", expiresAtMs };
  await deviceCodes.start({ ...facts, state: "pending" });
  const outcome = await deviceCodes.verify(code, { userId, personId }, givenAct(nowMs), together);
  if (outcome !== "verified") throw new Error(`The confirmation of the code is ${outcome}.`);
  return { pollToken, verified: { ...facts, userId, personId, state: "verified" as const } };
}
