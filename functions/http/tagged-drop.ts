import { ApiError } from "../contract/api-error.ts";
import { type Metadata, metadataSchema } from "../contract/metadata-schema.ts";
import type { upsertDropRoute } from "../contract/upsert-route.ts";
import { addVersion, type Drop, withGate } from "../domain/drop.ts";
import { createObjectId } from "../domain/identifiers.ts";
import { toStoredPage } from "../domain/page-content.ts";
import { hashPasscode, matchesPasscode } from "../domain/passcode.ts";
import { hasTags, mergeTags } from "../domain/tags.ts";
import { drops } from "../store/drops.ts";
import type { KeptAnswer } from "../store/kept-answers.ts";
import { pages } from "../store/pages.ts";
import { requireMatch } from "./if-match.ts";
import type { TokenOperationInput } from "./token-operation.ts";
import { validate } from "./validation.ts";
import { requireVersionRoom } from "./version-room.ts";

/**
 * The metadata that a drop gets which is to carry the tags.
 *
 * @throws ApiError `invalid_arg` where the two contradict each other, or are too much together
 */
export function requireTaggable(tags: Metadata, metadata: Metadata | undefined): Metadata {
  const outcome = mergeTags(tags, metadata);
  if ("merged" in outcome) return validate(metadataSchema, Object.fromEntries(outcome.merged));
  const key = outcome.contradictedKey;
  const [inQuery, inBody] = [tags.get(key), metadata?.get(key)].map((value) => JSON.stringify(value));
  throw new ApiError("invalid_arg", {
    message: `metadata.${key} is ${inQuery} in the query and ${inBody} in the body: send it in one of them, or the same in both.`,
    details: { field: "metadata", key },
  });
}

/**
 * Adds a version to the drop that was found by its tags, with title, description, metadata and passcode where they were
 * sent. Undefined where it has lost a tag meanwhile, or is gone: then the search begins again.
 *
 * @throws ApiError `version_limit_reached`, `precondition_failed`
 */
export async function addTaggedVersion(
  input: TokenOperationInput<typeof upsertDropRoute>,
  found: Drop,
  metadata: Metadata,
  keep: (drop: Drop, passcodeHash?: string) => KeptAnswer | undefined,
): Promise<Drop | undefined> {
  const { query, body, ifMatch, nowMs, randomInt, act } = input;
  const requireWritable = (drop: Drop) => {
    requireVersionRoom(drop);
    requireMatch(ifMatch, drop);
  };
  requireWritable(found);
  const page = toStoredPage(found.slug, createObjectId(randomInt), body);
  const lock = await lockOf(body.passcode, found);
  await pages.put(page); // page first: a row never points at a missing object
  const changes = { ...body, metadata: body.metadata && metadata };
  return drops.change(
    found,
    act,
    (current) => {
      if (!hasTags(current, query.tags)) return undefined;
      requireWritable(current);
      const { drop, version } = addVersion(current, page, changes, nowMs);
      return { drop: withLock(drop, lock, nowMs), version };
    },
    (drop) => keep(drop, lock ?? undefined),
  );
}

/** The hash to lock with, null to open, undefined to leave the gate alone. */
async function lockOf(passcode: string | undefined, { gate }: Drop): Promise<string | null | undefined> {
  if (passcode === undefined) return undefined;
  if (passcode === "") return null;
  // The same passcode again must not end what readers have opened.
  const isSame = gate.kind === "locked" && (await matchesPasscode(passcode, gate.passcodeHash));
  return isSame ? gate.passcodeHash : hashPasscode(passcode);
}

function withLock(drop: Drop, lock: string | null | undefined, nowMs: number): Drop {
  const current = drop.gate.kind === "locked" ? drop.gate.passcodeHash : null;
  return lock === undefined || lock === current ? drop : withGate(drop, lock, nowMs);
}
