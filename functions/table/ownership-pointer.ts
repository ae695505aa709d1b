import { RetryableError, retryConflicts } from "./table.ts";

/** Current owner of a drop or file, and the number of transfers so far. The URL does not change with a transfer. */
export interface OwnershipPointer {
  readonly ownerId: string;
  /** Increases with each transfer, including a transfer back to an earlier owner. */
  readonly transferCount: number;
}

/** Parses the ownership pointer of an item. An item that was never transferred has no count. */
export function toOwnershipPointer(item: Readonly<Record<string, unknown>>): OwnershipPointer {
  return { ownerId: item.ownerId as string, transferCount: (item.transferCount ?? 0) as number };
}

/**
 * Reads an item by its ownership pointer. Reads it again if an operator moved it to another account between the two reads. Returns
 * undefined if the item does not exist.
 *
 * @throws ApiError `unavailable` if the item was moved again during every attempt
 */
export async function findByOwnershipPointer<Place extends OwnershipPointer, Found>(
  first: Place | undefined,
  look: {
    readonly again: () => Promise<Place | undefined>;
    readonly at: (place: Place) => Promise<Found | undefined>;
  },
): Promise<{ readonly place: Place; readonly found: Found } | undefined> {
  let place = first;
  return retryConflicts(async () => {
    if (place === undefined) return undefined;
    const found = await look.at(place);
    if (found !== undefined) return { place, found };
    const now = await look.again();
    if (now?.ownerId === place.ownerId && now.transferCount === place.transferCount) return undefined;
    place = now;
    throw new RetryableError();
  });
}
