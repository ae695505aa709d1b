import { setTimeout as sleep } from "node:timers/promises";

/** Reads an event source and invokes a function. */
export interface Poller {
  /** Accepts no further events, and waits for running work. */
  stop(): Promise<void>;
}

const pauseAfterErrorMs = 1_000;

/** Polls repeatedly until stopped. Pauses if the source cannot be read. */
export function startPoller(
  poll: (signal: AbortSignal) => Promise<void>,
  logError: (message: string) => void,
): Poller {
  const stopping = new AbortController();
  const { signal } = stopping;
  const polling = (async () => {
    while (!signal.aborted) {
      await poll(signal).catch(async (error: Error) => {
        logError(`${error.message}; retrying`);
        await sleepUntilAborted(pauseAfterErrorMs, signal);
      });
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await polling;
    },
  };
}

/** Resolves after the time, or as soon as the signal is aborted. */
export async function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
