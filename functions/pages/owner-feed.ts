import type { Drop } from "../drops/drop.ts";
import { ranges } from "../platform/keys.ts";
import { fromAttributes, type ItemAttributes, queryAttributes } from "../platform/table.ts";
import { findListedOwner, isListed } from "./owner-listing.ts";

/** What the feed tells of a drop. */
type FedDrop = Pick<Drop, "slug" | "namespace" | "title" | "description" | "createdAtMs" | "updatedAtMs">;

/** As many as a feed reader can have missed between two of its visits. */
const entriesMax = 50;

/**
 * The drops of a namespace's owner that changed last, latest first, of those that their page lists with their titles. Undefined
 * where nobody has the namespace, or nobody any more, or it is suspended.
 */
export async function findOwnerFeed(namespace: string): Promise<readonly FedDrop[] | undefined> {
  const userId = await findListedOwner(namespace);
  if (userId === undefined) return undefined;
  const rows = await queryAttributes(ranges.drops(userId), {
    attributes: [
      ...["slug", "namespace", "title", "description", "passcodeHash", "visibility"],
      ...["createdAtMs", "updatedAtMs"],
    ],
    // Views are counted in rows of their own.
    having: "slug",
  });
  return rows
    .filter((row) => isListed(row) && row.passcodeHash === undefined)
    .toSorted((one, other) => Number(other.updatedAtMs?.N) - Number(one.updatedAtMs?.N))
    .slice(0, entriesMax)
    .map(toFedDrop);
}

function toFedDrop(attributes: ItemAttributes): FedDrop {
  const { slug, namespace, title, description, createdAtMs, updatedAtMs } = fromAttributes(attributes);
  return {
    slug: slug as string,
    namespace: namespace as string,
    title: title as string,
    description: (description ?? null) as string | null,
    createdAtMs: createdAtMs as number,
    updatedAtMs: updatedAtMs as number,
  };
}
