import { createSemaphore, type Release } from "../platform/semaphore.ts";

/** The number of places, and the most that one account takes. */
interface AccountPlaceLimits {
  readonly count: number;
  readonly countPerAccount: number;
  /** The wait for the account's turn, and then for a place. */
  readonly waitMsMax: number;
}

/** Takes a place for an account. */
type TakePlace = (userId: string) => Promise<Release>;

/**
 * Makes places of which no account takes all: what it sends at once waits for its own requests first.
 *
 * @returns a function that throws ApiError `unavailable` when no place becomes free in time
 */
export function createAccountPlaces({ count, countPerAccount, waitMsMax }: AccountPlaceLimits): TakePlace {
  const all = createSemaphore(count, waitMsMax);
  const ofAccounts = new Map<string, { readonly places: typeof all; requests: number }>();
  return async (userId) => {
    const own = ofAccounts.get(userId) ?? {
      places: createSemaphore(countPerAccount, waitMsMax),
      requests: 0,
    };
    ofAccounts.set(userId, own);
    own.requests += 1;
    const leave = () => {
      own.requests -= 1;
      if (own.requests === 0) ofAccounts.delete(userId);
    };
    const releases: Release[] = [leave];
    const releaseAll = () => {
      for (const release of releases.splice(0)) release();
    };
    try {
      releases.push(await own.places.take());
      releases.push(await all.take());
      return releaseAll;
    } catch (error) {
      releaseAll();
      throw error;
    }
  };
}
