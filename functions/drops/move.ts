import { environmentNames, findEnvironment } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { type EntityTagCondition, requireMatch } from "../http/response.ts";
import { requireTeamRole } from "../http/route.ts";
import { hasLeft } from "../people/find-reader.ts";
import { findPublishingAccounts, type Person } from "../people/teams.ts";
import { canChange } from "../policies/access.ts";
import { canMoveLeavers, canMoveOut, type PublishingAccount } from "../policies/moves.ts";
import type { Act } from "../table/audit.ts";
import { onLegalHold } from "../table/legal-hold.ts";
import type { Drop } from "./drop.ts";
import { type TransferOutcome, transferDrop } from "./drop-transfer.ts";
import { lacksPageQuota, pageBytesMax } from "./items.ts";
import { publicDrops } from "./public-drops.ts";
import { drops } from "./store.ts";
import { dropNotFound } from "./trash-store.ts";

/** A drop to move, and the person who moves it. */
export interface Move {
  readonly slug: string;
  /** Account that the person acts for. */
  readonly ownerId: string;
  readonly person: Person;
  /** Namespace of the receiver: a team that the person may publish for, or their own account. */
  readonly to: string;
  /** Required revision. @default - any revision */
  readonly ifMatch: EntityTagCondition | undefined;
}

/**
 * Moves a drop to another account, with its addresses and readers. Does nothing if the receiver already has it, so a call can be repeated.
 *
 * @throws ApiError `invalid_arg` for a receiver that the person may not publish for; `not_found` for a drop that the person may not move;
 * `forbidden` if the person is only an editor of the owning team, or the drop is on legal hold; `precondition_failed`; `quota_exceeded`
 */
export async function giveDrop(move: Move, act: Act): Promise<Drop> {
  const { slug, ownerId, person, to, ifMatch } = move;
  const accounts = await findPublishingAccounts(person);
  const receiver = accounts.find(({ namespace }) => namespace === to);
  if (receiver === undefined) {
    await drops.require({ ownerId, slug }, act.atMs);
    throw noSuchReceiver(to);
  }
  const drop = await requireMovable(move, receiver, act.atMs);
  if (drop.ownerId === receiver.userId) return drop;
  const giver = accounts.find(({ userId }) => userId === drop.ownerId);
  if (giver !== undefined && !canMoveOut(giver))
    requireTeamRole("editor", { method: "POST", teamRole: "owner" });
  const from = { userId: drop.ownerId, namespace: drop.ownerNamespace };
  const outcome = await transferDrop(slug, {
    from,
    to: receiver,
    act,
    isOverQuotaAllowed: false,
    requireDrop: (current) => requireMatch(ifMatch, current),
  });
  // Another call may have moved the drop in the meantime, even to the same account.
  const moved = await drops.find(receiver.userId, slug);
  if (moved !== undefined) return moved;
  throw refusalOf(outcome, to) ?? (await dropNotFound(ownerId, slug));
}

/** Finds a drop of the account or the receiver, or of someone who has left, if the person may move such drops. */
async function requireMovable(
  { slug, ownerId, person }: Omit<Move, "ifMatch">,
  receiver: PublishingAccount,
  nowMs: number,
): Promise<Drop> {
  const found = await publicDrops.findBySlug(slug);
  if (found === undefined || found.ownerId === ownerId || !canChange(found, found.ownerId, nowMs))
    return drops.require({ ownerId, slug }, nowMs);
  const isThere = found.ownerId === receiver.userId;
  if (isThere || (canMoveLeavers(person, receiver, leavers()) && (await hasLeft(found.ownerId))))
    return found;
  throw await dropNotFound(ownerId, slug);
}

/** Returns the reader rules in the setting `teams.leavers`, as `presentReader` formats them. */
function leavers(): readonly string[] {
  return JSON.parse(findEnvironment(environmentNames.teamLeavers) ?? "[]");
}

/** Returns the error for a refused transfer. Returns undefined if the transfer succeeded or the drop is missing. */
function refusalOf(outcome: TransferOutcome, to: string): ApiError | undefined {
  switch (outcome.kind) {
    case "held":
      return onLegalHold("moved");
    case "over-quota":
      return lacksPageQuota(outcome.receiver, outcome.pageBytes)
        ? noRoom(`${to} does not have space for the ${outcome.pageBytes} bytes of this drop's versions.`, {
            bytes: outcome.pageBytes,
            bytes_max: pageBytesMax(),
          })
        : noRoom(`${to} has reached the limit of ${limits.dropsPerAccountMax} drops.`, {
            drops_max: limits.dropsPerAccountMax,
          });
    case "closed":
      return noSuchReceiver(to);
    case "gone":
    case "taken":
    case "transferred":
      return undefined;
  }
}

function noSuchReceiver(to: string): ApiError {
  return new ApiError("invalid_arg", {
    message: `to is ${JSON.stringify(to)}, which is not an account that you may publish for. Send your own namespace or that of a team: GET /api/teams lists your teams.`,
    details: { field: "to" },
  });
}

function noRoom(what: string, details: Readonly<Record<string, unknown>>): ApiError {
  return new ApiError("quota_exceeded", {
    message: `${what} Nothing was moved. Delete a drop of that account first, and empty its trash.`,
    details,
  });
}
