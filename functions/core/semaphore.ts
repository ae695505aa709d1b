import pLimit from "p-limit";
import { ApiError } from "./errors.ts";

/** Releases the place. Further calls do nothing. */
export type Release = () => void;

/** A number of places, such as for large bodies in memory. Callers wait in line for a free place. */
interface Places {
  /**
   * Takes a place.
   *
   * @throws ApiError `unavailable` if no place becomes free in time.
   */
  take(): Promise<Release>;
}

/** Creates a semaphore whose waiters time out after `waitMsMax`. */
export function createSemaphore(count: number, waitMsMax: number): Places {
  const limit = pLimit(count);
  return {
    take: () =>
      new Promise((resolve, reject) => {
        let isLate = false;
        const timer = setTimeout(() => {
          isLate = true;
          reject(new ApiError("unavailable", { retryAfterSeconds: 5 }));
        }, waitMsMax);
        // A place is held until the returned promise settles. A waiter that has timed out passes its place on.
        void limit(
          () =>
            new Promise<void>((release) => {
              clearTimeout(timer);
              if (isLate) release();
              else resolve(release);
            }),
        );
      }),
  };
}
