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

/** Makes so many places, for which nobody waits longer than `waitMsMax`. */
export function createSemaphore(count: number, waitMsMax: number): Places {
  const line: (() => void)[] = [];
  let free = count;

  function release(): void {
    const next = line.shift();
    if (next) next();
    else free += 1;
  }

  function releaseOnce(): Release {
    let isHeld = true;
    return () => {
      if (isHeld) release();
      isHeld = false;
    };
  }

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(enter), 1);
        reject(new ApiError("unavailable", { retryAfterSeconds: 5 }));
      }, waitMsMax);
      line.push(enter);
    });
  }

  return {
    async take() {
      if (free > 0) free -= 1;
      else await wait();
      return releaseOnce();
    },
  };
}
