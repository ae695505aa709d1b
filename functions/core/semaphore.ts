import pLimit from "p-limit";
import { ApiError } from "./errors.ts";

/** Releases the place. Further calls do nothing. */
export type Release = () => void;

/**
 * Creates a semaphore: a number of places, such as for large bodies in memory. Callers of `take` wait in line for a free place.
 *
 * @returns a function that throws ApiError `unavailable` if no place becomes free within `waitMsMax`
 */
export function createSemaphore(count: number, waitMsMax: number): { take(): Promise<Release> } {
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
