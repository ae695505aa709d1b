import pLimit from "p-limit";
import { ApiError } from "./errors.ts";

/** Releases a permit of a semaphore. Further calls do nothing. */
export type Release = () => void;

/**
 * Creates a semaphore with `count` permits, for example to limit the number of large bodies in memory. Callers of `take` wait in line for a
 * permit.
 *
 * @returns a semaphore whose `take` throws ApiError `unavailable` if no permit becomes free within `waitMsMax`
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
        // A permit is held until this promise settles. A caller that has timed out passes its permit on immediately.
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
