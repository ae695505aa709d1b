import { ApiError, inBothWords } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { hashPasscode } from "../core/passcode.ts";
import { type EntityTagCondition, requireMatch } from "../http/response.ts";
import { namedReadersOf, presentReader, presentVisibility, type ReaderRule } from "../policies/access.ts";
import type { Act } from "../table/audit.ts";
import type { Token } from "../table/identifiers.ts";
import { keys } from "../table/keys.ts";
import { getItem, RetryableError, retryConflicts } from "../table/table.ts";
import type { TransactionWrite } from "../table/table-writes.ts";
import { requireScope } from "../table/token-scope.ts";
import {
  type AppliedChange,
  type Drop,
  type DropChanges,
  hasChanges,
  isLocked,
  withChanges,
  withGate,
} from "./drop.ts";
import { answersOf, type ExpiryChange, feedbackOf, requireAllowed, returnedExpiry } from "./drop-access.ts";
import { trashDays } from "./items.ts";
import { drops } from "./store.ts";
import { dropNotFound, trash } from "./trash-store.ts";

/** Reads the number of open threads on a drop from one small item. */
export async function countOpenFeedback(slug: string): Promise<number> {
  return ((await getItem(keys.feedback(slug)))?.openCount ?? 0) as number;
}

/** Reads the number of the last answer to a drop's forms from one small item, or 0 without answers. */
export async function lastAnswerOf(slug: string): Promise<number> {
  return ((await getItem(keys.answers(slug)))?.sequence ?? 0) as number;
}

/** An owner's drop, and the revision that a change requires. */
export interface OwnedDrop {
  readonly ownerId: string;
  readonly slug: string;
  /** Required revision. @default - any revision */
  readonly ifMatch: EntityTagCondition | undefined;
  /** Token of the call. @default - the owner has signed in with a browser */
  readonly token?: Token | undefined;
}

/**
 * Changes title, description, metadata, readers or expiry, without a new version.
 *
 * @throws ApiError `not_found`, `insufficient_scope`, `precondition_failed`, and `invalid_arg` as `withChanges` and `requireAllowed` do
 */
export async function editOwnedDrop(
  { ownerId, slug, ifMatch, token }: OwnedDrop,
  changes: DropChanges,
  act: Act,
): Promise<AppliedChange> {
  const found = await drops.require({ ownerId, slug }, act.atMs, changes);
  if (!hasChanges(changes)) {
    requireMatch(ifMatch, found);
    return { before: found, drop: found };
  }
  const applied = await drops.change(found, act, (current) => {
    const changed = withChanges(current, changes, act.atMs);
    requireAllowed(changed.visibility);
    requireScopeOfChange(token, current, changed);
    // A precondition only applies to a request that would succeed without it (RFC 9110, section 13.2.1).
    requireMatch(ifMatch, current);
    return { drop: changed };
  });
  if (applied === undefined) throw new ApiError("not_found");
  return applied;
}

/**
 * Adds a reader to a drop that is shared with named people, unless the drop already has this reader.
 *
 * @param also further writes of the same transaction
 * @throws ApiError `not_found`, `unavailable` if a further write fails, `invalid_arg` for another visibility and after 50 readers
 */
export async function addOwnedReader(
  { ownerId, slug }: Pick<OwnedDrop, "ownerId" | "slug">,
  rule: ReaderRule,
  act: Act,
  also: readonly TransactionWrite[],
): Promise<void> {
  let isReader = false;
  const found = await drops.require({ ownerId, slug }, act.atMs);
  const addTo = (current: Drop) => {
    const readers = namedReadersOf(current);
    if (readers === undefined)
      throw new ApiError("invalid_arg", {
        message: "This page isn’t shared with named people. Choose who can read it under “Who can read it”.",
      });
    isReader = readers.some((one) => presentReader(one) === presentReader(rule));
    if (isReader) return undefined;
    if (readers.length >= limits.readersPerDropMax)
      throw new ApiError("invalid_arg", {
        message: `This page has ${limits.readersPerDropMax} readers and can’t have more. Remove one, or name a group or a domain.`,
      });
    return { drop: withChanges(current, { readers: [...readers, rule] }, act.atMs), also };
  };
  const applied = await drops.change(found, act, addTo);
  if (applied === undefined && !isReader)
    throw new ApiError("unavailable", {
      message: "The page was changed at the same time. Check its readers, and try again.",
      retryAfterSeconds: 1,
    });
}

/** Locks a drop with a passcode. An empty passcode unlocks the drop. @throws ApiError `not_found`, `precondition_failed` */
export async function lockOwnedDrop(
  { ownerId, slug, ifMatch }: OwnedDrop,
  passcode: string,
  act: Act,
): Promise<Drop> {
  const found = await drops.require({ ownerId, slug }, act.atMs);
  requireMatch(ifMatch, found);
  const passcodeHash = passcode === "" ? null : await hashPasscode(passcode);
  const applied = await drops.change(found, act, (current) => {
    requireMatch(ifMatch, current);
    return { drop: withGate(current, passcodeHash, act.atMs) };
  });
  if (applied === undefined) throw new ApiError("not_found");
  return applied.drop;
}

/**
 * Changes a drop's readers and passcode in one write. An empty passcode unlocks the drop. A locked drop is never indexed.
 *
 * @throws ApiError `not_found`, `precondition_failed`, and `invalid_arg` for readers or a visibility that is not allowed
 */
export async function shareOwnedDrop(
  { ownerId, slug, ifMatch }: OwnedDrop,
  { passcode, ...changes }: DropChanges & { readonly passcode: string | undefined },
  act: Act,
): Promise<Drop> {
  const found = await drops.require({ ownerId, slug }, act.atMs, changes);
  const passcodeHash = passcode ? await hashPasscode(passcode) : null;
  const applied = await drops.change(found, act, (current) => {
    const isKept = passcode === undefined || (passcode === "" && !isLocked(current));
    const locked = isKept ? current : withGate(current, passcodeHash, act.atMs);
    const asked = isLocked(locked) ? { ...changes, indexed: false } : changes;
    const changed = { ...withChanges(locked, asked, act.atMs), revision: current.revision + 1 };
    requireAllowed(changed.visibility);
    requireMatch(ifMatch, current);
    return { drop: changed };
  });
  if (applied === undefined) throw new ApiError("not_found");
  return applied.drop;
}

/**
 * Moves a drop, expired or not, to the trash. Without a trash, deletes it with all its versions. @throws ApiError `not_found`,
 * `precondition_failed`
 */
export async function deleteOwnedDrop({ ownerId, slug, ifMatch }: OwnedDrop, act: Act): Promise<void> {
  return retryConflicts(async () => {
    const drop = ifMatch === undefined ? undefined : await drops.find(ownerId, slug);
    if (drop !== undefined) requireMatch(ifMatch, drop);
    const outcome =
      trashDays() > 0
        ? await trash.put(ownerId, slug, act, { reason: "deleted", seenRevision: drop?.revision })
        : await drops.remove(ownerId, slug, act, drop?.revision);
    switch (outcome) {
      case "removed":
        return;
      case "missing":
        throw await dropNotFound(ownerId, slug);
      case "raced":
        throw new RetryableError();
    }
  });
}

/**
 * Restores a drop from the trash. An expired drop gets the requested or default expiry. For a drop outside the trash, changes only the
 * expiry.
 *
 * @throws ApiError `not_found`, `quota_exceeded`, and `invalid_arg` for an expiry that is not allowed
 */
export async function undeleteOwnedDrop(
  { ownerId, slug }: Pick<OwnedDrop, "ownerId" | "slug">,
  change: ExpiryChange,
  act: Act,
): Promise<Drop> {
  const expiryOf = (drop: Drop) => returnedExpiry(drop, change, act.atMs);
  const restored = await trash.restore(ownerId, slug, act, expiryOf);
  if (restored !== undefined) return restored;
  const found = await drops.find(ownerId, slug);
  if (found !== undefined && expiryOf(found) === found.expiresAtMs) return found;
  const applied =
    found &&
    (await drops.change(found, act, (current) => ({
      drop: { ...withChanges(current, {}, act.atMs), expiresAtMs: expiryOf(current) },
    })));
  if (applied !== undefined) return applied.drop;
  throw new ApiError("not_found", {
    message: inBothWords(
      (call) =>
        `This drop is neither in your account nor in its trash. ${call("GET /api/trash", "list_trash")} lists the trash.`,
    ),
  });
}

/**
 * Requires the scope `all` for a change of a drop's access. Scripts may send unchanged values with the scope `publish`.
 *
 * @param token undefined for a person on the owner's own pages
 * @throws ApiError `insufficient_scope`
 */
export function requireScopeOfChange(token: Token | undefined, before: Drop, after: Drop): void {
  if (token === undefined || accessOf(before) === accessOf(after)) return;
  requireScope(token, "all", "change who can read, find, comment on or answer a page, or its expiry");
}

function accessOf(drop: Drop): string {
  const { gate, indexed, expiresAtMs, answersResults = false } = drop;
  const { visibility, readers = [] } = presentVisibility(drop.visibility);
  const passcodeHash = gate.kind === "locked" ? gate.passcodeHash : null;
  const others = [feedbackOf(drop), answersOf(drop), answersResults];
  return JSON.stringify([
    visibility,
    readers.toSorted(),
    passcodeHash,
    indexed,
    expiresAtMs ?? null,
    ...others,
  ]);
}
