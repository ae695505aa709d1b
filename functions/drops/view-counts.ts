import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { keys } from "../table/keys.ts";
import { dynamodb, getItem, RetryableError, retryConflicts, tableName } from "../table/table.ts";
import { transact } from "../table/table-writes.ts";
import { findKeptDrop } from "./trash-store.ts";

/** Somebody saw a drop's page. */
interface View {
  readonly ownerId: string;
  readonly slug: string;
}

/** A view as the queue carries it. */
export function toViewMessage({ ownerId, slug }: View): string {
  return JSON.stringify({ owner_id: ownerId, slug });
}

/**
 * The view that a message of the queue tells of.
 *
 * @throws Error when the message is none.
 */
export function parseViewMessage(text: string): View {
  const { owner_id: ownerId, slug } = Object(JSON.parse(text));
  if (!isIdentifier(ownerId) || !isIdentifier(slug)) throw new Error("The message is no view of a drop.");
  return { ownerId, slug };
}

function isIdentifier(value: unknown): value is string {
  return typeof value === "string" && /^[A-Za-z0-9]+$/.test(value);
}

/** View counts of drops. Each is an item of its own, so that counting never conflicts with a write. */
export const viewCounts = {
  /**
   * Adds views to a drop's count. Where the drop is at another account by now, the count goes there too; where it is gone, none
   * is left behind.
   *
   * @throws ApiError `unavailable` where the drop is transferred each time
   */
  async add(ownerId: string, slug: string, views: number): Promise<void> {
    await dynamodb.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.views(ownerId, slug),
        UpdateExpression: "ADD viewCount :views",
        ExpressionAttributeValues: { ":views": views },
      }),
    );
    // Asked afterwards: a drop that is still there takes its count along when it goes, one that is gone does not. In the trash it keeps
    // its count. A condition on the drop's item would make the two writes conflict.
    const drop = await getItem(keys.drop(ownerId, slug));
    if (drop === undefined) await takeAlong(ownerId, slug);
  },

  /** Removes a drop's count; one that is not there is removed already. */
  async remove(ownerId: string, slug: string): Promise<void> {
    await dynamodb.send(new DeleteCommand({ TableName: tableName(), Key: keys.views(ownerId, slug) }));
  },
};

/** Moves a count to where its drop is, in one transaction, so that it is in one place whenever this ends. */
async function takeAlong(formerOwnerId: string, slug: string): Promise<void> {
  await retryConflicts(async () => {
    const kept = await findKeptDrop(slug);
    if (kept === undefined) return viewCounts.remove(formerOwnerId, slug);
    const { ownerId, isTrashed } = kept;
    const left = await getItem(keys.views(formerOwnerId, slug));
    // Another count has taken it along, or the drop is back where it was.
    if (left === undefined || ownerId === formerOwnerId) return;
    const views = left.viewCount as number;
    const outcome = await transact([
      {
        remove: keys.views(formerOwnerId, slug),
        condition: "viewCount = :seen",
        values: { ":seen": views },
      },
      { key: keys.views(ownerId, slug), update: "ADD viewCount :seen", values: { ":seen": views } },
      {
        check: isTrashed ? keys.trashedDrop(ownerId, slug) : keys.drop(ownerId, slug),
        condition: "attribute_exists(pk)",
      },
    ]);
    if (!outcome.committed)
      throw new RetryableError("The drop was transferred each time that its views were moved.");
  });
}
