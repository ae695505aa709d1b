import { RetryableError, retryConflicts } from "./table.ts";

/** Current account of a drop or file with a permanent URL, and its number of transfers. */
export interface OwnershipPointer {
  readonly ownerId: string;
  /** Rises with each transfer, also of one back to an earlier owner. */
  readonly transferCount: number;
}

/** Reads the ownership pointer of an item; without transfers it has no count. */
export function toOwnershipPointer(item: Readonly<Record<string, unknown>>): OwnershipPointer {
  return { ownerId: item.ownerId as string, transferCount: (item.transferCount ?? 0) as number };
}

/**
 * Reads an item by its ownership pointer, again if an operator moved it to another account between the two reads.
 * Undefined if it does not exist.
 *
 * @throws ApiError `unavailable` if it keeps moving
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
    if (now !== undefined && isSameStay(now, place)) return undefined;
    place = now;
    throw new RetryableError();
  });
}

function isSameStay(one: OwnershipPointer, other: OwnershipPointer): boolean {
  return one.ownerId === other.ownerId && one.transferCount === other.transferCount;
}
