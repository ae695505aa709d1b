import pLimit from "p-limit";
import { ApiError } from "./errors.ts";

/** Gives a place back. More than one call is as good as one. */
export type Release = () => void;

/** A number of places, such as those for large bodies in memory; who finds none waits in line. */
interface Places {
  /**
   * Takes a place.
   *
   * @throws ApiError `unavailable` when none becomes free in time.
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
        // A place is held until the promise that was made of it is kept; whose turn comes too late passes it on.
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
